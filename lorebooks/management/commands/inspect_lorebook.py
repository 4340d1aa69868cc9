"""`manage.py inspect_lorebook FILE [--text TEXT]`: what is in a lorebook, and what a text would wake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from formats.lorebook.model import Entry, WorldBook
from formats.lorebook.policy import Candidates, compute_candidates
from formats.lorebook.simulator import Activation, Book
from formats.text.tokens import COUNTER_NAME, count_tokens
from lorebooks import actions
from lorebooks.inspecting import inspect_file
from lorebooks.pipeline.import_report import ImportReport
from lorebooks.pipeline.trial import MOST_CHARACTERS, THIS_BOOK, Trial, run_trial
from lorebooks.regex.worker import pattern_worker
from worlds.library.inspecting import InspectCommand


class Command(InspectCommand):
    """Exit code 0: a lorebook. 1: something else, or it cannot be read. 2: no such file, or too large."""

    help = (
        "Show what is in a lorebook or in a card's book, without importing it. Nothing is kept of the file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a lorebook, or a card with one inside")
        parser.add_argument("--text", metavar="TEXT", help="say for every entry whether this text wakes it")
        parser.add_argument("--json", action="store_true", help="write what was found as JSON")

    def handle(self, **options: Any) -> None:
        path, text = Path(options["file"]), options["text"]
        if text is not None and len(text) > MOST_CHARACTERS:
            self.stderr.write(
                f"The text has {len(text)} characters; at most {MOST_CHARACTERS} are looked at."
            )
            raise SystemExit(2)
        report, book = self.looked_at(path, actions.MOST_BYTES, inspect_file)
        if book is None:
            self.refuse(options, report)
        told, lines = facts(report, book, path.stem)
        if text is not None:
            more, explained = explain(book, text)
            told, lines = {**told, **more}, [*lines, *explained]
        self.tell(options, told, lines)


def facts(report: ImportReport, book: WorldBook, stem: str) -> tuple[dict[str, Any], list[str]]:
    """The book in numbers."""
    tokens = sum(count_tokens(entry.content) for entry in book.entries if entry.enabled)
    told = {
        "verdict": "book",
        "name": report.name or stem,
        "format": report.format,
        "fromCard": report.from_card,
        "entries": report.entries,
        "off": report.off,
        "always": report.always,
        "empty": report.empty,
        "byMeaning": report.by_meaning,
        "positions": report.positions,
        "tokens": tokens,
        "tokenCounter": COUNTER_NAME,
        "settings": book.settings.to_json(),
        "findings": [{**finding.to_json(), "text": finding.text} for finding in report.findings],
    }
    return told, list(lines_of(told))


def lines_of(told: dict[str, Any]) -> Iterator[str]:
    """The same in lines for people at a shell."""
    inside = f", inside the card {told['fromCard']}" if told["fromCard"] else ""
    yield f"{told['name']} ({told['format']}{inside})"
    yield (
        f"{told['entries']} entries: {told['off']} off, {told['always']} always on, {told['empty']} empty, "
        f"{told['byMeaning']} by meaning; about {told['tokens']} tokens ({COUNTER_NAME})"
    )
    for position, number in told["positions"].items():
        yield f"  {position}: {number}"
    for finding in told["findings"]:
        yield f"{finding['severity']}: {finding['where']}: {finding['text']}"


def explain(book: WorldBook, text: str) -> tuple[dict[str, Any], list[str]]:
    """What the text wakes: the contract's candidates, and the simulator's verdict on every entry."""
    candidates = compute_candidates(book, text=text, run_patterns=pattern_worker())
    activation = run_trial(Trial(text=text), [Book(THIS_BOOK, book)], pattern_worker(), count_tokens)
    verdicts = list(_verdicts(activation))
    told = {"candidates": candidates.to_json(), "verdicts": verdicts}
    return told, list(_explained(candidates, activation, verdicts))


def _verdicts(activation: Activation) -> Iterator[dict[str, Any]]:
    for verdict in activation.verdicts:
        said = verdict.said
        yield {
            "key": verdict.entry.source.key,
            "title": title_of(verdict.entry),
            "outcome": verdict.outcome,
            "code": verdict.code,
            "reason": said.text,
            "step": verdict.step,
            "tokens": verdict.tokens,
            "hits": [
                {"key": hit.key, "secondary": hit.secondary, "where": hit.where, "offset": hit.offset}
                for hit in verdict.hits
            ],
        }


def _explained(
    candidates: Candidates, activation: Activation, verdicts: list[dict[str, Any]]
) -> Iterator[str]:
    yield f"{len(candidates.accepted)} candidates by keys; {len(activation.accepted)} in after the scan:"
    order = {"in": 0, "cut": 1, "not-run": 2, "out": 3}
    for verdict in sorted(verdicts, key=lambda told: order[told["outcome"]]):
        yield f"  {verdict['outcome']}: {verdict['key']} {verdict['title']!r}: {verdict['reason']}"


def title_of(entry: Entry) -> str:
    """What an entry is called at a shell."""
    return (entry.comment or ", ".join(entry.keys))[:70]
