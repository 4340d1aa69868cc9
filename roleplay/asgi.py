"""The whole program as one ASGI application: body limit, then pages, sockets and start-up."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roleplay.settings")
pages = get_asgi_application()  # loads the apps: everything below may import models

from django.conf import settings  # noqa: E402

from lorebooks.actions import MOST_BYTES as LOREBOOK_BYTES  # noqa: E402
from portal.body_limit import BodyLimit, upload_route  # noqa: E402
from portal.jobs.embedded import EmbeddedEngine  # noqa: E402
from portal.lifespan import Lifespan  # noqa: E402
from presets.actions import MOST_BYTES as PRESET_BYTES  # noqa: E402
from roleplay.sockets import sockets  # noqa: E402
from worlds.store.pictures import LARGEST as PICTURE_BYTES  # noqa: E402


def make_engine() -> EmbeddedEngine:
    """The engine of this process."""
    return EmbeddedEngine(limit=settings.JOB_CONCURRENCY)


CARD_BYTES = settings.IMPORTS.max_upload_bytes
# Every address that takes files, with the bytes of all files of one form together. The import page sends each
# card by itself; without scripts it says that the limit is for all of them.
UPLOADS = [
    upload_route(r"/import/", CARD_BYTES),
    upload_route(r"/roleplay-api/worlds/import", CARD_BYTES),
    upload_route(r"/lore/import/", LOREBOOK_BYTES),
    upload_route(r"/roleplay-api/lorebooks/import", LOREBOOK_BYTES),
    upload_route(r"/presets/import/", PRESET_BYTES),
    upload_route(r"/w/[^/]+/images/(upload|replace)/", 5 * PICTURE_BYTES),
]
application = BodyLimit(
    ProtocolTypeRouter({"http": pages, "websocket": sockets, "lifespan": Lifespan(make_engine)}),
    UPLOADS,
)
