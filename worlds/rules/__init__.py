"""The rules of a world: what its documents are, whether a story can start, and what mends it. No Django."""

from worlds.rules.check import can_start, check_world, playable_state
from worlds.rules.load import LoadedWorld, load_files, load_world

__all__ = ["LoadedWorld", "can_start", "check_world", "load_files", "load_world", "playable_state"]
