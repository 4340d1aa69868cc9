"""The child process that runs regex keys: requests come on standard input, answers go to standard output.

Foreign patterns can take time or memory without end, and the engine has no limit of its own. So they run
here, where the kernel sets the limits: address space by `setrlimit`, and processor time of one match by a
timer whose signal nobody handles. A pattern that hits either ends the process; the parent knows from the
answers so far which one it was.

A frame is four bytes of length and JSON. First comes `"ready"`; then for each request
`[[[source, flags], ...], [text, ...]]` one answer per pattern, as soon as it is known: a list of spans
(null where a text has no match), or the reason why the engine did not take the pattern.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

from regress import Regex, RegressError

from lorebooks.regex.translate import NotAPattern, translated
from lorebooks.regex.units import EngineText

FLAGS = frozenset("gimsuy")
READY = "ready"
NOT_COMPILING = "not-compiling"
TOO_NESTED = "too-nested"
Span = tuple[int, int] | None


def main(match_seconds: float, memory_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    def start_timer() -> None:
        signal.setitimer(signal.ITIMER_PROF, match_seconds)

    send(READY)
    while (request := receive()) is not None:
        patterns, texts = request
        modes = {"u" in flags for _, flags in patterns}
        read = {unicode: [EngineText(text, unicode=unicode) for text in texts] for unicode in modes}
        for source, flags in patterns:
            send(answer(source, flags, read["u" in flags], start_timer))


def answer(
    source: str, flags: str, texts: list[EngineText], start_timer: Callable[[], None]
) -> list[Span] | str:
    """The first match in each text, each under its own timer; the first one pays for compiling."""
    if not FLAGS.issuperset(flags) or len(set(flags)) < len(flags):
        return NOT_COMPILING
    start_timer()
    try:
        pattern = translated(source, unicode="u" in flags)
        regex = Regex(pattern, flags.translate({ord("g"): None, ord("y"): None}))
        spans = []
        for text in texts:
            spans.append(first_match(regex, text, sticky="y" in flags))
            start_timer()
        return spans
    except NotAPattern:
        return NOT_COMPILING
    except RegressError as error:
        return TOO_NESTED if "too deeply nested" in str(error) else NOT_COMPILING
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def first_match(regex: Regex, text: EngineText, *, sticky: bool) -> Span:
    """What `test` of a fresh object finds: `g` changes nothing there, `y` asks for a match at the start."""
    match = regex.find(text.text)
    if match is None:
        return None
    found = match.range()
    return None if sticky and found.start > 0 else text.span(found.start, found.stop)


def receive() -> Any:
    head = sys.stdin.buffer.read(4)
    if len(head) < 4:
        return None
    return json.loads(sys.stdin.buffer.read(int.from_bytes(head)).decode("utf-8", "surrogatepass"))


def send(value: Any) -> None:
    body = json.dumps(value, separators=(",", ":")).encode()
    sys.stdout.buffer.write(len(body).to_bytes(4) + body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
