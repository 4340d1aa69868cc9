"""Every address: the portal's own, then each room's."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("worlds.urls")),
    path("", include("importer.urls")),
    path("", include("portal.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "portal.views.errors.bad_request"
handler403 = "portal.views.errors.forbidden"
handler404 = "portal.views.errors.not_found"
handler500 = "portal.views.errors.server_error"
