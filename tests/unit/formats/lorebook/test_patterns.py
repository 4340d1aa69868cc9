"""Which keys are patterns, and what is told of one that nobody ran."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook.patterns import Pattern, PatternOutcome, pattern_of
from formats.lorebook.policy import match_key


@pytest.mark.parametrize(
    ("key", "pattern"),
    [
        ("/home/gim", Pattern("home", "gim")),
        ("/Test[,]/", Pattern("Test[,]")),
        ("/ /", Pattern(" ")),
        (r"/a\/b/i", Pattern("a/b", "i")),
        ("/a\nb/s", Pattern("a\nb", "s")),
        ("/gim/gim", Pattern("gim", "gim")),
        ("/home/user", None),
        ("AC/DC", None),
        ("/a/b/", None),
        ("/[/]/", None),
        ("//a/", None),
        ("/x/v", None),
        ("/x/d", None),
        ("/x/gg", None),
        ("//", None),
        ("//g", None),
        ("/", None),
        ("", None),
        (" /a/", None),
        ("/a/ ", None),
    ],
)
def test_only_the_strict_form_is_a_pattern(key: str, pattern: Pattern | None) -> None:
    assert pattern_of(key) == pattern


@given(st.text(alphabet="/\\agimsuyv \n", max_size=12))
def test_what_is_a_pattern_can_be_written_again(key: str) -> None:
    pattern = pattern_of(key)
    if pattern is not None:
        written = f"/{pattern.source.replace('/', chr(92) + '/')}/{pattern.flags}"
        assert pattern_of(written) == pattern
        assert len(set(pattern.flags)) == len(pattern.flags)


class Engine:
    """An engine that says what it was told to say, and keeps what it was asked."""

    def __init__(self, **answers: PatternOutcome) -> None:
        self.answers = answers
        self.asked: list[tuple[list[str], list[str]]] = []

    def __call__(self, patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
        self.asked.append(([pattern.source for pattern in patterns], list(texts)))
        return [self.answers[pattern.source] for pattern in patterns]


@pytest.mark.req("WB-6")
def test_without_an_engine_a_pattern_is_told_as_not_run() -> None:
    match = match_key("a harbour", "/harbour/")
    assert (match.matched, match.kind, match.error) == (False, "regex", "no-engine")
    assert match.to_json() == {"matched": False, "kind": "regex", "error": "no-engine"}


def test_an_engine_says_where_a_pattern_hits() -> None:
    engine = Engine(h=PatternOutcome("ran", ((2, 3),)), x=PatternOutcome("ran", (None,)))
    hit, miss = (match_key("a harbour", key, run_patterns=engine) for key in ("/h/", "/x/"))
    assert (hit.matched, hit.kind, hit.span, hit.error) == (True, "regex", (2, 3), "")
    assert (miss.matched, miss.kind, miss.error) == (False, "regex", "")
    assert engine.asked == [(["h"], ["a harbour"]), (["x"], ["a harbour"])]


def test_a_pattern_that_does_not_compile_is_plain_text() -> None:
    engine = Engine(**{"a++": PatternOutcome("not-compiling")})
    match = match_key("see /A++/ here", "/a++/", run_patterns=engine)
    assert (match.matched, match.kind, match.span) == (True, "literal", (4, 9))


def test_a_stopped_pattern_never_counts() -> None:
    engine = Engine(slow=PatternOutcome("not-run", reason="too-slow"))
    match = match_key("/slow/ slow", "/slow/", run_patterns=engine)
    assert (match.matched, match.error) == (False, "too-slow")


def test_plain_keys_need_no_engine() -> None:
    engine = Engine()
    assert match_key("a harbour", "harbour", run_patterns=engine).to_json() == {
        "matched": True,
        "kind": "literal",
    }
    assert engine.asked == []
