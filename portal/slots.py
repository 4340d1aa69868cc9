"""Slots: what a higher room adds to a lower room's page or start-up (D41). One mechanism, no other.

A room registers a callable under a name when its app is ready; the room that owns the place calls
whatever is there. The names in use and the arguments their callables get:

* `shell.nav(request)`: a link in the top bar beside Worlds, `shell.keys(request)` its row in the list of
  shortcuts, `portal.help(request)` its part of the help page;
* `shell.bar(request)`: HTML in the top bar (the jobs pill); `shell.banner(request)`: HTML above every page;
* `setup.samples(request, language)`: HTML of the last step of the first-run page, sample cards to start from;
* `worlds.reindexed(owner)`, `worlds.swept()`: rows of other rooms that describe the same folders follow;
* `world.indexed(world, loaded)`: rows of other rooms about what a world's files say, in the same transaction;
  `storage.used(owner)`: bytes that a person keeps in other rooms, for the space of the account;
* `usage.about(person, abouts)`: name and address of each item that calls to models were about, as far as this
  person may open it; what nobody names is not shown by name;
* `home.drop`, `home.continue`, `world.from_card`, `world.draft`, `world.lorebooks`, `world.preset`: HTML, see
  `worlds`;
* `server.lock(data)`, `server.started()`, `bell.<prefix>(person, rest)`: see `portal.jobs` and `serve`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_filled: dict[str, list[Callable[..., Any]]] = {}


def register(name: str, fill: Callable[..., Any]) -> None:
    """Put `fill` into a slot. The same callable twice counts once, so a reload changes nothing."""
    fills = _filled.setdefault(name, [])
    if fill not in fills:
        fills.append(fill)


def filled(name: str) -> tuple[Callable[..., Any], ...]:
    """What was registered under a name, in the order of registering; empty when nobody did."""
    return tuple(_filled.get(name, ()))
