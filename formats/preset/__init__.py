"""Presets: read, reported on, assembled into messages, and written back for SillyTavern. Pure."""

from formats.preset.export import sillytavern_of
from formats.preset.model import PresetPackage, PresetPrompt
from formats.preset.reader import read_preset
from formats.preset.refusals import PresetError
from formats.preset.report import PresetImportReport, report_of

__all__ = [
    "PresetError",
    "PresetImportReport",
    "PresetPackage",
    "PresetPrompt",
    "read_preset",
    "report_of",
    "sillytavern_of",
]
