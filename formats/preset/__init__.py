"""Presets: read, reported on, assembled into messages, and written back for SillyTavern. Pure."""

from formats.preset.assembly import Assembly, assemble
from formats.preset.context import AssemblyContext, Insert
from formats.preset.export import sillytavern_of
from formats.preset.model import PresetPackage, PresetPrompt
from formats.preset.reader import read_preset
from formats.preset.refusals import PresetError
from formats.preset.report import PresetImportReport, report_of
from formats.preset.shaping import squash
from formats.preset.tool_policy import Tool
from formats.preset.truncation import rescue_field

__all__ = [
    "Assembly",
    "AssemblyContext",
    "Insert",
    "PresetError",
    "PresetImportReport",
    "PresetPackage",
    "PresetPrompt",
    "Tool",
    "assemble",
    "read_preset",
    "report_of",
    "rescue_field",
    "sillytavern_of",
    "squash",
]
