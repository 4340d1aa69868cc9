"""The lorebooks app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LorebooksConfig(AppConfig):
    name = "lorebooks"
    verbose_name = _("Lorebooks")

    def ready(self) -> None:
        from lorebooks import slots, wiring  # noqa: F401  (they fill the slots of the rooms below)
