"""Tags of the shell, loaded into every template: slots, icons, sentences, times."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()
