"""What the agent's process sees of ours: a short list, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

ALWAYS = ("PATH", "HOME", "LANG")
"""The variables every agent sees, beside those that `agent.env` names."""


def allowed_environment(
    environ: Mapping[str, str], names: Iterable[str], *, venv: Path | None = None, home: str | None = None
) -> dict[str, str]:
    """The agent's whole environment: PATH, HOME, LANG and `names`, as far as they are set.

    `venv` is a virtual environment: its programs come first on PATH, and VIRTUAL_ENV names it. `home` stands in
    for HOME where the agent runs as another user.
    """
    seen = {name: environ[name] for name in (*ALWAYS, *names) if name in environ}
    seen.setdefault("PATH", os.defpath)
    if os.name == "nt" and "SYSTEMROOT" in environ:
        seen["SYSTEMROOT"] = environ["SYSTEMROOT"]  # Windows starts no program without it
    if venv is not None:
        programs = venv / ("Scripts" if os.name == "nt" else "bin")
        seen["PATH"] = f"{programs}{os.pathsep}{seen['PATH']}"
        seen["VIRTUAL_ENV"] = str(venv)
    if home is not None:
        seen["HOME"] = home
    return seen
