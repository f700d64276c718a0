"""Files that serve an agent's own function to quilate, from the agent's own interpreter; they import none of ours."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

Language = Literal["python", "node"]

NAMES: dict[Language, str] = {"python": "quilate_agent.py", "node": "quilate-agent.mjs"}
"""The file of each language, as it is written into a repository."""


def source(language: Language) -> str:
    """The shim's text."""
    return files(__name__).joinpath(NAMES[language]).read_text("utf-8")
