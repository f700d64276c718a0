"""promptfoo configurations: tests become cases, assertions what they have an equivalent in; the rest is listed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from quilate.errors import UsageError
from quilate.goldens.importers.promptfoo_assertions import meant_by
from quilate.goldens.importers.promptfoo_templates import combinations, rendered_prompt, rendered_value, said
from quilate.goldens.importers.table import Fate, Import, merged, slug, unique

_QUESTIONS = (
    "question",
    "query",
    "input",
    "message",
    "prompt",
    "user_input",
    "user_message",
    "text",
    "request",
    "user",
)
_MOST_COMBINATIONS = 100
_NEED_EQUIVALENT = (
    "required_phrases",
    "forbidden_phrases",
    "expected_behavior",
    "expected_output",
    "expected_tools",
    "grounded",
)


def read_promptfoo(config: Any, folder: Path, *, name: str, input_variable: str | None = None) -> Import:
    """The cases of a configuration's tests.

    The input is the prompt with the test's variables put in, as promptfoo sends it; `input_variable` takes the value
    of one variable instead, where the prompt is a part of the agent. `folder` is where relative files are looked for.
    Raises `UsageError` for what is no configuration.
    """
    if not isinstance(config, dict):
        message = f"{name}: no promptfoo configuration: found no object"
        raise UsageError(message)
    reader = _Reader(config, folder, name, input_variable)
    reader.read()
    return reader.found


class _Reader:
    """Goes through one configuration."""

    def __init__(self, config: Mapping[str, Any], folder: Path, name: str, variable: str | None) -> None:
        self.config, self.folder, self.name, self.variable = config, folder, name, variable
        self.found = Import()
        self.taken: set[str] = set()
        default = config.get("defaultTest")
        self.default = default if isinstance(default, dict) else {}
        if isinstance(default, str):
            self.found.note("defaultTest", "defaultTest", Fate.NOT_TAKEN, "it is in a file")

    def read(self) -> None:
        prompt = self.prompt()
        for key in ("redteam", "scenarios"):
            if self.config.get(key):
                why = "attacks are generated when promptfoo runs" if key == "redteam" else "scenarios are not expanded"
                self.found.note(key, key, Fate.NOT_TAKEN, why)
        for number, test in enumerate(self.tests(), 1):
            if isinstance(test, dict):
                self.test(f"test {number}", test, prompt)
            else:
                self.found.note(f"test {number}", "test", Fate.NOT_TAKEN, "it is no object")

    # --- prompts ---------------------------------------------------------------------------------------------------

    def prompt(self) -> str | None:
        """The first prompt's text, None where it cannot be read without running something."""
        prompts = self.config.get("prompts")
        rows: list[Any] = prompts if isinstance(prompts, list) else [prompts] if prompts else []
        texts = [self.prompt_text(row) for row in rows]
        if len(rows) > 1:
            what, why = f"{len(rows) - 1} further prompts", "cases are made with the first prompt that can be read"
            self.found.note("prompts", what, Fate.NOT_TAKEN, why)
        return next((text for text in texts if text is not None), None)

    def prompt_text(self, row: Any) -> str | None:
        if isinstance(row, dict):
            row = row.get("raw") or row.get("id") or row.get("prompt")
        if not isinstance(row, str):
            return None
        path = row.removeprefix("file://").split(":")[0]
        if row.startswith("file://") or re.fullmatch(r"[\w./-]+\.(?:txt|md|json|yaml|py|js|ts|mjs|cjs)", row):
            text = self.text_of(path) if path.endswith((".txt", ".md", ".json", ".yaml", ".yml")) else None
            if text is None or path.endswith((".json", ".yaml", ".yml")):
                return text
            return text.split("\n---\n")[0].strip() or None
        return row

    def text_of(self, path: str) -> str | None:
        """A file below the configuration's folder; nothing outside of it is read."""
        if "*" in path:
            path = next((found.name for found in sorted(self.folder.glob(path)) if found.parent == self.folder), path)
        target = (self.folder / path).resolve()
        if not target.is_relative_to(self.folder.resolve()) or not target.is_file():
            return None
        try:
            return target.read_text("utf-8")
        except (OSError, ValueError):
            return None

    # --- tests -----------------------------------------------------------------------------------------------------

    def tests(self) -> Iterator[Any]:
        tests = self.config.get("tests")
        for row in tests if isinstance(tests, list) else [tests] if tests else []:
            if isinstance(row, str):
                yield from self.tests_in(row)
            elif isinstance(row, dict) and "path" in row and "assert" not in row:
                self.found.note("tests", "tests in a file", Fate.NOT_TAKEN, "they are generated by a program")
            else:
                yield row

    def tests_in(self, reference: str) -> list[Any]:
        from quilate.documents import parse_document
        from quilate.errors import InputError
        from quilate.goldens.importers.tabular import rows_of_csv

        path = reference.removeprefix("file://")
        text = self.text_of(path)
        suffix = Path(path).suffix.lower()
        if text is None or suffix not in (".csv", ".yaml", ".yml", ".json", ".jsonl"):
            why = "not below this folder" if text is None else "they are generated by a program"
            self.found.note("tests", "tests in a file", Fate.NOT_TAKEN, why)
            return []
        if suffix == ".csv":
            return [_test_of_row(row) for row in rows_of_csv(text)]
        try:
            value = parse_document(text, file=path, kind={".json": "json", ".jsonl": "jsonl"}.get(suffix, "yaml")).value
        except InputError as error:
            self.found.note("tests", "tests in a file", Fate.NOT_TAKEN, str(error.problems[0])[:120])
            return []
        return [_test_of_value(row) for row in (value if isinstance(value, list) else [value])]

    def test(self, where: str, test: Mapping[str, Any], prompt: str | None) -> None:
        defaults = self.default.get("vars")
        own = test.get("vars")
        if isinstance(own, str):
            self.found.note(where, "test", Fate.NOT_TAKEN, "its variables are in a file")
            return
        values = (defaults if isinstance(defaults, dict) else {}) | (own if isinstance(own, dict) else {})
        values = {name: self.read_value(value) for name, value in values.items()}
        every = list(itertools.islice(combinations(values), _MOST_COMBINATIONS + 1))
        if len(every) > _MOST_COMBINATIONS:
            self.found.note(where, "combinations of variables", Fate.IN_PART, f"the first {_MOST_COMBINATIONS}")
        for number, variables in enumerate(every[:_MOST_COMBINATIONS]):
            self.case(where, test, variables, prompt, count=number == 0)

    def read_value(self, value: Any) -> Any:
        """A variable's value; a text file's text where it names one."""
        if isinstance(value, str) and value.startswith("file://") and value.endswith((".txt", ".md")):
            return self.text_of(value.removeprefix("file://")) or value
        return value

    def case(
        self, where: str, test: Mapping[str, Any], variables: Mapping[str, Any], prompt: str | None, *, count: bool
    ) -> None:
        """One case; what became of the test's assertions is counted once, however many combinations it has."""
        given = self.input_of(variables, prompt)
        if given is None:
            if count:
                self.found.note(where, "test", Fate.NOT_TAKEN, "no prompt or variable says what is asked")
                self.unread(where, test)
            return
        described = test.get("description")
        title = described if isinstance(described, str) and described else said(given)
        case: dict[str, Any] = {"id": unique(slug(title, where.replace(" ", "-")), self.taken)}
        metadata = test.get("metadata")
        category = metadata.get("category") if isinstance(metadata, dict) else None
        case |= {"category": category if isinstance(category, str) and category else self.name, "input": given}
        case |= _beside(metadata)
        for assertion in self.assertions(test):
            self.assertion(where, assertion, variables, case, count=count)
        self.found.cases.append(case)
        if count:
            graded = any(case.get(name) for name in _NEED_EQUIVALENT)
            fate, why = (Fate.TAKEN, "") if graded else (Fate.IN_PART, "no assertion of it grades what is answered")
            self.found.note(where, "test", fate, why)

    def assertions(self, test: Mapping[str, Any]) -> list[Any]:
        every: list[Any] = []
        for holder in (self.default, test):
            rows = holder.get("assert")
            every += rows if isinstance(rows, list) else []
        return every

    def unread(self, where: str, test: Mapping[str, Any]) -> None:
        for assertion in self.assertions(test):
            kind = str(assertion.get("type", "?"))[:40] if isinstance(assertion, dict) else "?"
            self.found.note(where, kind, Fate.NOT_TAKEN, "its test is not taken")

    def assertion(
        self, where: str, assertion: Any, variables: Mapping[str, Any], case: dict[str, Any], *, count: bool
    ) -> None:
        if isinstance(assertion, dict) and assertion.get("type") == "assert-set":
            inner = assertion.get("assert")
            if count and assertion.get("threshold") is not None:
                self.found.note(where, "assert-set", Fate.IN_PART, "all of its assertions must hold")
            for one in inner if isinstance(inner, list) else []:
                self.assertion(where, one, variables, case, count=count)
            return
        if not isinstance(assertion, dict) or not isinstance(assertion.get("type"), str):
            if count:
                self.found.note(where, "assertion", Fate.NOT_TAKEN, "it has no type")
            return
        value, rendered = rendered_value(assertion.get("value"), variables)
        meant = meant_by(assertion, value) if rendered else None
        if meant is None:
            fate, why = Fate.NOT_TAKEN, "its value is a template with logic"
        else:
            fate, why = meant.fate, meant.why
            clash = [
                name
                for name, field in meant.fields.items()
                if not isinstance(field, list) and case.get(name, field) != field
            ]
            if clash:
                fate, why = Fate.NOT_TAKEN, f"the case has another {clash[0]} already"
            else:
                merged(case, meant.fields.items())
        if count:
            self.found.note(where, str(assertion["type"])[:40], fate, why)

    def input_of(self, variables: Mapping[str, Any], prompt: str | None) -> str | list[dict[str, str]] | None:
        texts = {name: str(value) for name, value in variables.items() if isinstance(value, str | int | float)}
        usable = {name: text for name, text in texts.items() if text.strip() and not text.startswith("file://")}
        if self.variable is not None:
            return usable.get(self.variable)
        if prompt is not None:
            rendered = rendered_prompt(prompt, variables)
            if rendered:
                return rendered
        named = next((usable[name] for name in _QUESTIONS if name in usable), None)
        return named or (next(iter(usable.values())) if len(usable) == 1 else None)


