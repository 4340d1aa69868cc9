"""Addresses of the worlds app."""

from django.urls import URLPattern

app_name = "worlds"
urlpatterns: list[URLPattern] = []
