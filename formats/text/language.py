"""Which language a text is in, as far as its script tells."""

from __future__ import annotations

LOOKED_AT = 600  # characters


def language_of_text(text: str) -> str:
    """`zh`, `ja`, `ko` or `ru` where the script says so, `en` for Latin letters, "" for anything else.

    For the `lang` attribute, and as a first guess that a person can correct.
    """
    counts = {"kana": 0, "han": 0, "hangul": 0, "cyrillic": 0, "latin": 0}
    for character in text[:LOOKED_AT]:
        script = script_of(character)
        if script:
            counts[script] += 1
    if counts["kana"] and counts["kana"] * 8 >= counts["han"]:
        return "ja"
    # A word of a script without spaces is one or two characters, of Latin about five.
    weighed = {
        "zh": counts["han"] * 3,
        "ko": counts["hangul"] * 2,
        "ru": counts["cyrillic"],
        "en": counts["latin"],
    }
    language = max(weighed, key=lambda name: weighed[name])
    return language if weighed[language] else ""


def script_of(character: str) -> str:
    """The script of a letter, among those looked for."""
    code = ord(character)
    if 0x3040 <= code <= 0x30FF:
        return "kana"
    if 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF:
        return "han"
    if 0xAC00 <= code <= 0xD7AF:
        return "hangul"
    if 0x0400 <= code <= 0x04FF:
        return "cyrillic"
    return "latin" if character.isascii() and character.isalpha() else ""
