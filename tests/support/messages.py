"""Every text that can be translated, read from code and templates: `python -m tests.support.messages`.

Django's own reader of templates and Babel's reader of Python, so that nothing but Python is needed. Run as a
program it brings `locale/` up to date: translations stay, new texts come in empty, texts that are gone leave.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

TOP = Path(__file__).parents[2]
CATALOGUE = TOP / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
ROOMS = ("roleplay", "importer", "lorebooks", "presets", "worlds", "portal", "llm", "net", "formats")
LANGUAGE = "zh_Hans"
# Name of the function: which arguments are texts, in Babel's spelling; `c` marks a context.
FUNCTIONS: dict[str, tuple[int | tuple[int, str], ...]] = {
    "gettext": (1,),
    "gettext_lazy": (1,),
    "gettext_noop": (1,),
    "ngettext": (1, 2),
    "ngettext_noop": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
SHORT = {"_": "gettext", "translated": "gettext"}
SOURCES = ("django.utils.translation", "formats.messages")


def modules() -> list[Path]:
    return [path for room in ROOMS for path in sorted((TOP / room).rglob("*.py"))]


def templates() -> list[Path]:
    roots = [TOP / "templates", *(TOP / room / "templates" for room in ROOMS)]
    return [path for root in roots for path in sorted(root.rglob("*")) if path.suffix in (".html", ".txt")]


def gathered() -> Catalog:
    """All texts, without translations."""
    catalog = Catalog(domain="django", charset="utf-8", fuzzy=False)
    for path in modules():
        _take(catalog, path.read_text(encoding="utf-8"))
    for path in templates():
        _take(catalog, _as_python(path))
    return catalog


def _take(catalog: Catalog, source: str) -> None:
    keywords = {**FUNCTIONS, **{short: FUNCTIONS[name] for short, name in SHORT.items()}}
    found = extract("python", io.BytesIO(source.encode()), keywords=keywords, options={"encoding": "utf-8"})
    for _line, text, _comments, context in found:
        if text:
            catalog.add(text, context=context)


def _as_python(path: Path) -> str:
    """The texts of a template as calls, one below the other; a template's own indentation means nothing."""
    calls = templatize(path.read_text(encoding="utf-8"), origin=str(path))
    return "\n".join(line.lstrip() for line in calls.splitlines())


def unknown_names() -> Iterator[tuple[str, str]]:
    """Modules that give a translating function a name which gathering does not look for."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in SOURCES:
                for alias in node.names:
                    if alias.name in FUNCTIONS and alias.asname and SHORT.get(alias.asname) is None:
                        yield str(path.relative_to(TOP)), alias.asname


def marked_too_late() -> Iterator[str]:
    """Functions that mark a template which counts: its form for one is known only once the function has run,
    and a server that shows a note which another process stored has never run it.
    """
    for path in modules():
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                names = (call.func for call in ast.walk(function) if isinstance(call, ast.Call))
                if any(isinstance(name, ast.Name) and name.id == "ngettext_noop" for name in names):
                    yield f"{path.relative_to(TOP)}: {function.name}"


def stored() -> Catalog:
    """The catalogue as it is in the project."""
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale=LANGUAGE, domain="django")


def key_of(message: Message) -> tuple[str, tuple[str, ...]]:
    """What a translation belongs to: context, and the text in one or two forms."""
    forms = message.id if isinstance(message.id, list | tuple) else (message.id,)
    return message.context or "", tuple(forms)


FIELDS = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


def fields_of(text: str) -> set[str]:
    """The named fields that are filled when the text is shown."""
    return {found[0] for found in FIELDS.finditer(text)}


def bring_up_to_date() -> tuple[int, int]:
    """Rewrite the catalogue; gives the number of texts, and of those that wait for a translation."""
    old = {key_of(message): message for message in stored() if message.id}
    new = Catalog(locale=LANGUAGE, domain="django", fuzzy=False)
    for message in gathered():
        if message.id:
            known = old.get(key_of(message))
            empty: str | tuple[str, ...] = "" if isinstance(message.id, str) else ("",) * new.num_plurals
            new.add(message.id, known.string if known else empty, context=message.context)
    waiting = sum(1 for message in new if message.id and not all(strings_of(message)))
    with CATALOGUE.open("wb") as file:
        _write(file, new)
    return len(new), waiting


def strings_of(message: Message) -> tuple[str, ...]:
    """The translation in all its forms; an empty text where there is none."""
    return tuple(message.string) if isinstance(message.string, list | tuple) else (message.string or "",)


HEADER = """# Simplified Chinese of Tavern Worlds, brought up to date by `make messages`.
msgid ""
msgstr ""
"Language: zh_Hans\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""


def _write(file: io.BufferedWriter, catalog: Catalog) -> None:
    """Sorted, without places and dates: a change of the file is a change of a text."""
    file.write(HEADER.encode())
    write_po(
        file, catalog, width=100, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True
    )


def main() -> None:
    texts, waiting = bring_up_to_date()
    print(f"{LANGUAGE}: {texts} texts, {waiting} wait for a translation")


if __name__ == "__main__":
    main()
