"""The reader's language: as asked for on the command line, else as the configuration says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from quilate.report.messages import Language


def language_option(of: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """`--language`, of what `of` says; None where it is not given."""
    return click.option(
        "--language", type=click.Choice(["en", "es", "pt-BR"]), default=None,
        help=f"Of {of}.  [default: report_language of the configuration, else en]",
    )  # fmt: skip


def reader_language(chosen: Language | None, config: Path) -> Language:
    """`chosen`, else `report_language` of the configuration; English where there is no such file.

    Raises `InputError` for a configuration that is there and cannot be used.
    """
    if chosen is not None:
        return chosen
    if not config.exists():
        return "en"
    from quilate.config_load import load_config

    return load_config(config).config.report_language
