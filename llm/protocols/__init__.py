"""The protocols that model services speak: one file and one object each, pure."""

from __future__ import annotations

from llm.endpoint import Kind
from llm.protocols.anthropic import ANTHROPIC
from llm.protocols.google import GOOGLE
from llm.protocols.openai import OPENAI
from llm.protocols.protocol import ModelProtocol

PROTOCOLS: dict[Kind, ModelProtocol] = {"openai": OPENAI, "anthropic": ANTHROPIC, "google": GOOGLE}
