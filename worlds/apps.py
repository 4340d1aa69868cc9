"""The worlds app."""

from django.apps import AppConfig


class WorldsConfig(AppConfig):
    name = "worlds"
