"""quilate.yml into a configuration, with every problem told in one go."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from quilate.config import Config
from quilate.documents import Document, read_document
from quilate.errors import InputError, Problem
from quilate.goldens.case import Dataset
from quilate.goldens.files import NamedIn
from quilate.goldens.load import Goldens, load_goldens, with_suite_defaults
from quilate.problems import problems_of
from quilate.shown import shown

DEFAULT_CONFIG = "quilate.yml"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration and where it was read; paths in it are relative to `base_dir`, its folder."""

    config: Config
    path: Path
    base_dir: Path
    document: Document

    def resolve(self, path: str) -> Path:
        """A path of the configuration, as the program opens it."""
        return self.base_dir / path

    def goldens(self) -> Goldens:
        """The golden cases as they are written, with their files. Raises `InputError`."""
        return load_goldens(self.config.goldens, self.base_dir, named_in=NamedIn(self.document, "goldens"))

    def dataset(self) -> Dataset:
        """The golden cases as this suite asks and grades them, its defaults applied. Raises `InputError`."""
        return with_suite_defaults(
            self.goldens().dataset, max_latency_ms=self.config.max_latency_ms, grounded=self.config.grounded
        )


def load_config(path: str | os.PathLike[str] = DEFAULT_CONFIG) -> ConfigFile:
    """The configuration in a file (YAML, or JSON by its ending). Raises `InputError` with every problem."""
    if not Path(path).exists():
        mend = "correct the path, or write a first one with `quilate init`"
        raise InputError([Problem(os.fspath(path), None, "", "found no file there", mend)])
    document = read_document(path)
    written = document.value
    if not isinstance(written, dict):
        raise InputError([document.problem((), shown(written), "write an object with suite, goldens and agent")])
    try:
        config = Config.model_validate_json(
            json.dumps({key: value for key, value in written.items() if key != "$schema"})
        )
    except ValidationError as error:
        raise InputError(problems_of(error, document, Config, written=written)) from None
    return ConfigFile(config, Path(path), Path(path).parent, document)
