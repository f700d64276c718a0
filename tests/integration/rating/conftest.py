"""`quilate rate` as a real process, and a real headless Chromium in front of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from tests.factories import a_case, a_grade_line, a_reply_line, a_run_file

from quilate.agents.agent import ToolCall
from quilate.grades import Grade

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)


class Rating:
    """A `quilate rate` under way."""

    def __init__(self, folder: Path, args: Sequence[str]) -> None:
        self.labels = folder / "labels.jsonl"
        command = [sys.executable, "-m", "quilate", "rate", *args, "--no-open", "--labels", str(self.labels)]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.said = self.process.stdout.readline().strip()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.labels.read_text(encoding="utf-8").splitlines()]

    def wait_for_lines(self, count: int, page: Page) -> list[dict[str, Any]]:
        """The lines once there are `count` of them; as many as there are after ten seconds."""
        for _ in range(200):
            if self.labels.exists() and len(self.lines()) >= count:
                break
            page.wait_for_timeout(50)
        return self.lines()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


class Rates:
    """Starts `quilate rate` in one folder, and ends what is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[Rating] = []

    def __call__(self, *args: str) -> Rating:
        self._started.append(Rating(self.folder, args))
        return self._started[-1]

    def end(self) -> None:
        for each in self._started:
            each.end()


@pytest.fixture
def rates(tmp_path: Path) -> Iterator[Rates]:
    started = Rates(tmp_path)
    yield started
    started.end()


# Closed after each file: while Playwright's driver is open, no other test can run an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def run_of(path: Path, count: int, *, text: str = "Respuesta número {}.", **case: Any) -> Path:
    """A run whose cases have one behaviour for a judge each."""
    case = {"expected_behavior": ("saluda al cliente",), **case}
    cases = [a_case(f"caso-{number:02}", input=f"¿Pregunta {number}?", **case) for number in range(count)]
    replies = [
        a_reply_line(each, output=text.format(number), tool_calls=(ToolCall(name="lookup", args={"n": number},
                     output={"estado": "enviado"}),))
        for number, each in enumerate(cases)
    ]  # fmt: skip
    return a_run_file(path, [a_grade_line(each, Grade.PASS) for each in cases], replies=replies)
