"""Addresses of the importer app."""

from django.urls import URLPattern

app_name = "importer"
urlpatterns: list[URLPattern] = []
