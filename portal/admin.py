"""Plain admin pages for rare cases; the daily ones are under `/manage/`.

People are neither made nor removed here: they come by invitation, and an account that must go is disabled
under `/manage/people/`, which also ends its sessions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from portal.models import Invitation, ModelCall, ModelEndpoint, Person, Share, SiteSettings

if TYPE_CHECKING:
    ShareModelAdmin = admin.ModelAdmin[Share]
    InvitationModelAdmin = admin.ModelAdmin[Invitation]
    SiteModelAdmin = admin.ModelAdmin[SiteSettings]
    EndpointModelAdmin = admin.ModelAdmin[ModelEndpoint]
    CallModelAdmin = admin.ModelAdmin[ModelCall]
    PersonModelAdmin = UserAdmin[Person]
else:  # Django's own class takes no type argument when it runs
    ShareModelAdmin = InvitationModelAdmin = SiteModelAdmin = admin.ModelAdmin
    EndpointModelAdmin = CallModelAdmin = admin.ModelAdmin
    PersonModelAdmin = UserAdmin


@admin.register(Person)
class PersonAdmin(PersonModelAdmin):
    """Rights and quota of a person."""

    list_display = ("username", "handle", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username", "handle", "email")
    readonly_fields = ("username", "handle", "email", "is_active", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "handle", "password")}),
        (_("Account"), {"fields": ("email", "is_active", "last_login", "date_joined")}),
        (_("Rights and limits"), {"fields": ("is_superuser", "is_staff", "quota")}),
        (_("Look"), {"fields": ("language", "theme", "text_size")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Share)
class ShareAdmin(ShareModelAdmin):
    """Who may see what of whom."""

    list_display = ("kind", "item_id", "person", "level", "created")
    list_filter = ("kind", "level")
    search_fields = ("item_id", "person__username")
    autocomplete_fields = ("person",)


@admin.register(Invitation)
class InvitationAdmin(InvitationModelAdmin):
    """Invitations, to look at: links are made and withdrawn under `/manage/people/`."""

    list_display = ("note", "invited_by", "created", "expires", "used_by", "revoked")
    search_fields = ("note", "invited_by__username", "used_by__username")
    exclude = ("token_hash",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(SiteSettings)
class SiteSettingsAdmin(SiteModelAdmin):
    """The one row of the site."""

    list_display = ("name", "language", "registration")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ModelEndpoint)
class ModelEndpointAdmin(EndpointModelAdmin):
    """Everybody's endpoints, to look at and to remove: their owners change them, and keys are never shown."""

    list_display = ("name", "owner", "kind", "base_url", "model", "for_everyone", "test_outcome", "tested_at")
    list_filter = ("kind", "for_everyone", "test_outcome")
    search_fields = ("name", "base_url", "model", "owner__username")
    exclude = ("sealed_key", "key_hint")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ModelCall)
class ModelCallAdmin(CallModelAdmin):
    """The record of calls, to look at."""

    list_display = ("at", "owner", "endpoint_name", "model", "purpose", "outcome", "tokens_in", "tokens_out")
    list_filter = ("purpose", "outcome")
    search_fields = ("endpoint_name", "model", "about", "owner__username")
    date_hierarchy = "at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
