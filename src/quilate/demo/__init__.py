"""The embedded example: an orders agent in two versions, and the golden cases both are asked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

GOLDENS = "orders.es-CL.yaml"


def goldens_file() -> Path:
    """The example's golden file: beside this module in an installed package, in `goldens/` of a source tree."""
    here = Path(__file__).resolve().parent
    packaged = here / "goldens" / GOLDENS
    return packaged if packaged.is_file() else here.parents[2] / "goldens" / GOLDENS


def agent_command(prompt: Literal["v1", "v2"]) -> tuple[str, ...]:
    """The command, for `protocol: jsonl`, that serves the agent with one of its prompts.

    The script is started by its path: it stands alone, as a user's own agent would.
    """
    return (sys.executable, str(Path(__file__).resolve().parent / "agent.py"), "--prompt", prompt)
