"""Translations compiled for Django: `python -m tests.support.compiling django.po django.mo` (`make setup`).

Chinese has one form where English has two, and fills what the plural fills: “One entry” beside “{n} entries”.
Babel's own program refuses that and names a line only; here a translation may fill the fields of any form of
its text, and what is wrong is said with the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.support.messages import FIELDS, fields_of, key_of, strings_of

POSITIONAL = re.compile(r"%[sd]")


def problems_of(catalog: Catalog) -> Iterator[str]:
    """A sentence for every translation that could not be shown; one that is empty is no problem here."""
    for message in catalog:
        if message.id:
            yield from (f"“{key_of(message)[1][0]}”: {problem}" for problem in _problems(message, catalog))


def _problems(message: Message, catalog: Catalog) -> Iterator[str]:
    forms, strings = key_of(message)[1], strings_of(message)
    wanted = catalog.num_plurals if message.pluralizable else 1
    if len(strings) != wanted:
        yield f"it has {len(strings)} translated forms, not {wanted}"
    known = set().union(*map(fields_of, forms))
    for string in filter(None, strings):
        if unknown := fields_of(string) - known:
            yield f"the translation fills {', '.join(sorted(unknown))}, the text does not"
        elif message.python_format and (reason := _refused(string, forms)):
            yield f"the translation cannot be filled: {reason}"


def _refused(string: str, forms: tuple[str, ...]) -> str:
    """What Python says to filling a translation as its text is filled, with numbers; "" where it can."""
    names = {name: 1 for form in forms for name, _braced in FIELDS.findall(form) if name}
    try:
        string % (names or (1,) * max(len(POSITIONAL.findall(form)) for form in forms))
    except (ValueError, TypeError, KeyError) as error:
        return str(error)
    return ""


def compiled(source: Path, target: Path) -> list[str]:
    """Write the compiled file; where a text has a problem, nothing is written and the problems are given."""
    with source.open("rb") as file:
        catalog = read_po(file, locale=source.parts[-3], domain=source.stem)
    problems = list(problems_of(catalog))
    if not problems:
        with target.open("wb") as output:
            write_mo(output, catalog)
    return problems


def main(source: str, target: str) -> int:
    problems = compiled(Path(source), Path(target))
    for problem in problems:
        print(f"{source}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
