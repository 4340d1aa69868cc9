"""V3 decorators, with the table of lorebook facts 1.4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook.decorators import Decorated, Decorator, parse_decorators

KNOWN = {"activate", "dont_activate", "depth", "role", "additional_keys", "exclude_keys"}
ACTIVATE = Decorator("activate")


def parsed(content: str) -> Decorated:
    return parse_decorators(content, lambda one: one.name in KNOWN)


@pytest.mark.parametrize(
    ("content", "decorators", "text"),
    [
        ("@@activate\nbody", (ACTIVATE,), "body"),
        ("@@depth 5\nbody", (Decorator("depth", ("5",)),), "body"),
        ("@@unknown 1\n@@@activate\nbody", (ACTIVATE,), "body"),
        ("@@@activate\nbody", (), "body"),
        ("@@activate_only_after 5\n@@@activate\nbody", (ACTIVATE,), "body"),
        ("@@activate", (ACTIVATE,), ""),
        ("text @@activate", (), "text @@activate"),
        ("@@activate\r\n@@depth 2\r\nbody\r\nmore", (ACTIVATE, Decorator("depth", ("2",))), "body\r\nmore"),
        ("@@activate\rbody", (ACTIVATE,), "body"),
        ("\n \n@@activate\n\n@@depth 3\n\n\nbody\n", (ACTIVATE, Decorator("depth", ("3",))), "body\n"),
        ("@@depth 1\n@@depth 2\n@@@activate\nbody", (Decorator("depth", ("1",)),), "body"),
        ("@@additional_keys a, 乙\n@@additional_keys c\nx",
         (Decorator("additional_keys", ("a", "乙")), Decorator("additional_keys", ("c",))), "x"),
        ("@@depth deep\n@@@depth 2\nbody", (Decorator("depth", ("2",)),), "body"),
        ("@@role narrator\n@@@role user\nbody", (Decorator("role", ("user",)),), "body"),
        ("@@additional_keys ,\nbody", (), "body"),
        ("@@ no name\nbody", (), "@@ no name\nbody"),
        ("@@\nbody", (), "@@\nbody"),
        ("  plain", (), "  plain"),
        ("", (), ""),
    ],
)  # fmt: skip
def test_the_table(content: str, decorators: tuple[Decorator, ...], text: str) -> None:
    found = parsed(content)
    assert (found.decorators, found.text) == (decorators, text)


def test_a_chain_of_fallbacks_is_tried_in_order_however_long() -> None:
    chain = "\n".join(
        ["@@a", *(f"@@@b{number}" for number in range(40)), "@@@depth 4", "@@@activate", "body"]
    )
    found = parsed(chain)
    assert found.decorators == (Decorator("depth", ("4",)),)
    assert found.ignored == ("a", *(f"b{number}" for number in range(40)))


@pytest.mark.parametrize("line", [
    "activate_only_every -2", "activate_only_every 0", "activate_only_after -1", "is_greeting -1",
    "depth --3", "depth -", "scan_depth -1", "instruct_scan_depth -1", "scan_depth 2, 3", "is_greeting first",
    "role narrator", "role", "additional_keys",
])  # fmt: skip
def test_a_value_that_says_nothing_leaves_it_to_the_fallback(line: str) -> None:
    found = parse_decorators(f"@@{line}\n@@@activate\nbody", lambda _: True)
    assert (found.decorators, found.ignored) == ((ACTIVATE,), (line.split()[0],))


@pytest.mark.parametrize("value", ["0", "-0", "-1", "-999999999", "+2"])
def test_a_depth_may_be_any_whole_number(value: str) -> None:
    """Below 1 it means after the last message."""
    found = parse_decorators(f"@@depth {value}\n@@@activate\nbody", lambda _: True)
    assert found == Decorated((Decorator("depth", (value,)),), "body")


def test_the_caller_says_which_values_it_honours() -> None:
    found = parse_decorators(
        "@@position aside\n@@@position before_desc\n@@@depth 1\nx", lambda one: one.values != ("aside",)
    )
    assert found == Decorated((Decorator("position", ("before_desc",)),), "x", ("position",))


def test_what_is_passed_over_is_named() -> None:
    assert parsed("@@mystery\n@@depth 1\n@@depth 2\n@@@activate\nx").ignored == ("mystery", "depth")
    assert parsed("@@@activate\nx").ignored == ("@activate",)


@given(st.text(alphabet="@ab \n\r\t,5", max_size=60))
def test_the_text_is_always_the_end_of_the_content(content: str) -> None:
    found = parse_decorators(content, lambda one: one.name in {"a", "b"})
    assert content.endswith(found.text)
    assert {decorator.name for decorator in found.decorators} <= {"a", "b"}
    if not (found.decorators or found.ignored):
        assert found.text == content


def test_a_wall_of_signs_takes_no_time() -> None:
    assert parsed(" \t" * 200_000 + "body").text.endswith("body")
    assert len(parsed("@@x\n" * 100_000 + "body").ignored) == 100_000
