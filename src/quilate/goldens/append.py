"""Cases into a golden file that is there already: only lines are added; comments, order and style stay."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quilate.documents import FORMATS, parse_document
from quilate.errors import InputError, UsageError
from quilate.goldens.written_yaml import case_flow, case_lines, scalar


def new_file(cases: Sequence[Mapping[str, Any]], *, version: str, comment: str = "") -> str:
    """A whole golden file of `cases` as YAML."""
    head = [f"# {line}" for line in comment.splitlines()]
    body = [line for case in cases for line in case_lines(case)]
    return (
        "\n".join([*head, f"version: {scalar(version, flow=False)}", "cases:" if body else "cases: []", *body]) + "\n"
    )


def append_cases(path: Path, cases: Sequence[Mapping[str, Any]], *, version: str) -> None:
    """Adds `cases` to the golden file at `path`, or makes it. The file is whole at any moment.

    The new file beside it, made by one process at a time, is the lock: two that add at once both find their case there.
    Raises `InputError` for a file that cannot be read, `UsageError` for one whose cases stand where none can be added.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        message = f"{path}: a golden file's name ends in one of {', '.join(FORMATS)}"
        raise UsageError(message)
    name, path = os.fspath(path), path.resolve()  # a link's target is what is replaced, not the link
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    _make_alone(beside)
    try:
        beside.write_bytes(_after(path, name, kind, cases, version).encode("utf-8", "replace"))
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


_LONGEST_WAIT_S = 10.0


def _make_alone(beside: Path) -> None:
    """Makes the file, or waits while another process has it. Raises `UsageError`."""
    end = time.monotonic() + _LONGEST_WAIT_S
    while True:
        try:
            beside.open("x").close()
        except FileExistsError:
            if time.monotonic() > end:
                message = f"{beside}: another process writes this file; where none does, remove it and try again"
                raise UsageError(message) from None
            time.sleep(0.02)
        else:
            return


def _after(path: Path, name: str, kind: str, cases: Sequence[Mapping[str, Any]], version: str) -> str:
    if path.exists():
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            message = f"{name}: not UTF-8; save the file as UTF-8 first"
            raise UsageError(message) from None
        return with_cases(text, cases, kind=kind, file=name)
    if kind == "yaml":
        return new_file(cases, version=version)
    if kind == "json":
        return json.dumps({"version": version, "cases": list(cases)}, ensure_ascii=False, indent=2) + "\n"
    return "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)


def with_cases(text: str, cases: Sequence[Mapping[str, Any]], *, kind: str, file: str) -> str:
    """`text` of a golden file with `cases` after its own; nothing else of it changes."""
    before = _cases_of(text, kind, file)
    add = {"yaml": _into_yaml, "json": _into_json, "jsonl": _into_json_lines}[kind]
    after = add(text, cases)
    try:
        right = _cases_of(after, kind, file) == [*before, *(_plain(case) for case in cases)]
    except InputError:
        right = False
    if not right:
        message = f"{file}: the list of cases is written in a way to which none can be added; add it by hand"
        raise UsageError(message)
    return after


def _cases_of(text: str, kind: str, file: str) -> list[Any]:
    value = parse_document(text, file=file, kind=kind).value
    cases = value.get("cases") if isinstance(value, dict) else value
    if not isinstance(cases, list):
        message = f"{file}: found no list of cases to add to; write cases: [] first"
        raise UsageError(message)
    return cases


def _plain(case: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(case))


def _into_json_lines(text: str, cases: Sequence[Mapping[str, Any]]) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    lines = "".join(json.dumps(case, ensure_ascii=False) + end for case in cases)
    return text + ("" if text.endswith("\n") else end) + lines


def _into_json(text: str, cases: Sequence[Mapping[str, Any]]) -> str:
    """JSON is YAML's flow style: before the bracket that ends the list."""
    import yaml

    node = _list_node(yaml.compose(text, Loader=yaml.SafeLoader))
    end = "\r\n" if "\r\n" in text else "\n"
    close = text.rindex("]", 0, node.end_mark.index)
    last = max(node.value[-1].end_mark.index, 0) if node.value else text.rindex("[", 0, close) + 1
    indent = " " * _column(text, node.value[-1].start_mark.index) if node.value else "    "
    shown = [json.dumps(case, ensure_ascii=False, indent=2).replace("\n", end + indent) for case in cases]
    added = ("," if node.value else "") + "".join(
        f"{',' if n else ''}{end}{indent}{one}" for n, one in enumerate(shown)
    )
    gap = text[last:close]
    return text[:last] + added + (gap if gap.strip(" \t") else end + indent[:-2]) + text[close:]


def _column(text: str, index: int) -> int:
    start = text.rfind("\n", 0, index) + 1
    return len(text[start:index]) - len(text[start:index].lstrip()) if text[start:index].strip() else index - start


def _into_yaml(text: str, cases: Sequence[Mapping[str, Any]]) -> str:
    import yaml

    node = _list_node(yaml.compose(text, Loader=yaml.SafeLoader))
    if node.flow_style:
        return _into_flow(text, node, cases)
    lines = re.split(r"(?<=\n)", text)
    end = "\r\n" if "\r\n" in text else "\n"
    at = _last_line(node) + 1
    first = lines[node.value[-1].start_mark.line]
    dash = re.match(r"\s*-\s+", first)
    lead = dash[0] if dash else "  - "
    flow = all(getattr(item, "flow_style", False) for item in node.value)
    blank = len(node.value) > 1 and not lines[node.value[-1].start_mark.line - 1].strip()
    added: list[str] = []
    for case in cases:
        added += [*([""] if blank else []), *([lead + case_flow(case)] if flow else case_lines(case, dash=lead))]
    if at > 0 and not lines[at - 1].endswith("\n"):
        lines[at - 1] += end
    return "".join([*lines[:at], *(line + end for line in added), *lines[at:]])


def _into_flow(text: str, node: Any, cases: Sequence[Mapping[str, Any]]) -> str:
    """A flow list: `[]` becomes a block, another is added to before its bracket."""
    start, close = node.start_mark.index, node.end_mark.index - 1
    end = "\r\n" if "\r\n" in text else "\n"
    if not node.value:
        body = end.join(line for case in cases for line in case_lines(case))
        return text[:start].rstrip(" ") + end + body + text[close + 1 :]
    last = node.value[-1].end_mark.index
    return text[:last] + "".join(f", {case_flow(case)}" for case in cases) + text[last:]


def _last_line(node: Any) -> int:
    """The line on which a node's last scalar ends; a collection's own end mark lies after comments."""
    import yaml

    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    mark = node.end_mark
    line = int(mark.line)
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        return _end_of_block(node)
    return line if mark.column or line == int(node.start_mark.line) else line - 1


def _end_of_block(node: Any) -> int:
    """A block scalar's last line with text, by its source."""
    source = node.start_mark.buffer or ""
    written = source[node.start_mark.index : node.end_mark.index].rstrip("\r\n \0")
    return int(node.start_mark.line) + written.count("\n")


def _list_node(root: Any) -> Any:
    import yaml

    if isinstance(root, yaml.SequenceNode):
        return root
    return next(value for key, value in root.value if key.value == "cases")
