"""People, what is shared between them, and how new ones are invited."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from anyascii import anyascii
from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# A folder name on every file system: lower-case ASCII, no dot, bounded.
HANDLE = re.compile(r"^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$")
DEVICES = ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)))
NAME = RegexValidator(r"^[\w.-]+\Z", _("Use letters of any script, digits, dots, _ and - only."))


def handle_for(name: str, taken: Any) -> str:
    """A folder name for a new person: their name in ASCII, `-2` and so on where it is taken.

    `taken(handle) -> bool` says whether somebody has it.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", anyascii(name).lower()).strip("-")[:24].strip("-") or "person"
    if plain in DEVICES:  # names Windows keeps for itself
        plain = f"{plain}-person"
    handle, number = plain, 2
    while taken(handle):
        handle, number = f"{plain}-{number}", number + 1
    return handle


class PersonManager(UserManager["Person"]):
    """Gives every person made through it a handle."""

    def handle_taken(self, handle: str) -> bool:
        return self.filter(handle=handle).exists()


class Person(AbstractUser):
    """Somebody with an account. `handle` names their data folder and never changes (D4)."""

    class Theme(models.TextChoices):
        SYSTEM = "system", pgettext_lazy("theme", "As the system")
        LIGHT = "light", pgettext_lazy("theme", "Light")
        DARK = "dark", pgettext_lazy("theme", "Dark")

    class TextSize(models.IntegerChoices):
        SMALL = 90, pgettext_lazy("text size", "Small (90 %)")
        NORMAL = 100, pgettext_lazy("text size", "Normal (100 %)")
        LARGE = 110, pgettext_lazy("text size", "Large (110 %)")
        LARGER = 120, pgettext_lazy("text size", "Larger (120 %)")
        LARGEST = 130, pgettext_lazy("text size", "Largest (130 %)")

    class ReadingFont(models.TextChoices):
        SERIF = "serif", pgettext_lazy("reading font", "With serifs")
        SANS = "sans", pgettext_lazy("reading font", "Without serifs")

    # No @: a name must never look like somebody's address on the sign-in page.
    username = models.CharField(
        pgettext_lazy("person", "name"),
        max_length=60,
        unique=True,
        validators=[NAME],
        error_messages={"unique": _("Somebody here has this name already. Choose another.")},
    )
    handle = models.CharField(max_length=40, unique=True, editable=False, validators=[RegexValidator(HANDLE)])
    language = models.CharField(max_length=16, blank=True, default="", choices=settings.LANGUAGES)
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)
    text_size = models.PositiveSmallIntegerField(choices=TextSize, default=TextSize.NORMAL)
    reading_font = models.CharField(max_length=8, choices=ReadingFont, default=ReadingFont.SERIF)
    reduce_motion = models.BooleanField(default=False)
    shortcuts = models.BooleanField(default=True)
    quota = models.PositiveBigIntegerField(null=True, blank=True, help_text=_("Bytes; empty: as the server."))

    first_name = None  # type: ignore[assignment]  # one name, as the person writes it
    last_name = None  # type: ignore[assignment]
    objects: ClassVar[PersonManager] = PersonManager()

    class Meta:
        ordering = ("username",)
        verbose_name = pgettext_lazy("accounts", "person")
        verbose_name_plural = pgettext_lazy("accounts", "people")

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the handle of the first save for ever."""
        if not self.handle:
            self.handle = handle_for(self.username, Person.objects.handle_taken)
        elif self.pk and Person.objects.filter(pk=self.pk).exclude(handle=self.handle).exists():
            raise ValueError("a handle never changes: it names the person's folder")
        super().save(*args, **kwargs)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @property
    def is_host(self) -> bool:
        """May look after people, limits and the server."""
        return self.is_active and self.is_superuser

    @property
    def quota_bytes(self) -> int:
        """Bytes this person may keep."""
        return settings.STORAGE_QUOTA_BYTES if self.quota is None else self.quota


class Share(models.Model):
    """One item of one person, opened to another person. The owner is known by the item itself."""

    class Level(models.TextChoices):
        READ = "read", pgettext_lazy("share level", "May read")
        EDIT = "edit", pgettext_lazy("share level", "May edit")

    kind = models.CharField(max_length=16)  # "world"; later "lorebook", "preset"
    item_id = models.CharField(max_length=160)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="shares")
    level = models.CharField(max_length=4, choices=Level, default=Level.READ)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "item_id", "person"], name="one_share_each")]
        indexes = [models.Index(fields=["person", "kind"])]

    def __str__(self) -> str:
        return f"{self.kind}/{self.item_id} → {self.person_id} ({self.level})"


class Invitation(models.Model):
    """A link that lets one person make an account. Only a hash of its token is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=120, blank=True, default="")
    invited_by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="invitations")
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    used_by = models.OneToOneField(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="invited_with"
    )
    used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.note or f"{self.pk}"

    @property
    def state(self) -> str:
        """`open`, `used`, `revoked` or `expired`."""
        if self.used:
            return "used"
        if self.revoked:
            return "revoked"
        return "expired" if self.expires <= timezone.now() else "open"
