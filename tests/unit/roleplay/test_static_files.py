"""Static files are gathered when they must be, and only then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytest_django import Settings

from roleplay.static_files import gather


@pytest.fixture
def sources(tmp_path: Path, settings: Settings) -> Path:
    """A folder with one static file; they are gathered beside it."""
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "harbour.css").write_text("a{color:red}", encoding="utf-8")
    settings.STATICFILES_DIRS = [folder]
    settings.STATIC_ROOT = tmp_path / "data" / ".static"
    return folder


def rewrite(sources: Path, text: str, *, seconds: int) -> None:
    """A file that somebody changed so much later: the collecting looks at whole seconds."""
    file = sources / "harbour.css"
    then = file.stat().st_mtime + seconds
    file.write_text(text, encoding="utf-8")
    os.utime(file, (then, then))


def gathered(settings: Settings) -> str:
    return (Path(settings.STATIC_ROOT) / "harbour.css").read_text(encoding="utf-8")


def test_the_same_files_are_gathered_once(sources: Path, settings: Settings) -> None:
    assert gather()
    assert gathered(settings) == "a{color:red}"
    assert not gather()


def test_a_file_that_changed_is_gathered_again(sources: Path, settings: Settings) -> None:
    gather()
    rewrite(sources, "a{color:blue}", seconds=5)
    assert gather()
    assert gathered(settings) == "a{color:blue}"


@pytest.mark.parametrize("step", ["call_command", "sync_files", "sync_folders"])
def test_a_gathering_that_was_cut_off_is_done_again(
    sources: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Also one whose files were not on the disk yet: no stamp may speak of what a power cut takes away."""
    gather()
    rewrite(sources, "a{color:green}", seconds=5)
    with monkeypatch.context() as broken:
        broken.setattr(f"roleplay.static_files.{step}", _full)
        with pytest.raises(OSError, match="full"):
            gather()
    assert gather()
    assert gathered(settings) == "a{color:green}"
    assert not gather()


def test_what_was_taken_away_is_gathered_again(sources: Path, settings: Settings) -> None:
    gather()
    Path(settings.STATIC_ROOT).rename(Path(settings.STATIC_ROOT).with_name("away"))
    assert gather()
    assert gathered(settings) == "a{color:red}"


def _full(*_words: object, **_options: object) -> None:
    raise OSError("the disk is full")
