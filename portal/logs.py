"""Log lines: one event, one line, with the request it belongs to."""

from __future__ import annotations

import logging
import re
from contextvars import ContextVar

# The id of the request being answered; error pages show the same one.
request_id: ContextVar[str] = ContextVar("request_id", default="-")
# Control characters and the line separators of Unicode: a name with one must not forge a line.
BREAKS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


class WithRequestId(logging.Filter):
    """Puts the current request's id on every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class OneLine(logging.Formatter):
    """Escapes line breaks of messages; a stack trace keeps its own, each line indented."""

    def format(self, record: logging.LogRecord) -> str:
        trace, record.exc_text = record.exc_text, None
        info, record.exc_info = record.exc_info, None
        stack, record.stack_info = record.stack_info, None
        try:
            line = BREAKS.sub(lambda match: f"\\x{ord(match[0]):02x}", super().format(record))
        finally:
            record.exc_text, record.exc_info, record.stack_info = trace, info, stack
        below = [self.formatException(info)] if info and info[0] else []
        below += [self.formatStack(stack)] if stack else []
        return "\n".join([line, *("    " + _safe(row) for text in below for row in text.splitlines())])


def _safe(row: str) -> str:
    return BREAKS.sub(lambda match: f"\\x{ord(match[0]):02x}", row)
