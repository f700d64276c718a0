"""What `quilate init` writes: a configuration, a first golden file, the agent's shim, the workflows, the issue form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

from quilate import __version__
from quilate.agents import shims
from quilate.errors import UsageError

ACTIONS = {
    "CHECKOUT": "3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
    "UPLOAD": "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1",
    "PYTHON": "5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0",
}
"""GitHub's own actions, by commit: the same as in our own workflows, where Dependabot raises them (a test compares)."""


class Kind(StrEnum):
    """In which way the agent is asked."""

    PYTHON = "python"
    NODE = "node"
    HTTP = "http"


EXAMPLE = {Kind.PYTHON: "agent.py", Kind.NODE: "agent.mjs", Kind.HTTP: "server.py"}
"""The file that holds the example function of each kind, to be replaced by one's own."""

SHIM: dict[Kind, shims.Language] = {Kind.PYTHON: "python", Kind.NODE: "node"}
STEP = {Kind.PYTHON: "step-container.yml", Kind.NODE: "step-plain.yml", Kind.HTTP: "step-container.yml"}


def scaffold(kind: Kind, *, suite: str, branch: str, audit: bool = False) -> dict[str, str]:
    """Path → text of every file, in the order in which a person reads them.

    `suite` names the suite, `branch` the base branch that the workflow records. With `audit` also the weekly audit.
    """
    fill = {"SUITE": suite, "BRANCH": branch, "VERSION": __version__, **ACTIONS}
    step = _template(STEP[kind])
    fill |= {name: _filled(step, fill | {"MODE": name.lower()}) for name in ("RECORD", "COMPARE", "INCIDENT")}
    fill["AGENT"] = _template(f"{kind}/agent.yml").rstrip("\n")
    made = {
        "quilate.yml": _template("quilate.yml"),
        "goldens/first.yaml": _template("goldens.yaml"),
        EXAMPLE[kind]: _template(f"{kind}/{EXAMPLE[kind]}"),
    }
    if kind in SHIM:
        made[shims.NAMES[SHIM[kind]]] = shims.source(SHIM[kind])
    made |= {
        ".gitignore": ".quilate/\n",
        ".github/workflows/quilate.yml": _template("workflow.yml"),
        ".github/workflows/quilate-forks.yml": _template("publish.yml"),
        ".github/workflows/quilate-incidents.yml": _template("incident.yml"),
        ".github/ISSUE_TEMPLATE/golden-case.yml": _template("golden-case.yml"),
    }
    if audit:
        made[".github/workflows/quilate-audit.yml"] = _template("audit.yml")
    return {path: _filled(text, fill) for path, text in made.items()}


def _template(name: str) -> str:
    return files("quilate").joinpath("templates", *name.split("/")).read_text("utf-8")


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"@{name}@", value.rstrip("\n") if "\n" in value else value)
    return text


def suite_name(folder: str) -> str:
    """A suite's name from a folder's: small letters, digits and hyphens, at most 63; `agent` where nothing is left."""
    return re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-")[:63].strip("-") or "agent"


def default_branch(folder: Path) -> str:
    """The remote's default branch, from git's own files; `main` where they do not tell."""
    try:
        head = (folder / ".git" / "refs" / "remotes" / "origin" / "HEAD").read_text("utf-8")
    except (OSError, ValueError):
        return "main"
    branch = head.strip().removeprefix("ref: refs/remotes/origin/")
    # Anything but a plain name would have to be quoted in the workflow; the person writes it there.
    return branch if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]*", branch) else "main"


@dataclass(frozen=True, slots=True)
class Written:
    """Paths that were made, and paths that were there and were left as they are."""

    new: tuple[str, ...]
    left: tuple[str, ...]


def write(folder: Path, made: Mapping[str, str]) -> Written:
    """Writes what is not there yet; never changes a file. Raises `UsageError` where a path cannot be made."""
    new, left = [], []
    for name, text in made.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            new.append(name)
        except FileExistsError:
            if not path.is_file():
                message = f"{path}: there is something else of that name; move it, and run quilate init again"
                raise UsageError(message) from None
            left.append(name)
        except OSError as error:
            message = f"{path}: cannot be written ({error.strerror}); what was written before it stays"
            raise UsageError(message) from error
    return Written(tuple(new), tuple(left))
