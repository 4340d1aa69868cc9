"""Addresses of the presets app. A preset's id is its folder's name, its address and its API id (D4)."""

from django.urls import URLPattern, path

from presets.views import exports, library, sharing, taking, whole
from presets.views.settings import settings_page

P = "<str:preset_id>/"

app_name = "presets"
urlpatterns: list[URLPattern] = [
    path("", library.library, name="library"),
    path("new/", library.new_preset, name="new"),
    path("trash/", library.trash, name="trash"),
    path("trash/empty/", library.empty, name="empty_trash"),
    path("trash/<str:entry_id>/restore/", library.restore, name="restore_preset"),
    path("import/", taking.take, name="import"),
    path("import/waiting/<str:upload_id>/", taking.waiting, name="waiting"),
    path("import/waiting/<str:upload_id>/keep/", taking.keep, name="keep"),
    path("import/waiting/<str:upload_id>/discard/", taking.discard, name="discard"),
    path("attach/", sharing.attach, name="attach"),
    path("detach/", sharing.detach, name="detach"),
    path(f"{P}report/", whole.report, name="report"),
    path(f"{P}report.json", whole.report_json, name="report_json"),
    path(f"{P}settings/", settings_page, name="settings"),
    path(f"{P}share/", sharing.share, name="share"),
    path(f"{P}unshare/", sharing.unshare, name="unshare"),
    path(f"{P}duplicate/", whole.duplicate, name="duplicate"),
    path(f"{P}export/", exports.export, name="export"),
    path(f"{P}export/<slug:form>/", exports.download, name="download"),
    path(f"{P}trash/", whole.trash, name="trash_preset"),
]
