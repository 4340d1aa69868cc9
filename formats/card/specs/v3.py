"""Character card V3: `spec: "chara_card_v3"`, or fields under `data` that only V3 has."""

from formats.card.spec import Spec
from formats.card.wrapped import has_data, is_v3, read_wrapped

SPEC = Spec("chara_card_v3", "current", lambda value: has_data(value) and is_v3(value), read_wrapped)
