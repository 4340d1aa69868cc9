"""Regex keys mean what they mean in JavaScript; the answers of the tables were written down from V8."""

from __future__ import annotations

import pytest

from formats.lorebook.patterns import Pattern, PatternOutcome
from lorebooks.regex.worker import PatternWorker

# pattern, flags, text, span in code points (None: no match)
MEANINGS = [
    (r"\d", "", "１", None),
    (r"\w", "", "港", None),
    (r"\b港\b", "", "港", None),
    (r"(?:^|\W)港口(?:$|\W)", "", "我们抵达了港口。", (4, 8)),
    ("a$", "", "a\n", None),
    (r"a\Z", "", "aZ", (0, 2)),
    (r"\s", "", "\u00a0", (0, 1)),
    (r"\s", "", "\ufeff", (0, 1)),
    (r"\s", "", "\u001c", None),
    (".", "", "\u2028", None),
    (".", "", "\r", None),
    (".", "s", "\n", (0, 1)),
    ("k", "i", "\u212a", None),
    ("[k]", "i", "\u212a", None),
    ("[a-z]", "i", "\u212a", None),
    ("k", "iu", "\u212a", (0, 1)),
    ("s", "i", "ſ", None),
    ("[s]", "i", "ſ", None),
    ("ſ", "i", "xſ", (1, 2)),
    (r"[^\W]", "i", "s", (0, 1)),
    (r"[\W]", "i", "s", None),
    ("i", "i", "ı", None),
    (r"\xdf", "i", "ß", (0, 1)),
    ("ß", "i", "ẞ", None),
    ("[ā-ɏ]", "", "ſ", (0, 1)),
    ("ω", "i", "\u2126", None),
    ("ω", "iu", "\u2126", (0, 1)),
    ("кент", "i", "я и КЕНТ", (4, 8)),
    ("σ", "i", "ς", (0, 1)),
    ("^.$", "", "😀", None),
    ("^..$", "", "😀", (0, 1)),
    ("^.$", "u", "😀", (0, 1)),
    ("😀{2}", "", "😀😀", None),
    ("😀{2}", "u", "😀😀", (0, 2)),
    ("[😀]", "", "a😎", (1, 2)),  # the first half of both is the same unit
    ("[😀]", "u", "a😎", None),
    (r"\ud83d\ude00", "", "a😀", (1, 2)),
    (r"\ude00", "", "a😀b", (1, 2)),  # half a character is reported as the whole of it
    (r"(?=\ude00)", "", "a😀b", (1, 1)),
    (r"[\u4e00-\uffff]", "", "😀", (0, 1)),
    (r"\ud83d", "u", "a\ud83d", (1, 2)),
    ("b", "", "😀a😎b", (3, 4)),
    ("[]", "", "a", None),
    ("[^]", "", "\n", (0, 1)),
    (r"(?<n>a)b\k<n>", "", "xaba", (1, 4)),
    (r"(?<=龙.*)王", "", "龙与国王", (3, 4)),
    (r"\cA", "", "\x01", (0, 1)),
    (r"\1", "", "\x01", (0, 1)),
    (r"\u{1F600}", "u", "😀", (0, 1)),
    (r"\u{3}", "", "uuu", (0, 3)),
    (r"\e", "", "e", (0, 1)),
    (r"\p{L}", "", "p{L}", (0, 4)),
    (r"\p{L}", "u", "1é", (1, 2)),
    (r"\p{Script=Han}+", "u", "to 港口", (3, 5)),
    (r"(?:(a)|b)\1c", "", "bc", (0, 2)),
    ("x{,3}", "", "x{,3}", (0, 5)),
    ("^a", "m", "b\na", (2, 3)),
    ("a\0b", "", "xa\0b", (1, 4)),
    (" ", "", "a b", (1, 2)),
    ("/home/user", "", "in /home/user", (3, 13)),
    ("b", "g", "ab", (1, 2)),
    ("b", "y", "ab", None),  # a fresh object looks at the start and nowhere else
    ("a", "gy", "ab", (0, 1)),
    ("^b", "my", "a\nb", None),
]
REFUSED = [
    ("a++", ""),
    ("(?i)a", ""),
    ("*a", ""),
    ("(", ""),
    (")", ""),
    ("[b-a]", ""),
    ("[😀-😎]", ""),
    (r"\b*a", ""),
    (r"\b*a", "u"),
    (r"(?<n>a)\k", ""),
    (r"[\k](?<n>a)", ""),
    ("(a{1000}){1000}{1000}", ""),
    (r"\e", "u"),
    ("a{", "u"),
    ("a", "ii"),
    ("a", "x"),
    ("a", "v"),
    ("a", "d"),
]
# Where the engine and V8 part; each is told here so that a change of either is noticed.
DEVIATIONS = [
    ("(?<n>a)|(?<n>b)", "", "b", (0, 1)),  # JavaScript of 2025 takes the name twice, SillyTavern's may not
    (r"[^\u4e00-\uffff]", "u", "\ud83d", (0, 1)),  # a surrogate alone is in no range under u
]


def outcome(worker: PatternWorker, source: str, flags: str, text: str) -> PatternOutcome:
    return worker([Pattern(source, flags)], [text])[0]


@pytest.mark.req("WB-6")
@pytest.mark.parametrize(("source", "flags", "text", "span"), MEANINGS, ids=ascii)
def test_a_pattern_means_what_javascript_means(
    worker: PatternWorker, source: str, flags: str, text: str, span: tuple[int, int] | None
) -> None:
    assert outcome(worker, source, flags, text) == PatternOutcome("ran", (span,))


@pytest.mark.parametrize(("source", "flags"), REFUSED, ids=ascii)
def test_what_javascript_refuses_does_not_compile(worker: PatternWorker, source: str, flags: str) -> None:
    assert outcome(worker, source, flags, source) == PatternOutcome("not-compiling")


@pytest.mark.parametrize(("source", "flags", "text", "span"), DEVIATIONS, ids=ascii)
def test_known_deviations(
    worker: PatternWorker, source: str, flags: str, text: str, span: tuple[int, int] | None
) -> None:
    assert outcome(worker, source, flags, text) == PatternOutcome("ran", (span,))


def test_the_tables_ask_each_pattern_beside_all_others(worker: PatternWorker) -> None:
    """One request with every pattern and every text gives the same as each alone."""
    texts = [text for *_, text, _ in MEANINGS]
    outcomes = worker([Pattern(source, flags) for source, flags, *_ in MEANINGS], texts)
    assert [found.spans[row] for row, found in enumerate(outcomes)] == [span for *_, span in MEANINGS]
