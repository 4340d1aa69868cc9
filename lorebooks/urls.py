"""Addresses of the lorebooks app. A book's id is its folder's name, its address and its API id (D4)."""

from django.urls import URLPattern, path

from lorebooks.views import (
    cases,
    conflicts,
    editor,
    entries,
    exports,
    library,
    sections,
    sharing,
    taking,
    tester,
    versions,
    whole,
)
from lorebooks.views.settings import settings_page

B = "<str:lorebook_id>/"

app_name = "lorebooks"
urlpatterns: list[URLPattern] = [
    path("", library.library, name="library"),
    path("new/", library.new_lorebook, name="new"),
    path("trash/", library.trash, name="trash"),
    path("trash/empty/", library.empty, name="empty_trash"),
    path("trash/<str:entry_id>/restore/", library.restore, name="restore_lorebook"),
    path("import/", taking.take, name="import"),
    path("import/waiting/<str:upload_id>/", taking.waiting, name="waiting"),
    path("import/waiting/<str:upload_id>/keep/", taking.keep, name="keep"),
    path("import/waiting/<str:upload_id>/discard/", taking.discard, name="discard"),
    path("attach/", sharing.attach, name="attach"),
    path("detach/", sharing.detach, name="detach"),
    path(B, editor.editor, name="editor"),
    path(f"{B}bulk/", editor.bulk, name="bulk"),
    path(f"{B}add/", entries.new_entry, name="new_entry"),
    path(f"{B}back/<str:change_id>/", entries.put_back, name="put_back"),
    path(f"{B}sections/", sections.sections, name="sections"),
    path(f"{B}entries/<str:key>/", entries.entry, name="entry"),
    path(f"{B}entries/<str:key>/told/", entries.told, name="entry_told"),
    path(f"{B}entries/<str:key>/source/", entries.source, name="entry_source"),
    path(f"{B}entries/<str:key>/settle/", conflicts.settle, name="settle"),
    path(f"{B}entries/<str:key>/duplicate/", entries.duplicate_entry, name="duplicate_entry"),
    path(f"{B}entries/<str:key>/delete/", entries.delete_entry, name="delete_entry"),
    path(f"{B}versions/", versions.versions, name="versions"),
    path(f"{B}versions/keep/", versions.keep, name="keep_version"),
    path(f"{B}versions/compare/", versions.compare, name="compare"),
    path(f"{B}versions/restore/", versions.restore, name="restore_version"),
    path(f"{B}versions/restore/<str:change_id>/", versions.restore_before, name="restore_before"),
    path(f"{B}test/", tester.tester, name="tester"),
    path(f"{B}cases/", cases.cases, name="cases"),
    path(f"{B}cases/save/", cases.save, name="save_case"),
    path(f"{B}cases/on/<int:number>/", cases.said, name="cases_said"),
    path(f"{B}cases/back/<str:change_id>/", cases.put_back, name="put_back_cases"),
    path(f"{B}cases/<str:case_id>/expect/", cases.expect, name="expect_case"),
    path(f"{B}cases/<str:case_id>/delete/", cases.delete, name="delete_case"),
    path(f"{B}report/", whole.report, name="report"),
    path(f"{B}report.json", whole.report_json, name="report_json"),
    path(f"{B}settings/", settings_page, name="settings"),
    path(f"{B}share/", sharing.share, name="share"),
    path(f"{B}unshare/", sharing.unshare, name="unshare"),
    path(f"{B}duplicate/", whole.duplicate, name="duplicate"),
    path(f"{B}export/", exports.export, name="export"),
    path(f"{B}export/<slug:form>/", exports.download, name="download"),
    path(f"{B}trash/", whole.trash, name="trash_lorebook"),
]
