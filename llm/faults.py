"""Everything that can go wrong with a call: one declared outcome each, with a plain sentence (3.11)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from formats.errors import DomainError, ErrorKind
from formats.messages import gettext_noop
from llm.usage import Outcome, Usage
from net.model_door import Reason

MAX_WORDS = 300  # characters of the service's own words
LONGEST_WAIT = 1e9  # seconds; a number that every clock can hold


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a fault means: how the edge treats it, whether asking again may help, and the sentences."""

    kind: ErrorKind
    passing: bool
    message: str
    hint: str = ""


MEANINGS: dict[Outcome, Meaning] = {
    "not-allowed": Meaning(
        "invalid",
        False,
        gettext_noop("This address is not one the program speaks to."),
        gettext_noop(
            "It must be an https address of the public internet, without a name and password inside."
            " An address of this machine or of a private network works once the host of the server lists it."
        ),
    ),
    "unreachable": Meaning(
        "unavailable",
        True,
        gettext_noop("Nothing answers at this address."),
        gettext_noop("Check the address, and that the service is running."),
    ),
    "tls": Meaning(
        "unavailable",
        False,
        gettext_noop("The certificate of this address is not one to trust."),
        gettext_noop("It may be expired, made for another name, or signed by an unknown authority."),
    ),
    "too-slow": Meaning(
        "unavailable",
        True,
        gettext_noop("The answer did not come in time."),
        gettext_noop("The service may be busy, or the model may still be loading."),
    ),
    "key-refused": Meaning(
        "invalid",
        False,
        gettext_noop("The key was refused."),
        gettext_noop("Copy it again from the service's page, whole and without blanks."),
    ),
    "forbidden": Meaning(
        "invalid",
        False,
        gettext_noop("The key is known, but not allowed to do this."),
        gettext_noop("The model may not be part of the account, or the account may be locked."),
    ),
    "not-found": Meaning(
        "invalid",
        False,
        gettext_noop("This address answers, but has nothing at {path}."),
        gettext_noop("Check the address and the name of the model."),
    ),
    "too-long": Meaning(
        "too-large",
        False,
        gettext_noop("The request is longer than the model can take."),
        gettext_noop("Send less, or choose a model with a longer context."),
    ),
    "refused": Meaning(
        "invalid",
        False,
        gettext_noop("The service does not take this request ({status})."),
    ),
    "rate-limited": Meaning(
        "limited",
        True,
        gettext_noop("The service takes no more requests for now."),
        gettext_noop("Wait a little, or look at the limits of the account."),
    ),
    "overloaded": Meaning(
        "unavailable",
        True,
        gettext_noop("The service has a fault of its own at the moment ({status})."),
        gettext_noop("It may work later."),
    ),
    "moved": Meaning(
        "invalid",
        False,
        gettext_noop("This address leads on to another one, which is not followed."),
        gettext_noop("Enter the address at which the service itself answers."),
    ),
    "web-page": Meaning(
        "invalid",
        False,
        gettext_noop("That is a web page, not an API."),
        gettext_noop("Enter the address of the API; it mostly ends in /v1."),
    ),
    "provider-error": Meaning(
        "unavailable",
        True,
        gettext_noop("The service broke off its answer with an error."),
        gettext_noop("It may work later."),
    ),
    "unfinished": Meaning(
        "unavailable",
        True,
        gettext_noop("The answer broke off before its end."),
        gettext_noop("It may work later."),
    ),
    "broken": Meaning(
        "unavailable",
        False,
        gettext_noop("The answer is not what the protocol says."),
        gettext_noop("Check the kind of service and its address."),
    ),
    "empty": Meaning(
        "unavailable",
        True,
        gettext_noop("The model answered nothing."),
        gettext_noop("Ask again, or choose another model."),
    ),
    "too-large": Meaning(
        "unavailable",
        False,
        gettext_noop("The answer is longer than is read, and was ended."),
        gettext_noop("Set a limit on the length of an answer."),
    ),
    "stopped": Meaning("conflict", False, gettext_noop("The call was stopped.")),
}
WITH_VERSION_HINT = gettext_noop("Did you mean {address}?")
WAIT_HINT = gettext_noop("The service asks to wait {seconds} seconds.")

