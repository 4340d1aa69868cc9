"""A scripted model: a real server of the OpenAI protocol on this machine that plays a written script, for
tests and the demo. The program speaks to it as to any other service; nothing of ours is replaced."""

from __future__ import annotations

from llm.scripted.script import Line, Rule, Said, Script
from llm.scripted.server import Received, ScriptedModel

__all__ = ["Line", "Received", "Rule", "Said", "Script", "ScriptedModel"]
