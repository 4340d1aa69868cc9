"""Words of any script, for comparing texts: whole words where a script parts them, else pairs of signs."""

from __future__ import annotations

import re
import unicodedata

# Chinese, Japanese, Thai, Lao, Khmer and Burmese write without spaces between words.
_UNSPACED = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U000323af"
)
# Vowel signs and accents belong to the word, though they are no letters.
_MARKS = r"\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0dff"
_RUN = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])+")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")


def terms(text: str) -> list[str]:
    """The terms of a text in order: case-folded words; of an unspaced script every two neighbouring signs.

    A single sign that stands alone is a term of its own.
    """
    folded = unicodedata.normalize("NFC", text).casefold()
    found: list[str] = []
    for run in _RUN.finditer(folded):
        word = run[0]
        if len(word) > 1 and _IS_UNSPACED.match(word):
            found += [word[index : index + 2] for index in range(len(word) - 1)]
        else:
            found.append(word)
    return found


def shared_share(first: str, second: str) -> float:
    """How much of the larger of two vocabularies both texts share: 0.0 to 1.0; 0.0 where one has no term."""
    one, other = set(terms(first)), set(terms(second))
    larger = max(len(one), len(other))
    return len(one & other) / larger if one and other else 0.0
