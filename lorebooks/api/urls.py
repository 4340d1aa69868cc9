"""Addresses of the library's JSON, below `/roleplay-api/lorebooks/`."""

from django.urls import URLPattern, path

from lorebooks.api import imports

app_name = "lorebooks_api"
urlpatterns: list[URLPattern] = [path("import", imports.take_in, name="import")]
