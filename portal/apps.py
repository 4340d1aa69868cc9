"""The portal app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PortalConfig(AppConfig):
    name = "portal"
    label = "portal"
    verbose_name = _("Portal")

    def ready(self) -> None:
        from portal import (
            log_events,  # noqa: F401  (connects the signals that are logged)
            wiring,  # noqa: F401  (fills our own slots, registers the check of the sockets)
        )
