"""Conversations in which a world is written: their commands and their stored rows."""
