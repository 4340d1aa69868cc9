"""Which fixes there are for which finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from formats.finding import Finding
from formats.messages import gettext_noop as _
from worlds.rules.check import check_world
from worlds.rules.documents import Item, Location, title_of
from worlds.rules.fixes.shape import Choice, Fix
from worlds.rules.load import LoadedWorld
from worlds.rules.paths import place
from worlds.rules.places import reachable
from worlds.rules.references import references_of


def smallest_fixes(loaded: LoadedWorld, finding: Finding) -> tuple[Fix, ...]:
    """The fixes a page can offer for a finding, the most likely first; none where only editing helps."""
    offer = _OFFERS.get(finding.code)
    return tuple(offer(loaded, finding)) if offer else ()


def find_fix(loaded: LoadedWorld, code: str, where: str) -> Fix | None:
    """The fix of this code that is offered at this place right now, or None: a page may be out of date."""
    for finding in check_world(loaded):
        if finding.where == where:
            for fix in smallest_fixes(loaded, finding):
                if fix.code == code:
                    return fix
    return None


def _opening(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    others = loaded.world.alternate_openings if loaded.world else []
    choices = tuple(
        Choice(str(at), other.label or " ".join(other.text.split())[:80])
        for at, other in enumerate(others)
        if other.text.strip()
    )
    if choices:
        yield Fix("use-other-opening", _("Use another opening"), finding.where, "choice", choices)
    yield Fix("write-opening", _("Write an opening"), finding.where, "long")


def _starting_location(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    choices = _choices(loaded, ("location",))
    label = _("Choose where a story begins")
    yield Fix("pick-starting-location", label, finding.where, "choice", choices)


def _dangling(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    path, key = place(finding.where)
    document = loaded.by_path().get(path)
    kinds = next((ref.kinds for ref in references_of(document) if ref.key == key), ()) if document else ()
    choices = _choices(loaded, kinds)
    start = path == "world.json"
    if not (start and choices):  # without its start a world with places could not begin either
        yield Fix("drop-reference", _("Drop the reference"), finding.where)
    if choices:
        label = _("Choose where a story begins") if start else _("Choose something that exists")
        yield Fix("point-elsewhere", label, finding.where, "choice", choices)


def _circle(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    choices = tuple(Choice(id, loaded.locations[id].name) for id in finding.args["ids"])
    label = _("Take one of them out of the place it lies in")
    yield Fix("leave-parent", label, finding.where, "choice", choices)


def _unreachable(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    start = loaded.world.starting_location if loaded.world else None
    reached = reachable(loaded.locations, start) if start in loaded.locations and start else set()
    choices = tuple(Choice(id, place.name) for id, place in loaded.locations.items() if id in reached)
    yield Fix("add-way", _("Add a way from"), finding.where, "choice", choices)


def _duplicate(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    path, key = place(finding.where)
    if key == "id":
        paths = (finding.args["other"], path)
        documents = loaded.by_path()
        choices = tuple(Choice(path, f"{title_of(documents[path])} ({path})") for path in paths)
        yield Fix("rename-document", _("Give a new id to"), finding.where, "choice", choices)
    elif path == "commands.json":
        yield Fix("remove-entry", _("Remove the second one"), finding.where)
    else:
        yield Fix("number-id", _("Give the second one a new id"), finding.where)


def _id_mismatch(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    yield Fix("use-file-name", _("Use the file name as id"), finding.where)


def _id_form(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    path, _key = place(finding.where)
    document = loaded.by_path()[path]
    choices = (Choice(path, title_of(document)),)
    yield Fix("rename-document", _("Make an id from the name"), finding.where, "choice", choices)


def _two_places(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    item = loaded.by_path().get(place(finding.where)[0])
    if isinstance(item, Item):
        holder = loaded.characters.get(item.held_by or "")
        spot = loaded.locations.get(item.location or "")
        choices = (
            Choice("held_by", holder.name if holder else item.held_by or ""),
            Choice("location", spot.name if spot else item.location or ""),
        )
        yield Fix("choose-place", _("Choose where it is"), finding.where, "choice", choices)


def _known_by(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    choices = (Choice("listed", _("Only those listed")), Choice("everyone", _("Everyone")))
    yield Fix("choose-scope", _("Choose who knows it"), finding.where, "choice", choices)


def _image(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    yield Fix("no-picture", _("Leave the picture out"), finding.where)
    choices = tuple(Choice(path, path.removeprefix("images/")) for path in sorted(loaded.images))
    if choices:
        yield Fix("choose-picture", _("Choose another picture"), finding.where, "choice", choices)


def _remove_entry(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    yield Fix("remove-entry", _("Remove it from the list"), finding.where)


def _placeholder(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    yield Fix("make-inert", _("Keep it as plain text"), finding.where)


def _world_missing(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    yield Fix("write-world-file", _("Write a new world.json with the name"), finding.where, "text")


def _set_aside(loaded: LoadedWorld, finding: Finding) -> Iterator[Fix]:
    path = place(finding.where)[0]
    if path == "world.json":
        yield Fix("write-world-file", _("Replace it by a new one with the name"), finding.where, "text")
    else:
        yield Fix("set-aside", _("Move the file to this world's trash"), finding.where)


def _choices(loaded: LoadedWorld, kinds: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(choice for kind in kinds for choice in _choices_of(loaded, kind))


def _choices_of(loaded: LoadedWorld, kind: str) -> Iterator[Choice]:
    if kind == "exit":
        ways = (way for location in loaded.locations.values() for way in _ways(location))
        yield from ways
    elif kind == "variable":
        yield from (Choice(it.key, it.label or it.key) for it in loaded.variables.variables)
    elif kind == "command":
        yield from (Choice(command.name, command.name) for command in loaded.commands.commands)
    else:
        yield from (Choice(id, title_of(held)) for id, held in loaded.documents[kind].items())


def _ways(location: Location) -> Iterator[Choice]:
    return (Choice(exit.id, f"{location.name}: {exit.name or exit.id}") for exit in location.exits)


_OFFERS: Mapping[str, Callable[[LoadedWorld, Finding], Iterable[Fix]]] = {
    "opening-missing": _opening,
    "starting-location-missing": _starting_location,
    "dangling-reference": _dangling,
    "parent-cycle": _circle,
    "location-unreachable": _unreachable,
    "duplicate-id": _duplicate,
    "id-mismatch": _id_mismatch,
    "id-form": _id_form,
    "item-in-two-places": _two_places,
    "known-by-everyone": _known_by,
    "image-path": _image,
    "image-missing": _image,
    "trigger-value": _remove_entry,
    "command-name": _remove_entry,
    "prompt-placeholder": _placeholder,
    "world-missing": _world_missing,
    **dict.fromkeys(
        (
            "variable-key",
            "variable-twice",
            "variable-built-in",
            "variable-scope",
            "variable-bounds",
            "variable-default",
            "variable-step",
            "variable-bands",
            "variable-options",
        ),
        _remove_entry,
    ),
    **dict.fromkeys(
        ("not-json", "not-text", "schema", "key-missing", "wrong-type", "wrong-value", "empty-text"),
        _set_aside,
    ),
}
