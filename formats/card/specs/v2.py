"""Character card V2: fields under `data`, none that only V3 has."""

from formats.card.spec import Spec
from formats.card.wrapped import has_data, read_wrapped

SPEC = Spec("chara_card_v2", "older", has_data, read_wrapped)
