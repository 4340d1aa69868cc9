"""The presets app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PresetsConfig(AppConfig):
    name = "presets"
    verbose_name = _("Presets")

    def ready(self) -> None:
        from presets import slots, wiring  # noqa: F401  (they fill the slots of the rooms below)
