"""The child process that makes one small picture: `thumbnail_child.py SIZE PIXELS < picture > small.webp`.

Decoding a picture from outside is the one thing here that can take memory or time without end, or break
the library that does it. It happens in this process, which has little of either and may die. It imports
nothing of the program; SIZE is of the small picture, PIXELS the most the large one may have.

Exit codes: 0 done; `REFUSED` when the bytes are no picture it can make smaller, however often it is asked.
"""

from __future__ import annotations

import io
import resource
import sys
import warnings

REFUSED = 3
MEMORY_BYTES = 768 * 1024 * 1024  # of address space: 40 million pixels twice, and the interpreter
CPU_SECONDS = 10
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
QUALITY = 80


def limit_this_process() -> None:
    """Take away what a hostile picture could use up; there is no way back."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def smaller(data: bytes, size: int, most_pixels: int) -> bytes:
    """A WebP of at most `size` by `size` pixels, upright, first frame, without metadata.

    Raises:
        Exception: whatever Pillow says about bytes that are no picture; ValueError for too many pixels.
    """
    from PIL import Image, ImageOps

    warnings.simplefilter("error", Image.DecompressionBombWarning)
    with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
        if picture.width * picture.height > most_pixels:
            raise ValueError("too many pixels")
        picture.draft("RGB", (2 * size, 2 * size))  # JPEG decodes smaller at once
        upright = ImageOps.exif_transpose(picture)
        flat = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    flat.thumbnail((size, size), Image.Resampling.LANCZOS, reducing_gap=3.0)
    small = io.BytesIO()
    flat.save(small, "WEBP", quality=QUALITY)
    return small.getvalue()


def main() -> int:
    limit_this_process()
    size, most_pixels, data = int(sys.argv[1]), int(sys.argv[2]), sys.stdin.buffer.read()
    try:
        small = smaller(data, size, most_pixels)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - decoders raise anything on broken bytes; all of it means the same
        return REFUSED
    sys.stdout.buffer.write(small)
    return 0


if __name__ == "__main__":
    sys.exit(main())
