"""Chromium, driven for real; every page opens from a file, as an artifact does."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


# Closed after each file: while Playwright's driver is open, no other test can run an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


class Tab:
    """A page and what went wrong on it: script errors, refused content, requests, dialogs."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.requested: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self.requested.append(request.url))


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """Opens HTML text (or a file) with a fragment; `width`, `scheme`, `script` as the reader has them."""
    contexts: list[Any] = []

    def open_(
        html: str | Path, fragment: str = "", *, width: int = 1280, scheme: str = "light", script: bool = True
    ) -> Tab:
        path = html if isinstance(html, Path) else tmp_path / "page.html"
        if isinstance(html, str):
            path.write_text(html, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme=scheme, java_script_enabled=script
        )
        contexts.append(context)
        tab = Tab(context.new_page())
        tab.page.goto(path.as_uri() + fragment)
        return tab

    yield open_
    for context in contexts:
        context.close()
