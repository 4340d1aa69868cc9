"""Thumbnails: small, made elsewhere, and a hostile picture costs no more than its child process."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
from pathlib import Path
from typing import BinaryIO

import pytest
from PIL import Image

from tests.support.pictures import animation, huge_png, picture
from worlds.store import thumbnails
from worlds.store.thumbnails import NotNow, ThumbnailCache

SHA = "ab" + "0" * 62


def file_of(data: bytes) -> BinaryIO:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever gets it closes it
    file.write(data)
    return file


def thumbnail(data: bytes, size: int = 256) -> bytes | None:
    with file_of(data) as file:
        return thumbnails.thumbnail(file, size)


def opened(data: bytes | None) -> Image.Image:
    assert data is not None
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_small_webp_of_each_kind(kind: str) -> None:
    small = opened(thumbnail(picture(1, kind, (800, 400))))
    assert (small.format, small.size) == ("WEBP", (256, 128))


def test_sizes_and_small_pictures() -> None:
    assert opened(thumbnail(picture(1, size=(300, 900)), 96)).size == (32, 96)
    assert opened(thumbnail(picture(1), 256)).size == (40, 30), "nothing is made larger"
    with pytest.raises(ValueError, match="size"):
        thumbnail(picture(1), 255)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK"])
def test_every_colour_mode(mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (300, 300)).save(out, "JPEG" if mode == "CMYK" else "PNG")
    small = opened(thumbnail(out.getvalue()))
    assert small.size == (256, 256)
    assert small.mode == ("RGBA" if mode in ("LA", "RGBA") else "RGB")


def test_turned_photograph_stands_upright_and_loses_its_metadata() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010E] = "taken at home"
    small = thumbnail(picture(1, "JPEG", (400, 200), exif=exif))
    assert opened(small).size == (128, 256)
    assert b"taken at home" not in (small or b"")


def test_moving_picture_gives_its_first_frame() -> None:
    small = opened(thumbnail(animation()))
    assert getattr(small, "n_frames", 1) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk" * 500,
        picture(1)[:200],
        picture(1, "JPEG", (300, 300))[:1500],
        b"BM" + picture(1),
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        huge_png(6325, 6325),
        huge_png(60_000, 60_000)[:5000],
    ],
    ids=["nothing", "junk", "cut png", "cut jpeg", "bmp", "postscript", "over 40 Mpx", "bomb"],
)
def test_no_thumbnail_of_what_cannot_be_decoded(data: bytes) -> None:
    assert thumbnail(data) is None


def test_largest_picture_fits_the_memory() -> None:
    assert opened(thumbnail(huge_png(8000, 5000))).size == (256, 160)


def test_picture_over_the_size_limit_starts_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnails, "LARGEST", 100)
    monkeypatch.setattr(subprocess, "run", None)
    assert thumbnail(picture(1)) is None


def test_child_that_runs_out_of_memory_is_only_a_failed_try(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = Path(thumbnails._CHILD).read_text().replace("768 * 1024", "40 * 1024")
    child = tmp_path / "child.py"
    child.write_text(script)
    monkeypatch.setattr(thumbnails, "_CHILD", child)
    with pytest.raises(NotNow):
        thumbnail(huge_png(8000, 5000))


def test_child_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    child = tmp_path / "child.py"
    child.write_text("import threading\nthreading.Event().wait()\n")
    monkeypatch.setattr(thumbnails, "_CHILD", child)
    monkeypatch.setattr(thumbnails, "SECONDS", 0.3)
    with pytest.raises(NotNow):
        thumbnail(picture(1))


def test_child_sees_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "of the server")
    child = tmp_path / "child.py"
    child.write_text("import os, sys\nsys.stdout.write(repr(dict(os.environ)))\n")
    monkeypatch.setattr(thumbnails, "_CHILD", child)
    assert b"of the server" not in (thumbnail(picture(1)) or b"")


class TestCache:
    def test_made_once(self, tmp_path: Path) -> None:
        cache, read = ThumbnailCache(tmp_path), iter([file_of(picture(1, size=(300, 300)))])
        small = cache.get(SHA, 256, lambda: next(read))
        assert opened(small).size == (256, 256)
        assert cache.get(SHA, 256, lambda: next(read)) == small
        assert ThumbnailCache(tmp_path).get(SHA, 256, lambda: next(read)) == small

    def test_what_is_no_picture_is_tried_once(self, tmp_path: Path) -> None:
        read = iter([file_of(b"junk")])
        assert ThumbnailCache(tmp_path).get(SHA, 96, lambda: next(read)) is None
        assert ThumbnailCache(tmp_path).get(SHA, 96, lambda: next(read)) is None

    def test_failed_try_is_tried_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        cache = ThumbnailCache(tmp_path)
        with monkeypatch.context() as short:
            short.setattr(thumbnails, "SECONDS", 0.0)
            assert cache.get(SHA, 96, lambda: file_of(picture(1))) is None
        assert cache.get(SHA, 96, lambda: file_of(picture(1))) is not None

    @pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "/"])
    def test_only_hashes_are_names(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(ValueError, match="thumbnail"):
            ThumbnailCache(tmp_path).get(name, 96, lambda: file_of(picture(1)))

    def test_old_ones_are_swept(self, tmp_path: Path) -> None:
        cache = ThumbnailCache(tmp_path)
        cache.get(SHA, 96, lambda: file_of(picture(1)))
        cache.get("cd" + "0" * 62, 96, lambda: file_of(picture(2)))
        [old] = tmp_path.glob("cache/thumbnails/ab/*")
        os.utime(old, (1000, 1000))
        assert cache.sweep(now=old.parent.stat().st_mtime) == 1
        assert [path.parent.name for path in tmp_path.glob("cache/thumbnails/*/*")] == ["cd"]
        assert ThumbnailCache(tmp_path / "empty").sweep(now=0) == 0
