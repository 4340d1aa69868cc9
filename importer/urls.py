"""Addresses of the importer app. Its upload names an import until it starts, its world afterwards."""

from django.urls import URLPattern, path

from importer.views import lorebook, preset, preview, repair, result, run, uploads

ONE = "import/<str:import_id>/"
REPAIR = "w/<str:world_id>/repair/"

app_name = "importer"
urlpatterns: list[URLPattern] = [
    path("import/", uploads.index, name="index"),
    path("import/waiting/", uploads.waiting, name="waiting"),
    path("import/waiting/start/", uploads.start_all, name="start_all"),
    path("import/waiting/discard/", uploads.discard_all, name="discard_all"),
    path("import/sample/<slug:language>/", uploads.sample, name="sample"),
    path(ONE, preview.show, name="show"),
    path(f"{ONE}text/<str:text_id>/", preview.text, name="text"),
    path(f"{ONE}choices/", preview.choices, name="choices"),
    path(f"{ONE}start/", preview.start, name="start"),
    path(f"{ONE}discard/", uploads.discard, name="discard"),
    path(f"{ONE}original/", uploads.original, name="original"),
    path(f"{ONE}picture/", uploads.picture, name="picture"),
    path(f"{ONE}lorebook/", lorebook.take, name="take_lorebook"),
    path(f"{ONE}preset/", preset.take, name="take_preset"),
    path(f"{ONE}run/", run.run, name="run"),
    path(f"{ONE}run/stop/", run.stop_import, name="stop"),
    path(f"{ONE}run/go-on/", run.go_on, name="go_on"),
    path(f"{ONE}run/retry/", run.retry, name="retry"),
    path(f"{ONE}run/model/", run.change_model, name="change_model"),
    path(f"{ONE}result/", result.result, name="result"),
    path(f"{ONE}result/pictures/", result.pictures, name="pictures"),
    path(f"{ONE}report.json", result.report_json, name="report_json"),
    path(f"{ONE}report.csv", result.report_csv, name="report_csv"),
    path(REPAIR, repair.repair, name="repair"),
    path(f"{REPAIR}mend/", repair.mend, name="mend"),
    path(f"{REPAIR}keep/", repair.keep, name="keep"),
    path(f"{REPAIR}discard/", repair.discard, name="discard_draft"),
]
