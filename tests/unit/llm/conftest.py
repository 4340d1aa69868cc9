"""Fixtures of the model layer's tests."""

from __future__ import annotations

import pytest

from llm.client import ModelClient
from llm.clients import Clients
from tests.support.models import PATIENT
from tests.support.servers import free_port


@pytest.fixture
async def client_of_nobody() -> tuple[ModelClient, str]:
    """A client, and a listed address at which nobody listens."""
    address = f"http://127.0.0.1:{free_port()}/v1"
    return Clients([address], deadlines=PATIENT).here(), address
