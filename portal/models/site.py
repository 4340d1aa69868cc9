"""What the host decides for the whole server."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class SiteSettings(models.Model):
    """One row. An empty field means: as the environment says (D27)."""

    class Registration(models.TextChoices):
        OPEN = "open", pgettext_lazy("registration", "Anyone who finds this server")
        INVITE = "invite", pgettext_lazy("registration", "People with an invitation")
        CLOSED = "closed", pgettext_lazy("registration", "Nobody")

    name = models.CharField(_("Name of this server"), max_length=60, default="Tavern Worlds")
    language = models.CharField(
        _("Language"), max_length=16, blank=True, default="", choices=settings.LANGUAGES
    )
    registration = models.CharField(
        _("Who may make an account"), max_length=8, blank=True, default="", choices=Registration
    )

    members_add_endpoints = models.BooleanField(
        _("Members may add model endpoints of their own"), default=True
    )
    model_addresses = models.TextField(
        _("Local addresses that models may be at"), blank=True, default="", max_length=4000
    )

    class Meta:
        verbose_name = verbose_name_plural = _("site settings")

    def __str__(self) -> str:
        return self.name

    @classmethod
    def current(cls) -> SiteSettings:
        """The settings in force; the defaults while none were saved."""
        return cls.objects.filter(pk=1).first() or cls(pk=1)

    @property
    def registration_mode(self) -> str:
        """`open`, `invite` or `closed`: this row, else REGISTRATION of the environment."""
        return self.registration or settings.REGISTRATION
