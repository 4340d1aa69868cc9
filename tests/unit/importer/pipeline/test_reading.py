"""Reading in a child process: a verdict whatever the file does to it (D42)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from importer.pipeline.read_upload import CPU_LIMIT, MEMORY_LIMIT
from importer.pipeline.reading import TOP, inspect, read_in_child
from importer.pipeline.receiving import receive
from importer.pipeline.record import CardFiles
from tests.support.cards import english_card, json_bytes, packed, png, png_card, sillytavern_book, text_chunk
from tests.support.imports import UPLOAD
from worlds.store.paths import DataFolder
from worlds.store.staging import Staging


def arrived(root: Path, data: bytes, filename: str = "card.png") -> Path:
    """A file that nobody has read yet; gives its folder."""
    staging = Staging(DataFolder(root))
    staging.begin(UPLOAD)
    receive(staging, UPLOAD, [data], filename, limit=10**9)
    return staging.folder(UPLOAD)


@pytest.mark.req("CARD-1", "CARD-4", "CARD-5")
def test_a_card_is_read_and_what_is_in_it_lies_beside_it(tmp_path: Path) -> None:
    folder = arrived(tmp_path, png_card(english_card()))
    reading = read_in_child(folder)
    files = CardFiles(folder)
    assert (reading.verdict, reading.container) == ("card", "png:tEXt:ccv3")
    assert reading.urls == ["https://pictures.example/cover.png"]
    assert files.card().name == "Mira Oakes"
    assert files.reading() == reading
    picture = files.picture()
    assert picture is not None
    assert picture == folder / "picture.png"
    assert packed(english_card()) not in picture.read_bytes()
    preview = json.loads(files.bytes_of("preview.json"))
    assert preview["group_greetings"] == 0, "files are written in snake_case (D40)"


@pytest.mark.parametrize(
    ("data", "verdict", "kind"),
    [
        (json_bytes(sillytavern_book()), "other", "lorebook"),
        (b"", "unreadable", ""),
        (png(text_chunk("chara", b"!!")), "unreadable", ""),
        (json_bytes([english_card(), english_card()]), "several", ""),
    ],
    ids=["lorebook", "empty", "broken", "several"],
)
def test_another_file_has_its_verdict_and_a_sentence(
    tmp_path: Path, data: bytes, verdict: str, kind: str
) -> None:
    reading = read_in_child(arrived(tmp_path, data))
    assert (reading.verdict, reading.kind) == (verdict, kind)
    assert reading.error is not None
    assert reading.error.message
    assert (reading.count > 1) == (verdict == "several")


def test_a_reading_that_takes_too_long_is_ended_and_the_file_kept(tmp_path: Path) -> None:
    folder = arrived(tmp_path, png_card(english_card()))
    reading = read_in_child(folder, time_limit=0.001)
    assert reading.error is not None
    assert (reading.verdict, reading.error.code) == ("unreadable", "read.too-slow")
    assert CardFiles(folder).reading() == reading
    assert (folder / "original").read_bytes() == png_card(english_card())


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("raise MemoryError", "read.too-large"),
        ("import os; os.kill(os.getpid(), 9)", "read.broke"),
        ("raise OSError('x')", "read.broke"),
        ("", "read.broke"),
    ],
    ids=["memory", "killed", "error", "silent"],
)
def test_a_child_that_breaks_is_a_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, code: str
) -> None:
    run = subprocess.run

    def other_child(_command: list[str], **options: object) -> object:
        return run([sys.executable, "-c", program], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", other_child)
    reading = read_in_child(arrived(tmp_path, b"x"))
    assert reading.error is not None
    assert (reading.verdict, reading.error.code) == ("unreadable", code)


def test_the_child_may_use_no_more_than_its_limits() -> None:
    ask = (
        "import resource; from importer.pipeline.read_upload import limit_this_process as limit; limit();"
        "print(resource.getrlimit(resource.RLIMIT_AS)[1], resource.getrlimit(resource.RLIMIT_CPU)[0]);"
        f"bytearray({MEMORY_LIMIT + 1})"
    )
    child = subprocess.run([sys.executable, "-c", ask], cwd=TOP, capture_output=True, check=False)
    assert child.stdout.split() == [str(MEMORY_LIMIT).encode(), str(CPU_LIMIT).encode()]
    assert b"MemoryError" in child.stderr


def test_the_child_is_given_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "sk-canary")
    given: dict[str, str] = {}
    run = subprocess.run

    def child(command: list[str], **options: object) -> object:
        given.update(options["env"])  # type: ignore[call-overload]
        return run(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", child)
    assert read_in_child(arrived(tmp_path, png_card(english_card()))).verdict == "card"
    assert set(given) <= {"PATH", "LANG", "LC_ALL", "PYDANTIC_DISABLE_PLUGINS"}
    assert "SECRET_KEY" in os.environ


def test_the_child_loads_nothing_it_does_not_need() -> None:
    """Its start is half of what a small card costs."""
    ask = "import sys, importer.pipeline.read_upload; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", ask], cwd=TOP, capture_output=True, check=True)
    heavy = {"django", "asyncio", "worlds.rules", "worlds.store.locks", "PIL"}
    assert heavy & set(loaded.stdout.decode().split()) == set()


def test_inspecting_keeps_nothing(tmp_path: Path) -> None:
    staging = Staging(DataFolder(tmp_path))
    reading, preview = inspect(staging, [png_card(english_card())], "a.png", limit=10**6)
    assert reading.verdict == "card"
    assert preview is not None
    assert preview.name == "Mira Oakes"
    assert inspect(staging, [b"x"], "x", limit=10)[1] is None
    assert staging.ids() == []
