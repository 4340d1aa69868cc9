"""Every address: each room's own, and the plain admin behind the same sign-in page as everything else."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# Limits on tries and the second factor hold for the admin too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("worlds.urls")),
    path("lore/", include("lorebooks.urls")),
    path("presets/", include("presets.urls")),
    path("", include("importer.urls")),
    path("roleplay-api/worlds/", include("importer.api.urls")),
    path("roleplay-api/lorebooks/", include("lorebooks.api.urls")),
    path("", include("portal.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "portal.views.errors.bad_request"
handler403 = "portal.views.errors.forbidden"
handler404 = "portal.views.errors.not_found"
handler500 = "portal.views.errors.server_error"
