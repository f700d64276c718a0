"""`agent.setup`: run once, in a virtual environment of the agent's own, again only when what it reads has changed."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from quilate.agents.environment import allowed_environment
from quilate.agents.process import Launch, Process, RunAs
from quilate.agents.starting import CannotStartError
from quilate.agents.tail import Tail
from quilate.saying import say

SETUP_TIMEOUT_S = 1_800
_DONE = ".quilate-complete"
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "uv.lock", "poetry.lock", "Pipfile.lock", "pylock.toml")
_NO_SOURCES = {".git", ".hg", ".quilate", ".venv", "venv", "node_modules", "__pycache__", "build", "dist"}


async def prepared_venv(
    setup: Sequence[str], *, base_dir: Path, environ: Mapping[str, str], names: Sequence[str], run_as: RunAs | None
) -> Path:
    """The virtual environment in which `setup` has been run, in `base_dir/.quilate/venvs`.

    It is made by the interpreter that runs quilate, and reused while the command and the files that it names
    (requirements with what they include, local packages, lock files) are unchanged. The command sees the agent's
    own environment, and no more. Raises `CannotStartError` with its last words where it fails.
    """
    venv = base_dir / ".quilate" / "venvs" / setup_fingerprint(setup, base_dir)
    if (venv / _DONE).exists():
        return venv
    shutil.rmtree(venv, ignore_errors=True)
    venv.mkdir(parents=True)
    if run_as is not None:
        os.chown(venv, run_as.uid, run_as.gid)
    home = run_as.home if run_as else None
    plain = allowed_environment(environ, names, home=home)
    inside = allowed_environment(environ, names, venv=venv, home=home)
    # Not ready-made while pip is missing from the interpreter: `venv` says so in its own words.
    await _run(Launch((sys.executable, "-m", "venv", str(venv)), base_dir, plain, run_as), say("a virtual environment"))
    await _run(Launch(tuple(setup), base_dir, inside, run_as), f"agent.setup ({' '.join(setup)})")
    (venv / _DONE).touch()
    return venv


async def _run(launch: Launch, what: str) -> None:
    output = Tail()
    process = await Process.start(launch, output.add)
    process.close_stdin()
    try:
        async with asyncio.timeout(SETUP_TIMEOUT_S):
            code = await process.gone()
    except TimeoutError:
        message = say("{what} was not done within {seconds} s", what=what, seconds=SETUP_TIMEOUT_S)
        raise CannotStartError(message) from None
    finally:
        await process.end()
    if code != 0:
        words = process.stderr.last_lines() or output.last_lines()
        how = say("was killed") if code < 0 else say("exited with {code}", code=str(code))
        raise CannotStartError(say("{what} {how}: {words}", what=what, how=how, words=words))


def setup_fingerprint(setup: Sequence[str], base_dir: Path) -> str:
    """Changes with the command, the interpreter, and the content of every file that the command reads."""
    digest = hashlib.sha256("\0".join([sys.executable, sys.version, *setup]).encode("utf-8", "surrogateescape"))
    for path in sorted(set(_read_by(setup, base_dir))):
        digest.update(f"\0{path.relative_to(base_dir) if path.is_relative_to(base_dir) else path}\0".encode())
        with suppress(OSError):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def _read_by(setup: Sequence[str], base_dir: Path) -> Iterator[Path]:
    yield from (base_dir / name for name in _PROJECT_FILES if (base_dir / name).is_file())
    seen: set[Path] = set()
    named = [(base_dir, word) for word in setup[1:]]
    while named:
        folder, word = named.pop()
        # `--requirement=x`, `-rx`, `pkg @ ./x` and `./x[extra]` name a file as `x` does.
        for text in {word, word.partition("=")[2], re.sub(r"^-[a-z]", "", word), word.partition("[")[0]} - {""}:
            path = (folder / text).resolve()
            if path in seen or not _is_there(path):
                continue
            seen.add(path)
            if path.is_dir():
                yield from _sources(path)
                continue
            yield path
            if path.suffix in (".txt", ".in"):
                text_of = path.read_text("utf-8", "replace")
                words = [piece for line in text_of.splitlines() for piece in line.split("#", 1)[0].split()]
                named += [(path.parent, piece) for piece in words] + [(base_dir, piece) for piece in words]


def _is_there(path: Path) -> bool:
    with suppress(OSError, ValueError):
        return path.exists()
    return False


def _sources(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NO_SOURCES and not name.endswith(".egg-info")]
        yield from (Path(root) / name for name in files if not name.endswith(".pyc"))
