"""Addresses of the presets app. A preset's id is its folder's name, its address and its API id (D4)."""

from django.urls import URLPattern, path

from presets.views import (
    cases,
    exports,
    library,
    replies,
    report,
    sharing,
    taking,
    trial,
    versions,
    whole,
)
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
    path(f"{P}report/", report.report, name="report"),
    path(f"{P}report.json", report.report_json, name="report_json"),
    path(f"{P}versions/", versions.versions, name="versions"),
    path(f"{P}versions/make/", versions.make, name="make_version"),
    path(f"{P}versions/compare/", versions.compare, name="compare"),
    path(f"{P}versions/<int:number>/restore/", versions.restore, name="restore_version"),
    path(f"{P}versions/<int:number>/branch/", versions.branch, name="branch"),
    path(f"{P}draft/discard/", versions.discard, name="discard_draft"),
    path(f"{P}draft/back/<str:change_id>/", versions.put_back, name="put_back_draft"),
    path(f"{P}trial/", trial.trial, name="trial"),
    path(f"{P}trial/fill/", trial.fill, name="fill_trial"),
    path(f"{P}trial/copy/", trial.copy, name="copy_trial"),
    path(f"{P}trial/compare/", cases.compare, name="compare_trial"),
    path(f"{P}trial/messages/<int:number>/", trial.message, name="trial_message"),
    path(f"{P}trial/send/", replies.send, name="send_trial"),
    path(f"{P}trial/runs/<str:run_id>/", replies.run, name="run"),
    path(f"{P}trial/runs/<str:run_id>/delete/", replies.delete, name="delete_run"),
    path(f"{P}trial/runs/<str:run_id>/<int:number>/", replies.reply, name="reply"),
    path(f"{P}trial/runs/<str:run_id>/<int:number>/stop/", replies.stop, name="stop_reply"),
    path(f"{P}trial/runs/<str:run_id>/<int:number>/again/", replies.again, name="ask_again"),
    path(f"{P}trial/runs/<str:run_id>/<int:number>/sent/", replies.sent, name="sent"),
    path(f"{P}cases/", cases.cases, name="cases"),
    path(f"{P}cases/save/", cases.save, name="save_case"),
    path(f"{P}cases/back/<str:change_id>/", cases.put_back, name="put_back_cases"),
    path(f"{P}cases/<str:case_id>/", cases.case, name="case"),
    path(f"{P}cases/<str:case_id>/accept/", cases.accept, name="accept_case"),
    path(f"{P}cases/<str:case_id>/delete/", cases.delete, name="delete_case"),
    path(f"{P}settings/", settings_page, name="settings"),
    path(f"{P}share/", sharing.share, name="share"),
    path(f"{P}unshare/", sharing.unshare, name="unshare"),
    path(f"{P}duplicate/", whole.duplicate, name="duplicate"),
    path(f"{P}export/", exports.export, name="export"),
    path(f"{P}export/<slug:form>/", exports.download, name="download"),
    path(f"{P}trash/", whole.trash, name="trash_preset"),
]
