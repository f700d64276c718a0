"""The judge's words: files in the package, or a repository's own by the same names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from quilate.canonical import fingerprint
from quilate.errors import InputError, Problem, nearest

PLACEHOLDERS: dict[str, tuple[str, ...]] = {
    "system": (),
    "task": ("questions", "nonce", "data", "shape"),
    "grounded": (),
    "without_evidence": (),
    "reference": (),
    "repair": ("problems", "shape"),
}
"""Prompt name → the placeholders it must hold, written `{{name}}`."""

WITHOUT_EVIDENCE = ("resolved", "handed_over", "tone")
SIDE_BY_SIDE: dict[str, tuple[str, ...]] = {
    "side_by_side_system": (),
    "side_by_side_task": ("nonce", "data", "shape"),
    "repair": PLACEHOLDERS["repair"],
}
"""The prompts of the judge of pairs, in the same folder; the ruler of single replies does not change with them."""
_KNOWN = tuple({**PLACEHOLDERS, **SIDE_BY_SIDE})
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_MAX_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Prompts:
    """Every prompt by name; `fingerprint` changes with any of them."""

    texts: dict[str, str]

    @property
    def fingerprint(self) -> str:
        """The version of the prompts, as it stands in the ruler."""
        return fingerprint(self.texts)

    def filled(self, name: str, **values: str) -> str:
        """The prompt with its placeholders filled in one pass: what is filled in is not looked at again."""
        return _PLACEHOLDER.sub(lambda found: values[found[1]], self.texts[name])

    @property
    def without_evidence(self) -> dict[str, str]:
        """The questions asked where there is no evidence, by what they are about."""
        lines = (line.partition(":") for line in self.texts["without_evidence"].splitlines() if line.strip())
        return {key.strip(): text.strip() for key, _, text in lines}


def load_prompts(folder: Path | None = None, wanted: Mapping[str, tuple[str, ...]] = PLACEHOLDERS) -> Prompts:
    """The shipped prompts of `wanted`, with those that `folder` holds (`task.md` …) in their place.

    Raises `InputError` for a folder that is not there, a file of an unknown name, and a prompt without a placeholder
    it needs or with one it does not know.
    """
    texts = {name: _shipped(name) for name in wanted}
    problems: list[Problem] = []
    if folder is not None:
        if not folder.is_dir():
            mend = "name a folder with prompts, or leave judge.prompts out"
            raise InputError([Problem(str(folder), None, "", "found no folder", mend)])
        for path in sorted(folder.glob("*.md")):
            if path.stem in wanted:
                texts[path.stem] = _own(path, wanted[path.stem], problems)
            elif path.stem not in _KNOWN:
                guess = nearest(path.stem, _KNOWN)
                mend = f"did you mean {guess}.md?" if guess else f"use one of {', '.join(_KNOWN)}"
                problems.append(Problem(str(path), None, "", "a prompt that nothing reads", mend))
    if problems:
        raise InputError(problems)
    return Prompts(texts)


def _shipped(name: str) -> str:
    return files("quilate.judge").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


def _own(path: Path, needed: tuple[str, ...], problems: list[Problem]) -> str:
    try:
        content = path.read_bytes()
        text = content.decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem(str(path), None, "", f"a file that cannot be read ({error})", "write UTF-8 text"))
        return ""
    if len(content) > _MAX_BYTES:
        problems.append(Problem(str(path), None, "", f"{len(content)} bytes", f"stay below {_MAX_BYTES}"))
    held = set(_PLACEHOLDER.findall(text))
    problems.extend(
        Problem(str(path), None, "", f"no {{{{{name}}}}}", f"write {{{{{name}}}}} where it belongs")
        for name in needed
        if name not in held
    )
    for name in sorted(held - set(needed)):
        known = ", ".join(needed) or "none"
        problems.append(Problem(str(path), None, "", f"{{{{{name}}}}}, which nothing fills", f"known here: {known}"))
    if path.stem == "without_evidence":
        found = Prompts({"without_evidence": text}).without_evidence
        if set(found) != set(WITHOUT_EVIDENCE):
            mend = f"write one line each for {', '.join(WITHOUT_EVIDENCE)}, as `name: question`"
            problems.append(Problem(str(path), None, "", f"lines for {', '.join(found) or 'nothing'}", mend))
    return text
