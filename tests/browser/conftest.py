"""Browser tests: the system's Chromium against a real server, in both lights, widths and languages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.server import PASSWORD, Program, Server, loaded, serve, start
from tests.support.warm import put_back

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WIDTHS_AND_LANGUAGES = list(product((1280, 390), ("en", "zh-CN")))
"""Each of them looked at in both lights: all eight combinations, for the main pages of the house."""
FOUR = [("light", 1280, "en"), ("light", 390, "zh-CN"), ("dark", 1280, "zh-CN"), ("dark", 390, "en")]
"""Every two of a theme, a width and a language meet: for pages beside the main ones of the house."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/tests/browser/" in str(item.path):
            item.add_marker(pytest.mark.browser)


def missing(what: str) -> NoReturn:
    """Skip where somebody works; fail where the tests must run."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI must run the browser tests")
    pytest.skip(f"BROWSER TESTS SKIPPED: {what} is missing")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, without a window.

    It ends with each file: its driver keeps an event loop running, beside which no asynchronous test can run.
    """
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        missing("Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A data folder as a server leaves it behind, with `hal` and `ana`; made once for all processes."""
    everyones = tmp_path_factory.getbasetemp()
    everyones = everyones if worker_id == "master" else everyones.parent
    data = everyones / "prepared" / "data"
    with FileLock(everyones / "prepared.lock"):
        if not data.exists():
            making = everyones / "making" / "data"
            making.parent.mkdir()
            start(making).end()
            with loaded(making) as program:
                running = serve(program)
                running.make_people("hal", "ana")
                running.end()
            making.parent.rename(data.parent)
    return data


@pytest.fixture(scope="session")
def program(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program of this process's servers, loaded once."""
    data = tmp_path_factory.mktemp("browser") / "data"
    shutil.copytree(prepared, data)
    with loaded(data) as program:
        yield program


@pytest.fixture(scope="module")
def server(program: Program, prepared: Path) -> Iterator[Server]:
    """One server for the tests of one file; `hal` is its host, `ana` a member."""
    put_back(program.data, prepared)
    running = serve(program)
    try:
        yield running
    finally:
        running.end()


@dataclass(slots=True)
class Visits:
    """Opens pages as somebody, and remembers what the browser complained about."""

    browser: Browser
    server: Server
    signed_in: dict[str, Any]
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(
        self, person: str | None = None, *, theme: str = "light", width: int = 1280, language: str = "en"
    ) -> Page:
        """A fresh window; `person` is signed in there. Its addresses are relative to the server."""
        if person is not None and person not in self.signed_in:
            self.signed_in[person] = self._sign_in(person)
        context = self._context(
            color_scheme=theme,
            viewport={"width": width, "height": 900},
            locale=language,
            storage_state=self.signed_in.get(person) if person else None,
        )
        page = context.new_page()
        page.on("console", lambda told: self._hear(told.type, f"{page.url}: {told.text}"))
        page.on("pageerror", lambda error: self._hear("error", f"{page.url}: {error}"))
        page.on("request", lambda asked: self._watch(asked.url))
        return page

    def _context(self, **options: Any) -> BrowserContext:
        # Scripts of the tests (axe) are put in by the driver, past the page's own strict policy.
        context = self.browser.new_context(base_url=self.server.address, **options)
        context.set_default_timeout(15_000)
        self.contexts.append(context)
        return context

    def _sign_in(self, person: str) -> Any:
        page = self._context().new_page()
        page.goto("/signin/")
        page.fill("[name=login]", person)
        page.fill("[name=password]", PASSWORD)
        page.click("main button.primary")
        page.wait_for_url(lambda url: "/signin/" not in url)
        return page.context.storage_state()

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and "status of 4" not in text:  # a refusal that a test asks for
            self.complaints.append(text)

    def _watch(self, url: str) -> None:
        own = self.server.address
        if not url.startswith((f"{own}/", own.replace("http", "ws") + "/", "data:", f"blob:{own}/")):
            self.complaints.append(f"left the server: {url}")


@pytest.fixture(scope="module")
def sessions() -> dict[str, Any]:
    """Sign-ins kept for later windows."""
    return {}


@pytest.fixture
def visit(chromium: Browser, server: Server, sessions: dict[str, Any]) -> Iterator[Visits]:
    """Open pages; at the end nothing in the console was an error and nothing left the server."""
    visits = Visits(chromium, server, sessions)
    yield visits
    for context in visits.contexts:
        context.close()
    assert visits.complaints == []
