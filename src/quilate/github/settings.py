"""The environment of a workflow's step as one typed value; everything wrong with it is reported together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath, PureWindowsPath

from quilate.errors import UsageError, nearest


class Mode(StrEnum):
    """What the step is for. `auto` follows the event; any other says what the event must call for."""

    AUTO = "auto"
    COMPARE = "compare"
    RECORD = "record"
    PUBLISH = "publish"
    INCIDENT = "incident"


INPUTS = ("config", "suite", "token", "mode", "output", "comment")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Inputs and the runner's own variables.

    `config` holds paths or globs relative to `workspace`; `output` is below it. `run_id` and `run_attempt` are
    GitHub's. `output_file` and `summary_file` are None outside a runner.
    """

    token: str = field(repr=False)
    config: tuple[str, ...] = ("quilate.yml",)
    suite: str | None = None
    mode: Mode = Mode.AUTO
    output: Path = Path(".quilate")
    comment: bool = True
    repository: str
    event_name: str
    event_path: Path
    sha: str
    ref: str
    ref_protected: bool = False
    run_id: int
    run_attempt: int = 1
    actor: str = ""
    workspace: Path
    api_url: str
    graphql_url: str
    server_url: str
    output_file: Path | None = None
    summary_file: Path | None = None

    @property
    def run_url(self) -> str:
        """The page of this run: what a comment can link to before any artifact has an address."""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"

    @property
    def on_runner(self) -> bool:
        """Whether a runner reads our standard output for commands."""
        return self.output_file is not None


def from_environ(environ: Mapping[str, str]) -> Settings:
    """Reads inputs (`INPUT_<NAME>`, else `QUILATE_<NAME>`) and the runner's variables; an empty text is unset.

    Raises `UsageError` that lists every problem.
    """
    reader = _Reader(environ)
    settings = Settings(
        token=reader.input("token") or reader.get("GITHUB_TOKEN") or "",
        config=reader.config(),
        suite=reader.input("suite"),
        mode=reader.mode(),
        output=reader.output(),
        comment=reader.boolean("comment", default=True),
        repository=reader.matching("GITHUB_REPOSITORY", r"[^/\s]+/[^/\s]+", "owner/name"),
        event_name=reader.required("GITHUB_EVENT_NAME"),
        event_path=Path(reader.required("GITHUB_EVENT_PATH")),
        sha=reader.matching("GITHUB_SHA", r"[0-9a-f]{40}(?:[0-9a-f]{24})?", "a full commit id"),
        ref=reader.get("GITHUB_REF") or "",
        ref_protected=reader.get("GITHUB_REF_PROTECTED") == "true",
        run_id=reader.number("GITHUB_RUN_ID"),
        run_attempt=reader.number("GITHUB_RUN_ATTEMPT", default=1),
        actor=reader.get("GITHUB_ACTOR") or "",
        workspace=Path(reader.get("GITHUB_WORKSPACE") or "."),
        api_url=reader.url("GITHUB_API_URL", "https://api.github.com"),
        graphql_url=reader.url("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql"),
        server_url=reader.url("GITHUB_SERVER_URL", "https://github.com"),
        output_file=reader.path("GITHUB_OUTPUT"),
        summary_file=reader.path("GITHUB_STEP_SUMMARY"),
    )
    if not settings.token:
        reader.problem("input token: found nothing; leave it out for the job's own token, or give ${{ github.token }}")
    if reader.problems:
        raise UsageError("\n".join(reader.problems))
    return settings


class _Reader:
    """Reads one variable at a time and remembers what is wrong."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.problems: list[str] = []
        for name in environ:
            if name.startswith("INPUT_") and name[6:].lower() not in INPUTS:
                self._unknown(name)

    def _unknown(self, name: str) -> None:
        word = name[6:].lower().replace("-", "_").replace(" ", "_")
        meant = word if word in INPUTS else nearest(word, INPUTS)
        hint = f"did you mean {meant}?" if meant else f"known inputs are {', '.join(INPUTS)}"
        self.problem(f"input {name[6:].lower()}: there is no such input; {hint}")

    def problem(self, text: str) -> None:
        self.problems.append(text)

    def get(self, name: str) -> str | None:
        return self.environ.get(name, "").strip() or None

    def input(self, name: str) -> str | None:
        return self.get(f"INPUT_{name.upper()}") or self.get(f"QUILATE_{name.upper()}")

    def required(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            self.problem(f"{name}: found nothing; the runner sets it, so run this command in a workflow's step")
        return value or ""

    def matching(self, name: str, pattern: str, form: str) -> str:
        value = self.required(name)
        if value and not re.fullmatch(pattern, value):
            self.problem(f"{name}: found {value!r}; it must be {form}")
        return value

    def number(self, name: str, default: int | None = None) -> int:
        value = self.get(name)
        if value is None and default is not None:
            return default
        value = self.required(name)
        if value and not re.fullmatch(r"[0-9]{1,20}", value):
            self.problem(f"{name}: found {value!r}; it must be a whole number")
            return 0
        return int(value or 0)

    def url(self, name: str, default: str) -> str:
        value = self.get(name) or default
        if not re.match(r"https?://[^\s/]+", value):
            self.problem(f"{name}: found {value!r}; it must be an http address")
        return value.rstrip("/")

    def path(self, name: str) -> Path | None:
        value = self.get(name)
        return Path(value) if value else None

    def boolean(self, name: str, *, default: bool) -> bool:
        value = self.input(name)
        if value not in (None, "true", "false"):
            self.problem(f"input {name}: found {value!r}; write true or false")
        return default if value is None else value == "true"

    def mode(self) -> Mode:
        value = self.input("mode") or "auto"
        if value not in set(Mode):
            meant = nearest(value, Mode)
            hint = f"did you mean {meant}?" if meant else f"write one of {', '.join(Mode)}"
            self.problem(f"input mode: found {value!r}; {hint}")
            return Mode.AUTO
        return Mode(value)

    def config(self) -> tuple[str, ...]:
        found = tuple(re.split(r"[\s,]+", self.input("config") or "quilate.yml"))
        for pattern in found:
            self._below_workspace("config", pattern)
        return found

    def output(self) -> Path:
        value = self.input("output") or ".quilate"
        self._below_workspace("output", value)
        return Path(value)

    def _below_workspace(self, name: str, value: str) -> None:
        absolute = PurePosixPath(value).is_absolute() or PureWindowsPath(value).is_absolute()
        if absolute or ".." in re.split(r"[\\/]", value):
            self.problem(
                f"input {name}: found {value!r}; write a path below the workspace (the container sees no other)"
            )