def _beside(metadata: Any) -> dict[str, Any]:
    """What our own export puts into `metadata`: who answers for a case, where it comes from, its tags."""
    given = metadata if isinstance(metadata, dict) else {}
    found = {name: given[name] for name in ("source", "owner", "family") if _is_text(given.get(name))}
    tags = given.get("tags")
    if isinstance(tags, list) and tags and all(map(_is_text, tags)):
        found["tags"] = tags
    return found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


_EXPECTED = re.compile(r"^(?P<type>(?:not-)?[a-z][a-z:-]*)(?:\((?P<threshold>[\d.]+)\))?:\s*(?P<value>.*)$", re.DOTALL)


def _test_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of promptfoo's CSV: columns are variables, `__expected…` columns assertions."""
    test: dict[str, Any] = {"vars": {name: value for name, value in row.items() if not name.startswith("__")}}
    test["assert"] = [_assertion_of(value) for name, value in row.items() if name.startswith("__expected") and value]
    if row.get("__description"):
        test["description"] = row["__description"]
    return test


def _test_of_value(row: Any) -> Any:
    """A row of a file of tests that has none of a test's keys is one of variables."""
    bare = isinstance(row, dict) and not {"vars", "assert", "description", "options", "provider"} & set(row)
    return _test_of_row({name: _cell(value) for name, value in row.items()}) if bare else row


def _cell(value: Any) -> Any:
    return value if isinstance(value, str | int | float | list) else str(value)


def _assertion_of(text: str) -> dict[str, Any]:
    match = _EXPECTED.match(text)
    if match is None:
        return {"type": "equals", "value": text}
    kind = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}.get(match["type"], match["type"])
    found: dict[str, Any] = {"type": kind, "value": match["value"].strip()}
    if match["threshold"]:
        found["threshold"] = float(match["threshold"])
    return found
