"""Steps: recursion, its gates and levels, and the search further back."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase
from time import process_time
from typing import Any

import pytest

from formats.lorebook.simulator import Book, Dice, ScanSettings, Scene, SceneMessage, Sources, simulate
from formats.lorebook.simulator.keybank import LETTERS_OF_A_LOOK
from formats.lorebook.simulator.parts import Part
from formats.lorebook.simulator.reading import Reading
from tests.support.scans import book_of, came_in, code_of, entry, scan, story


def kinds(activation: Any) -> list[str]:
    return [step.kind for step in activation.steps]


def test_steps_tell_who_came_in_when() -> None:
    book = book_of(entry(1, "harbour", "guard"), entry(2, "guard", "clock"), entry(3, "clock"))
    activation = scan(book, "harbour")
    assert [[key for _, key in step.came_in] for step in activation.steps] == [["1@0"], ["2@0"], ["3@0"], []]
    assert [activation.verdict("b", f"{uid}@0").step for uid in (1, 2, 3)] == [1, 2, 3]
    [hit] = activation.verdict("b", "3@0").hits
    assert (hit.where, hit.title, hit.step) == ("entry", "E2", 3)


@pytest.mark.parametrize(("page", "of_book", "woken"), [
    (None, None, True), (None, False, False), (None, True, True), (True, False, True), (False, True, False),
])  # fmt: skip
def test_recursion_by_page_then_book_then_default(
    page: bool | None, of_book: bool | None, woken: bool
) -> None:
    book = book_of(entry(1, "harbour", "guard"), entry(2, "guard"), recursive_scanning=of_book)
    assert came_in(scan(book, "harbour", recursion=page)) == ([1, 2] if woken else [1])


def test_book_without_recursion_neither_wakes_nor_is_woken() -> None:
    quiet = Book("quiet", book_of(entry(1, "harbour", "guard"), entry(2, "clock"), recursive_scanning=False))
    loud = Book("loud", book_of(entry(3, "guard"), entry(4, "harbour", "clock"), entry(5, "clock")))
    assert came_in(scan([quiet, loud], "harbour")) == [1, 4, 5]


def test_entry_that_others_may_not_wake_says_so() -> None:
    book = book_of(entry(1, "harbour", "guard"), entry(2, "guard", recursion={"exclude": True}))
    activation = scan(book, "harbour")
    assert code_of(activation, 2) == "recursion-excluded"
    assert activation.verdict("b", "2@0").said.text == (
        "Found only with the texts of other entries, and those may not wake it."
    )
    assert came_in(scan(book, "guard")) == [2]


def test_constant_waits_for_recursion_like_others() -> None:
    waiting = entry(1, constant=True, recursion={"delay_until": True})
    alone = scan(book_of(waiting), "harbour")
    assert (came_in(alone), code_of(alone, 1)) == ([], "recursion-wait")
    assert came_in(scan(book_of(waiting, entry(2, "harbour")), "harbour")) == [2, 1]


@pytest.mark.parametrize("levels", [(1, 2), (1, 2.5), (3, 10)])
def test_levels_follow_each_other_also_when_nobody_wakes(levels: tuple[float, float]) -> None:
    low, high = levels
    book = book_of(
        entry(1, constant=True, content="low", recursion={"delay_until": low, "prevent": True}),
        entry(2, constant=True, content="high", recursion={"delay_until": high, "prevent": True}),
    )
    activation = scan(book, "harbour")
    assert came_in(activation) == [1, 2]
    assert [step.level for step in activation.steps] == [low, high]
    assert kinds(activation) == ["messages", "recursion"]


def test_level_that_was_not_reached_is_told_with_numbers() -> None:
    book = book_of(entry(1, "harbour"), entry(2, "harbour", recursion={"delay_until": 1}),
                   entry(3, "harbour", recursion={"delay_until": 2}))  # fmt: skip
    activation = scan(book, "harbour", max_steps=2)
    assert came_in(activation) == [1, 2]
    assert activation.verdict("b", "3@0").said.args == {"level": 2, "reached": 1}


def test_levels_get_their_step_with_recursion_off_but_read_no_entries() -> None:
    book = book_of(
        entry(1, "harbour", "guard"),
        entry(2, "harbour", recursion={"delay_until": 1}),
        entry(3, "guard", recursion={"delay_until": 2}),
        entry(4, "harbour", recursion={"delay_until": 2}),
    )
    assert came_in(scan(book, "harbour", recursion=False)) == [1, 2, 4]


def test_search_further_back_until_enough_came_in() -> None:
    book = book_of(entry(1, "harbour"), entry(2, "clock"), entry(3, "postman"), scan_depth=1)
    scene = story("postman", "fog", "clock", "fog", "harbour")
    assert came_in(scan(book, scene)) == [1]
    activation = scan(book, scene, min_activations=2)
    assert came_in(activation) == [1, 2]
    assert [step.depth for step in activation.steps if step.kind == "deeper"] == [2, 3]
    assert came_in(scan(book, scene, min_activations=9)) == [1, 2, 3]


@pytest.mark.parametrize(("deepest", "found"), [(4, [1]), (5, [1, 2]), (0, [1, 2]), (99, [1, 2])])
def test_search_stops_at_its_own_depth(deepest: int, found: list[int]) -> None:
    book = book_of(entry(1, "harbour"), entry(2, "clock"), scan_depth=1)
    scene = story("fog", "clock", "fog", "fog", "fog", "harbour")
    assert came_in(scan(book, scene, min_activations=2, max_depth=deepest)) == found


def test_search_moves_neither_an_entrys_own_depth_nor_wakes_by_entries() -> None:
    book = book_of(
        entry(1, "harbour", "guard", recursion={"prevent": True}),
        entry(2, "clock", scan_depth=1),
        entry(3, "postman", "late"),
        scan_depth=1,
    )
    activation = scan(book, story("postman", "clock", "harbour"), min_activations=3)
    assert came_in(activation) == [1, 3]
    assert kinds(activation) == ["messages", "deeper", "deeper", "recursion"]
    assert code_of(activation, 2) == "key"


@pytest.mark.parametrize("name", Sources.__dataclass_fields__)
def test_each_text_beside_the_story_is_read_only_by_those_who_ask(name: str) -> None:
    book = book_of(entry(1, "lighthouse", match_sources={name: True}), entry(2, "lighthouse"))
    scene = Scene(messages=(SceneMessage("fog"),), sources=Sources(**{name: "An old lighthouse."}))
    activation = scan(book, scene, recursion=False)
    assert came_in(activation) == [1]
    assert code_of(activation, 1) == f"key-{name}"
    [hit] = activation.verdict("b", "1@0").hits
    assert (hit.where, hit.name, hit.offset, hit.length) == ("source", name, 7, 10)


def test_depth_of_zero_reads_no_text_at_all() -> None:
    book = book_of(
        entry(1, constant=True, content="guard"),
        entry(2, "guard|fog", match_sources={"scenario": True}, scan_depth=0),
    )
    activation = scan(book, Scene(messages=(SceneMessage("fog"),), sources=Sources(scenario="fog")))
    assert (came_in(activation), code_of(activation, 2)) == ([1], "depth-zero")


def test_names_before_messages_are_read_unless_they_are_off() -> None:
    book = book_of(entry(1, "lina"))
    scene = Scene(messages=(SceneMessage("Good evening.", name="Lina"),))
    [hit] = scan(book, scene).verdict("b", "1@0").hits
    assert (hit.offset, hit.length) == (-6, 4)
    assert came_in(scan(book, scene, include_names=False)) == []


def test_offsets_count_in_the_message_as_it_was_written() -> None:
    scene = Scene(messages=(SceneMessage("  \n the İstanbul road", name="Lina"), SceneMessage("\t harbour ")))
    book = book_of(entry(1, "i̇stanbul"), entry(2, "harbour"))
    activation = scan(book, scene, whole_words=False)
    for uid, word in ((1, "İstanbul"), (2, "harbour")):
        [hit] = activation.verdict("b", f"{uid}@0").hits
        text = scene.messages[hit.index].text
        assert text[hit.offset : hit.offset + hit.length] == word


def test_a_book_given_twice_counts_once() -> None:
    book = Book("b", book_of(entry(1, "harbour")))
    assert came_in(scan([book, book], "harbour")) == [1]


def test_books_come_in_the_order_given_and_entries_by_their_order() -> None:
    first = Book(
        "one", book_of(entry(1, "harbour", insertion_order=1), entry(2, "harbour", insertion_order=2))
    )
    second = Book("two", book_of(entry(3, "harbour", insertion_order=99)))
    assert came_in(scan([first, second], "harbour")) == [2, 1, 3]


def test_hidden_keys_wake_others_but_are_not_sent() -> None:
    book = book_of(entry(1, "harbour", "Boats.{{hidden_key:guard}}"), entry(2, "guard"))
    activation = scan(
        book, Scene(messages=(SceneMessage("harbour"),), expand=lambda text: text.split("{{")[0])
    )
    assert came_in(activation) == [1, 2]
    assert activation.placed.before_character[-1].text == "Boats."


@pytest.mark.req("WB-1")
def test_the_same_arguments_give_the_same_result_and_nothing_is_changed() -> None:
    book = book_of(*(entry(n, "harbour", "fog harbour", group="g", probability=50) for n in range(20)))
    results = [scan(book, "harbour") for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].verdicts == results[1].verdicts


@pytest.mark.req("WB-10")
def test_raw_entries_are_never_read() -> None:
    class Poisoned(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise AssertionError("the raw entry was read")

        get = keys = items = __iter__ = __getitem__  # type: ignore[assignment]

    one = entry(1, "harbour", "@@activate\nguard", effects={"sticky": 2})
    object.__setattr__(one.source, "raw", Poisoned())
    first = scan(book_of(one), story("harbour"))
    assert came_in(scan(book_of(one), story("harbour", "fog"), first.state)) == [1]


def test_default_dice_are_not_needed_where_nothing_is_left_to_chance() -> None:
    def no_roll(name: str) -> float:
        raise AssertionError(f"{name} was rolled")

    activation = simulate(
        [Book("b", book_of(entry(1, "harbour"), entry(2, "fog", probability=50)))],
        story("harbour"),
        ScanSettings(),
        dice=Dice(no_roll),
        run_patterns=None,
        count_tokens=len,
    )
    assert came_in(activation) == [1]


def test_entry_found_further_back_is_looked_at_again_beside_the_texts_of_entries() -> None:
    book = book_of(entry(1, "harbour", "guard"), entry(2, "clock", second="guard"), scan_depth=1)
    activation = scan(book, story("clock", "harbour"), min_activations=3)
    assert came_in(activation) == [1, 2]
    assert [step.kind for step in activation.steps if step.came_in] == ["messages", "recursion"]
    assert {hit.where for hit in activation.verdict("b", "2@0").hits} == {"message", "entry"}


def test_verdict_names_the_gate_that_an_entry_came_furthest_to() -> None:
    book = book_of(
        entry(1, "harbour"),
        entry(2, "harbour", recursion={"delay_until": 2}),
        entry(3, "harbour", recursion={"delay_until": 1, "prevent": True}),
        scan_depth=1,
    )
    activation = scan(book, story("harbour", "harbour"), min_activations=3, max_steps=3)
    assert kinds(activation) == ["messages", "recursion", "deeper"]
    assert code_of(activation, 2) == "recursion-level"


def test_scan_that_looks_for_too_many_keys_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formats.lorebook.simulator.reading.MOST_LOOKS", 500)
    keys = "|".join(f"k{n}" for n in range(100))
    book = book_of(entry("all", keys, second="never"), *(entry(n, f"k{n}", f"k{n + 1}") for n in range(100)))
    activation = scan(book, "k0")
    assert len(activation.steps) == len(activation.accepted) == 5
    [finding] = activation.findings
    assert finding.text.startswith("The scan was ended after step 5:")
    assert code_of(activation, "all") == "second-any"
    assert scan(book_of(entry(1, "k0")), "k0").findings == ()


def test_a_long_key_counts_for_as_many_looks_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two finds of 60 looks each are more than 100; as two looks they would be nothing."""
    key = "x" * (LETTERS_OF_A_LOOK * 60)
    book = book_of(entry(1, "fog", key), entry(2, key, key), entry(3, "never", key))
    assert scan(book, "fog").findings == ()
    monkeypatch.setattr("formats.lorebook.simulator.reading.MOST_LOOKS", 100)
    activation = scan(book, "fog")
    assert [finding.code for finding in activation.findings] == ["scan-cut-short"]
    short = book_of(entry(1, "fog", "mist"), entry(2, "mist", "mist"))
    assert scan(short, "fog").findings == ()


