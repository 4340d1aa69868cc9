"""What reading a file found out beside the package: the report tells it, nothing at run time needs it."""

from __future__ import annotations

from dataclasses import dataclass

from formats.finding import Finding
from formats.preset.kinds import Shape


@dataclass(frozen=True, slots=True)
class Reading:
    """`dangling`: identifiers of the order that no prompt has. `secrets`: paths of what was taken out."""

    shape: Shape
    has_order: bool = True
    other_orders: tuple[int | str | None, ...] = ()
    dangling: tuple[str, ...] = ()
    missing_core: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
