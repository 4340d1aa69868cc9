"""Reading an upload in a child process with limits, and always an answer (D42). No Django.

A kind's own module is run as `python -m <module> FOLDER`; it calls `limit_this_process`, reads what is staged
in the folder and writes its report last. Whatever the file does to it, the parent lives and says so.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from formats.errors import DomainError, ErrorKind
from formats.messages import gettext_noop

TIME_LIMIT: Final = 30.0  # seconds of wall time
MEMORY_LIMIT: Final = 1 << 30  # bytes of address space
CPU_LIMIT: Final = 30  # seconds
TOP: Final = Path(__file__).resolve().parents[2]
_OUT_OF_MEMORY: Final = b"MemoryError"


class StoredError(BaseModel):
    """A refusal kept for the page: template and values apart, like a finding."""

    model_config = ConfigDict(frozen=True)

    kind: str
    code: str
    where: str = ""
    message: str = ""
    hint: str = ""
    args: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, error: DomainError) -> StoredError:
        """What an error says, by the kind of error that it is."""
        return cls(
            kind=getattr(error, "error_kind", error.kind),
            code=error.code,
            where=error.where,
            message=error.message,
            hint=error.hint,
            args=error.values,
        )

    def as_error(self) -> DomainError:
        """The refusal again, for whoever asked."""
        kinds: dict[str, ErrorKind] = {"invalid": "invalid", "too-large": "too-large"}
        kind = kinds.get(self.kind, "unsupported")
        return DomainError(kind, self.code, self.where, self.message, self.hint, self.args)


def limit_this_process() -> None:
    """Take from this process what a hostile file could use up; never gives anything back."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_child(module: str, folder: Path, report: str, time_limit: float = TIME_LIMIT) -> StoredError | None:
    """Let `module` read what is staged in a folder; None once its `report` stands there, else why not.

    Blocks for at most `time_limit` seconds.
    """
    command = [sys.executable, "-m", module, str(folder)]
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment["PYDANTIC_DISABLE_PLUGINS"] = "1"  # looking for them takes a third of the start
    try:
        done = subprocess.run(
            command, cwd=TOP, env=environment, timeout=time_limit, capture_output=True, check=False
        )
    except subprocess.TimeoutExpired:
        return _told(
            "read.too-slow",
            gettext_noop("Reading this file took more than {seconds} seconds and was stopped."),
            gettext_noop("It may be damaged. Save it again with the program it came from."),
            seconds=round(time_limit),
        )
    if done.returncode == 0 and (folder / report).is_file():
        return None
    if _OUT_OF_MEMORY in done.stderr:
        return _told(
            "read.too-large",
            gettext_noop("Reading this file needed more memory than one file may use."),
            gettext_noop("Real files of this kind need far less. Split it into several."),
        )
    return _told(
        "read.broke",
        gettext_noop("This file broke the program that reads it. Nothing was kept of it."),
        gettext_noop("This is our fault. Please send the file to the people who run this server."),
        trace=done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200],
    )


def _told(code: str, message: str, hint: str, **args: object) -> StoredError:
    return StoredError(kind="unsupported", code=code, where="original", message=message, hint=hint, args=args)
