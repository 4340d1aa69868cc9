"""Addresses of the importer's JSON, below `/roleplay-api/worlds/`."""

from django.urls import URLPattern, path

from importer.api import drafts, imports, uploads

app_name = "importer_api"
urlpatterns: list[URLPattern] = [
    path("import", uploads.uploads, name="import"),
    path("import/start", imports.start, name="start"),
    path("import/structure", imports.structure, name="structure"),
    path("import/resume", imports.resume, name="resume"),
    path("import/draft", drafts.draft, name="draft"),
]