def test_words_of_many_entries_are_kept_once() -> None:
    book = book_of(
        *(entry(uid, "harbour|fog", "fog " * 20) for uid in range(50)), entry("a", "fog", second="sun")
    )
    reading = Reading([Book("b", book)], story("harbour"), ScanSettings(), None)
    for number in range(50):
        reading.feed(Part("entry", "fog fog", name=str(number)))
        assert bool(reading.taken(reading.shelves[0])) is (number == 0)


def test_texts_of_one_step_that_hold_too_many_keys_end_the_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"lantern{n} of the harbour" for n in range(20)]
    everything = " ".join(words)
    book = book_of(*(entry(n, word, everything, constant=True) for n, word in enumerate(words)))
    assert scan(book, "fog").findings == ()
    monkeypatch.setattr("formats.lorebook.simulator.reading.MOST_LOOKS", 100)
    activation = scan(book, "fog")
    assert (len(activation.steps), len(activation.accepted)) == (1, 20)
    assert [finding.code for finding in activation.findings] == ["scan-cut-short"]


@pytest.mark.req("NF-4")
def test_long_keys_and_long_constant_entries_take_no_square_of_time() -> None:
    def seconds(entries: int) -> float:
        chance = Random(entries)
        letters = "".join(chance.choices(ascii_lowercase, k=entries * 80))
        keys = [letters[begin : begin + 80] for begin in range(0, len(letters), 80)]
        book = book_of(
            *(entry(n, key, f"{key[:40]} fog. " * 30, constant=True) for n, key in enumerate(keys))
        )
        begin = process_time()
        assert len(scan(book, f"fog and {keys[-1]}").accepted) == entries
        return process_time() - begin

    seconds(100)
    assert min(seconds(2_000), seconds(2_000)) < 8 * min(seconds(500), seconds(500))
    assert seconds(1_000) < 2


def test_no_depth_goes_deeper_than_a_thousand_messages() -> None:
    scene = story("clock", "harbour", *["fog"] * 999)
    book = book_of(entry(1, "harbour", scan_depth=5_000), entry(2, "clock", scan_depth=5_000))
    assert came_in(scan(book, scene)) == [1]
    assert came_in(scan(book_of(entry(1, "harbour"), entry(2, "clock"), scan_depth=5_000), scene)) == [1]
