"""Presets: read, reported on, assembled into messages, and written back for SillyTavern. Pure."""

from formats.preset.model import PresetPackage, PresetPrompt

__all__ = ["PresetPackage", "PresetPrompt"]
