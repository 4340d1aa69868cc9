"""How allauth behaves here: who may sign up, and the words people read when something is refused."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.invitations import invitation_in
from portal.models import SiteSettings
from portal.people import host_name

WRONG = gettext_lazy("Name or password is not right.")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up as the host decided; one text for a wrong name and for a wrong password (`portal.md` 3.1)."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": WRONG,
        "email_password_mismatch": WRONG,
        "invalid_login": WRONG,
        "username_taken": gettext_lazy("Somebody here has this name already. Choose another."),
        "username_blacklisted": gettext_lazy("This name is kept for the server. Choose another."),
        "email_taken": gettext_lazy("This address belongs to an account already."),
        "incorrect_password": gettext_lazy("This is not your current password."),
        "enter_current_password": gettext_lazy("This is not your current password."),
        "incorrect_code": gettext_lazy("This code is not right, or its time is over."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Open, or by an invitation this browser opened; closed means nobody."""
        mode = SiteSettings.current().registration_mode
        return mode == "open" or (mode == "invite" and invitation_in(request.session) is not None)

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        if code == "too_many_login_attempts":
            return ValidationError(too_many_tries(), code=code)
        error: ValidationError = super().validation_error(code, *args)
        return error


def too_many_tries() -> str:
    """What a person reads who tried too often: how long, and whom to ask."""
    name = host_name()
    if not name:
        return _("Too many tries. Wait 5 minutes.")
    return _("Too many tries. Wait 5 minutes or ask the host (%(name)s).") % {"name": name}
