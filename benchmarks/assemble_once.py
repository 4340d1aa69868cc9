"""A process of its own that assembles one preset, once: `python -m benchmarks.assemble_once` prints JSON."""

from __future__ import annotations

import json
from functools import partial

from benchmarks.assembling import RICH, context_of, package_of, preset
from benchmarks.measure import once
from formats.preset import assemble


def main() -> None:
    print(json.dumps(once(partial(assemble, package_of(preset(RICH)), context_of()))))


if __name__ == "__main__":
    main()
