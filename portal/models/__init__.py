"""The portal's tables. Other rooms import them from here."""

from portal.models.endpoints import ModelCall, ModelChoice, ModelEndpoint, Purpose
from portal.models.jobs import Job
from portal.models.people import HANDLE, Invitation, Person, Share, handle_for
from portal.models.site import SiteSettings

__all__ = [
    "HANDLE",
    "Invitation",
    "Job",
    "ModelCall",
    "ModelChoice",
    "ModelEndpoint",
    "Person",
    "Purpose",
    "Share",
    "SiteSettings",
    "handle_for",
]
