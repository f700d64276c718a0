"""What decides a suite's baseline, from the configuration as it stands at the base commit: not from the change's own.

Else a change could rename its suite, or name another place of records, and be compared with nothing or with its own.
"""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, ValidationError

from quilate.compare.base_rules import BaseRules
from quilate.config import BaselineConfig, Config, Gate, Suite
from quilate.documents import FORMATS, parse_document
from quilate.errors import InputError
from quilate.file_model import FileModel, Text
from quilate.github import base_files
from quilate.github.lookup import Base, Rule
from quilate.github.suites import Place, paths_of
from quilate.github.turn import Step
from quilate.problems import problems_of
from quilate.shown import shown


class _Ruling(FileModel):
    """The keys of a configuration that decide what a change is held to. The others may be wrong, or unknown here."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)

    suite: Suite
    baseline: BaselineConfig = BaselineConfig()
    gate: Gate = Gate()
    accept_label: Text = str(Config.model_fields["accept_label"].default)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A suite with what base says of it. `place` is the change's, `record` the same as its baseline is found by.

    `rules` is None where base has no configuration of the suite: the change that brings one in decides for itself.
    """

    place: Place
    record: Place
    rules: BaseRules | None


def ruled(step: Step, place: Place, base: Base) -> Ruled:
    """The suite of a change under base's rules; a run that watches has no other base than itself.

    Raises `GitHubError` where base cannot be asked. A configuration that cannot be understood is told in `rules`.
    """
    if base.rule is Rule.SAME:
        return Ruled(place, place, None)
    root = _repository_of(place.config_path)
    path = _below(root, place.config_path)
    content = base_files.content_at(step.api, base.commit, path)
    try:
        if content is not None:
            return _by(place, place.suite.base_dir, _ruling(content, path))
        moved = _moved(step, place, base, root)
    except InputError as error:
        what = f"{path} of {base.commit[:7]} cannot be read: {'; '.join(map(str, error.problems[:3]))}"
        return _unread(place, what)
    if len(moved) > 1:
        names = ", ".join(sorted(one.suite for _, one in moved))
        return _unread(place, f"this change takes away {names} and brings in {place.name}; rename one in a change")
    return _by(place, *moved[0]) if moved else Ruled(place, place, None)


def _by(place: Place, folder: Path, ruling: _Ruling) -> Ruled:
    """The suite by what a configuration in `folder` says."""
    own = place.suite.config
    baseline = ruling.baseline
    record = own.model_copy(update={"suite": ruling.suite, "baseline": baseline})
    labelled = own.model_copy(update={"accept_label": ruling.accept_label})
    return Ruled(
        dataclasses.replace(place, suite=dataclasses.replace(place.suite, config=labelled)),
        dataclasses.replace(place, suite=dataclasses.replace(place.suite, config=record, base_dir=folder)),
        BaseRules(ruling.suite, ruling.gate, _changes(ruling, own)),
    )


def _changes(ruling: _Ruling, own: Config) -> dict[str, tuple[str, str]]:
    """What the change sets otherwise of that which decides where the baseline is, and who releases the check."""
    old, new = ruling.baseline, own.baseline
    stores = {old.store, new.store}
    found = {
        "baseline.store": (old.store, new.store),
        **({"baseline.branch": (old.branch, new.branch)} if "branch" in stores else {}),
        **({"baseline.directory": (old.directory, new.directory)} if "directory" in stores else {}),
        "accept_label": (ruling.accept_label, own.accept_label),
    }
    return {key: pair for key, pair in found.items() if pair[0] != pair[1]}


def _unread(place: Place, why: str) -> Ruled:
    return Ruled(place, place, BaseRules(place.name, place.suite.config.gate, unread=why))


def _moved(step: Step, place: Place, base: Base, root: Path) -> list[tuple[Path, _Ruling]]:
    """Base's configurations that this one may have been, each with its folder: of the same name, else every one that
    the change took away. Only where globs name them: a path that base does not have was nowhere else."""
    patterns = step.settings.config
    if not any(letter in pattern for pattern in patterns for letter in "*?["):
        return []
    snapshot = base_files.snapshot(step.api, base.commit)
    named = snapshot.matching([_below(root, pattern) for pattern in patterns])
    gone = [path for path in named if not (root / path).is_file()]
    found = [(root / path, _ruling(snapshot.content(path), path)) for path in gone]
    rulings = [(path.parent, one) for path, one in found]
    same = [(folder, one) for folder, one in rulings if one.suite == place.name]
    if same or not rulings:
        return same
    still = {_ruling(Path(path).read_bytes(), path).suite for path in paths_of(patterns, Path())}
    return [(folder, one) for folder, one in rulings if one.suite not in still]


def _ruling(content: bytes, path: str) -> _Ruling:
    """Raises `InputError` where the keys that are looked at cannot be understood."""
    document = parse_document(content, file=path, kind=FORMATS.get(Path(path).suffix.lower(), "yaml"))
    if not isinstance(document.value, dict):
        raise InputError([document.problem((), shown(document.value), "write an object with suite, goldens and agent")])
    try:
        return _Ruling.model_validate_json(json.dumps(document.value))
    except ValidationError as error:
        raise InputError(problems_of(error, document, _Ruling, written=document.value)) from None


def _repository_of(config_path: str) -> Path:
    """The folder of the checkout that a configuration is in; the workspace where there is no checkout to be seen."""
    folder = Path(os.path.abspath(config_path)).parent  # noqa: PTH100 - links are base's business, not followed here
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), Path.cwd())


def _below(root: Path, path: str) -> str:
    return Path(os.path.relpath(os.path.abspath(path), root)).as_posix()  # noqa: PTH100 - as above
