"""The worlds app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WorldsConfig(AppConfig):
    name = "worlds"
    verbose_name = _("Worlds")

    def ready(self) -> None:
        from worlds import wiring  # noqa: F401  (fills the slots of the rooms below)
