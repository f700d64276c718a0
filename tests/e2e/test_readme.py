"""The README's and the documentation's examples, run as they stand there, in their order, by a newcomer's shell.

A fenced block with `title=PATH` is a file; `sh` blocks are typed, and end with 0 (with 1 where the block is titled
`breaks`); `python` blocks without a title are run. What cannot be run here is fenced as `console` or in
another language.
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    title: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    tokens = MarkdownIt().parse((ROOT / page).read_text("utf-8"))
    found = []
    for token in tokens:
        if token.type == "fence":
            language, _, rest = token.info.strip().partition(" ")
            title = re.search(r"title=(\S+)", rest)
            found.append(Block(language, title[1] if title else "", token.content, (token.map or [0])[0] + 1))
    return found


@dataclass
class Newcomer:
    """Someone with a shell, a folder and a page."""

    folder: Path
    typed: list[tuple[Block, subprocess.CompletedProcess[str]]] = field(default_factory=list)

    def follow(self, page: str) -> None:
        for block in blocks(page):
            if block.language == "sh":
                self.type(page, block)
            elif block.title:
                path = self.folder / block.title
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
            elif block.language == "python":
                done = self.run(page, block, [sys.executable, "-c", block.text])
                assert done.returncode == 0, f"{page}:{block.line}: {done.stderr}"

    def type(self, page: str, block: Block) -> None:
        done = self.run(page, block, ["sh", "-e", "-c", block.text])
        expected = 1 if block.title == "breaks" else 0
        assert done.returncode == expected, f"{page}:{block.line}: {done.stdout}{done.stderr}"

    def run(self, page: str, block: Block, command: list[str]) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("QUILATE_", "GITHUB_"))}
        env = kept | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": str(self.folder)}
        done = subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, check=False, timeout=600,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.typed.append((block, done))
        return done


@pytest.fixture
def newcomer(tmp_path):
    return Newcomer(tmp_path)


def test_the_readme_leads_from_nothing_to_a_comment_on_ones_own_agent(newcomer):
    newcomer.follow("README.md")
    breaks = [done for block, done in newcomer.typed if block.title == "breaks"]
    assert breaks
    assert all("FAIL shop: " in done.stdout for done in breaks)
    comment = (newcomer.folder / ".quilate/comment.md").read_text("utf-8")
    assert comment.startswith("## ❌ shop: ")
    assert "1 case broke" in comment


def test_the_readme_quotes_the_comment_to_the_letter(newcomer):
    newcomer.follow("README.md")
    said = " ".join((ROOT / "README.md").read_text("utf-8").split())
    quoted = re.findall(r"`([^`]*found 47821 \(number\))`", said)
    assert quoted
    comment = html.unescape((newcomer.folder / ".quilate/comment.md").read_text("utf-8"))
    assert all(each in comment for each in quoted)


def test_what_the_documentation_types_works_after_the_readme(tmp_path):
    pages = [page.relative_to(ROOT).as_posix() for page in sorted((ROOT / "docs").glob("**/*.md"))]
    for page in pages:
        if any(block.language == "sh" for block in blocks(page)):
            newcomer = Newcomer(tmp_path / Path(page).stem)
            newcomer.folder.mkdir()
            newcomer.follow("README.md")
            newcomer.follow(page)


def test_the_python_example_of_the_run_file_reads_the_readmes_run(newcomer):
    newcomer.follow("README.md")
    (example,) = [block for block in blocks("docs/run-file.md") if block.language == "python"]
    done = newcomer.run("docs/run-file.md", example, [sys.executable, "-c", example.text])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("shop True\n")