OF_STATUS: dict[int, Outcome] = {
    401: "key-refused",
    403: "forbidden",
    404: "not-found",
    405: "not-found",
    408: "too-slow",
    410: "not-found",
    413: "too-long",
    425: "rate-limited",
    429: "rate-limited",
}
OF_REASON: dict[Reason, Outcome] = {
    "not-allowed": "not-allowed",
    "unreachable": "unreachable",
    "tls": "tls",
    "too-slow": "too-slow",
    "broken": "unfinished",
    "too-large": "too-large",
}
ABOUT_LENGTH: tuple[str, ...] = (
    "context length",
    "context_length",
    "maximum context",
    "context size",
    "context window",
)
ABOUT_LENGTH += ("too long", "too many tokens", "exceeds the limit")
ABOUT_KEY = ("api key not valid", "api_key_invalid", "invalid api key", "incorrect api key")


class ModelFault(DomainError):
    """A call that ended without a whole answer.

    `outcome` is what is stored; `passing` says that asking again may help; `said` holds the service's own
    words (untrusted, never the key), `wait` the seconds it asks to wait. `partial` is what had come of the
    text, `usage` the record of the call, `sent` the body it was about.
    """

    def __init__(
        self,
        outcome: Outcome,
        *,
        said: str = "",
        status: int = 0,
        wait: float | None = None,
        hint: str = "",
        args: Mapping[str, Any] | None = None,
    ) -> None:
        meaning = MEANINGS[outcome]
        if not hint and wait is not None:
            hint, args = WAIT_HINT, {**(args or {}), "seconds": round(wait)}
        super().__init__(
            meaning.kind,
            f"model.{outcome}",
            message=meaning.message,
            hint=hint or meaning.hint,
            args={"status": status, "path": "", **(args or {})},
        )
        self.outcome: Outcome = outcome
        self.passing = meaning.passing
        self.said = shortened(said)
        self.status = status
        self.wait = wait
        self.partial = ""
        self.usage: Usage | None = None
        self.sent = b""

    def with_hint(self, hint: str, **args: str) -> ModelFault:
        """The same fault with a better idea of what to do."""
        self.hint = hint
        self.values |= args
        return self


def fault_of_status(status: int, headers: Mapping[str, str], said: str, path: str = "") -> ModelFault:
    """The fault that a status other than 200 means."""
    outcome: Outcome
    words = said.lower()
    if 300 <= status < 400:
        outcome = "moved"
    elif status >= 500:
        outcome = "overloaded"
    elif status in (400, 413, 422) and any(sign in words for sign in ABOUT_LENGTH):
        outcome = "too-long"
    elif status == 400 and any(sign in words for sign in ABOUT_KEY):  # Google says 400 for a wrong key
        outcome = "key-refused"
    else:
        outcome = OF_STATUS.get(status, "refused")
    wait = seconds_to_wait(headers.get("retry-after", "")) if outcome in WAITING else None
    return ModelFault(outcome, said=said, status=status, wait=wait, args={"path": path})


def check_key(key: str) -> None:
    """Refuse what no header can carry, such as a key with a blank or a dash that a text editor made nice.

    Raises:
        ModelFault: it cannot be a key.
    """
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ModelFault("key-refused")


WAITING: tuple[Literal["rate-limited", "overloaded"], ...] = ("rate-limited", "overloaded")


def seconds_to_wait(text: str) -> float | None:
    """What `Retry-After` says: a number of seconds or a date."""
    text = text.strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return None if math.isnan(seconds) else min(max(0.0, seconds), LONGEST_WAIT)


def shortened(said: str) -> str:
    """The service's words on one line, and not too many of them."""
    line = " ".join(said.split())
    return line if len(line) <= MAX_WORDS else line[: MAX_WORDS - 1] + "…"
