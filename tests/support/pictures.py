"""Invented pictures: noise that differs by its number, larger than the 1 KB under which nothing is kept."""

from __future__ import annotations

import io
import random
import struct
import zlib

from PIL import Image, PngImagePlugin


def picture(number: int = 0, kind: str = "PNG", size: tuple[int, int] = (40, 30), **saved: object) -> bytes:
    """A picture of noise, always the same for one number."""
    noise = random.Random(number).randbytes(size[0] * size[1] * 3)
    out = io.BytesIO()
    Image.frombytes("RGB", size, noise).save(out, kind, **saved)
    return out.getvalue()


def with_text(number: int, text: str) -> bytes:
    """The same pixels as `picture(number)` in a file that also holds a text."""
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", text)
    return picture(number, pnginfo=info)


def animation(frames: int = 3) -> bytes:
    """A moving GIF."""
    pictures = [Image.open(io.BytesIO(picture(number))) for number in range(frames)]
    out = io.BytesIO()
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=100)
    return out.getvalue()


def huge_png(width: int, height: int) -> bytes:
    """A small file that says it is a huge picture and, when decoded, is one: black, one bit a pixel."""
    rows = zlib.compressobj(9)
    row = b"\0" * (1 + (width + 7) // 8)
    data = b"".join(rows.compress(row) for _ in range(height)) + rows.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    )
