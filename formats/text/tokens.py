"""How many tokens a text is, as an estimate that needs no tokenizer.

No model's tokenizer is known here, and the tokenizers differ by more than this estimate is off. A sign of
Chinese, Japanese or Korean costs about three quarters of a token, any other character about a quarter; the
counter's name stands beside every number, so that nobody takes it for a count.
"""

from __future__ import annotations

import re
from math import ceil
from typing import Final

COUNTER_NAME: Final = "estimate-cjk"
_CJK_TOKENS = 75
_OTHER_TOKENS = 27  # hundredths of a token, so that no rounding of floats shows
# Signs, syllables and their punctuation: CJK, kana, Hangul, full-width forms, and the rarer planes.
_CJK_RUN = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U000323af]+"
)


def count_tokens(text: str) -> int:
    """The estimate, rounded up; 0 for an empty text only. Cost grows with the text alone."""
    wide = sum(map(len, _CJK_RUN.findall(text))) if not text.isascii() else 0
    return ceil((wide * _CJK_TOKENS + (len(text) - wide) * _OTHER_TOKENS) / 100)
