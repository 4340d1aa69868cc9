"""The importer app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImporterConfig(AppConfig):
    name = "importer"
    verbose_name = _("Import")

    def ready(self) -> None:
        from importer import slots, wiring  # noqa: F401  (fill the slots of the rooms below)
