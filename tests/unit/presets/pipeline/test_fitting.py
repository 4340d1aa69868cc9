"""A trial within a context: the oldest turns stay out, the rest is untouched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from formats.preset import read_preset
from formats.preset.model import PresetPackage
from presets.pipeline.fitting import fitted, history_of
from presets.pipeline.trial import TrialInputs, Turn, assembled, message_tokens
from tests.support.presets import harbour_preset

PACKAGE: PresetPackage = read_preset({**harbour_preset(), "openai_max_tokens": 100})[0]


def story(turns: int, words: int = 20) -> TrialInputs:
    speakers = ("user", "assistant")
    blocks = [f"## {speakers[n % 2]}\n{n} " + "fog " * words for n in range(turns)]
    return TrialInputs(story="\n".join(blocks), current_turn="I light the lamp.")


def test_what_fits_is_left_alone() -> None:
    found = fitted(PACKAGE, story(4), 8000)
    assert found.left_out == ()
    assert found.assembly.messages == assembled(PACKAGE, story(4)).messages
    assert found.needed == found.total == sum(message_tokens(found.assembly))
    assert found.room == 7900


def test_the_oldest_turns_stay_out() -> None:
    found = fitted(PACKAGE, story(40), 500)
    assert found.room == 400
    assert found.total <= 400 < found.needed
    gone = [turn.content.split()[0] for turn in found.left_out]
    assert gone == [str(n) for n in range(len(gone))]
    texts = " ".join(str(message["content"]) for message in found.assembly.messages)
    assert "39 fog" in texts
    assert f"{len(found.left_out) - 1} fog" not in texts
    assert "I light the lamp." in texts
    # One turn more would not fit.
    more = story(40).model_copy(
        update={"history": history_of(story(40))[len(found.left_out) - 1 :], "story": ""}
    )
    assert sum(message_tokens(assembled(PACKAGE, more))) > 400


def test_prompts_that_are_too_long_alone_are_sent_all_the_same() -> None:
    found = fitted(PACKAGE, story(4), 110)
    assert found.is_over
    assert len(found.left_out) == 4
    assert "Write calmly" in str(found.assembly.messages)


def test_a_call_is_not_parted_from_its_answer() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "roll", "arguments": "{}"}}
    turns = (
        Turn(role="user", content="fog " * 400),
        Turn(role="assistant", tool_calls=(call,)),
        Turn(role="tool", content="fog " * 400, tool_call_id="c1"),
        Turn(role="user", content="And now?"),
    )
    inputs = TrialInputs(history=turns)
    whole = fitted(PACKAGE, inputs)
    assert {"role": "tool", "content": "fog " * 400, "tool_call_id": "c1"} in whole.assembly.messages
    for context in range(150, 800, 50):
        roles = [message["role"] for message in fitted(PACKAGE, inputs, context).assembly.messages]
        assert "tool" not in roles or any(
            "tool_calls" in message for message in fitted(PACKAGE, inputs, context).assembly.messages
        )


@given(turns=st.integers(0, 30), context=st.integers(1, 3000))
def test_it_ends_and_keeps_the_newest(turns: int, context: int) -> None:
    found = fitted(PACKAGE, story(turns), context)
    kept = history_of(story(turns))[len(found.left_out) :]
    assert not found.left_out or found.needed > (found.room or 0)
    assert all(turn.content in str(found.assembly.messages) for turn in kept)
    assert not found.is_over or not kept
