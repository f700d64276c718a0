"""The conditions of both runs, as evidence needs them: a row a condition, a column a side."""

from __future__ import annotations

import json
from dataclasses import dataclass

from quilate.report import figures, visible
from quilate.report.escape import Inert
from quilate.report.messages import Translator
from quilate.report.sources import ReadRun

_TEXT_BYTES = 6000


@dataclass(frozen=True, slots=True)
class Condition:
    """A row; `base` is None where there is no base. Long texts are folded. `differs` says that the sides differ."""

    name: Inert
    head: str
    base: str | None
    long: bool
    differs: bool


def conditions(head: ReadRun, base: ReadRun | None, t: Translator) -> list[Condition]:
    """Everything that headers and footers say, in the order a reader asks for it."""
    ours, theirs = _said(head, t), _said(base, t) if base is not None else None
    found = []
    for place, (key, name, text) in enumerate(ours):
        before = theirs[place][2] if theirs is not None else None
        if text or before:
            differs = before is not None and before != text and key not in _OF_EACH_RUN
            found.append(Condition(name, text, before, max(len(text), len(before or "")) > 160, differs))
    return found


_OF_EACH_RUN = frozenset(["commit", "started", "ended", "took", "cost", "grades", "work"])
"""What differs between any two runs and is no difference of conditions."""


def _said(run: ReadRun, t: Translator) -> list[tuple[str, Inert, str]]:
    """Key, name and text of every condition; the same keys in the same order for every run."""
    header, footer = run.header, run.footer
    made = header.conditions
    seconds = figures.seconds(footer.seconds, t) if footer else ""
    counts = {grade.value: count for grade, count in footer.counts.items() if count} if footer else {}
    return [
        ("commit", t.t("Commit"), _text(header.commit or "")),
        ("dataset", t.t("Dataset"), _text(header.dataset.version)),
        ("cases", t.t("Cases"), str(header.dataset.cases)),
        ("selection", t.t("Asked only"), _text(header.dataset.selection or "")),
        ("trials", t.t("Trials"), str(made.trials)),
        ("agent", t.t("Agent"), _json(header.agent)),
        ("system_prompt", t.t("System prompt"), _text(made.system_prompt or "")),
        ("fresh", t.t("Fresh single-turn requests"), str(t.t("yes") if made.fresh_single_turn else t.t("no"))),
        ("judge", t.t("Judge"), _json(header.judge) if header.judge else str(t.t("none"))),
        ("gate", t.t("Gate"), _json(header.policy.model_dump(mode="json"))),
        ("latency", t.t("Latency limit"), figures.milliseconds(made.max_latency_ms, t)),
        ("concurrency", t.t("At once"), str(made.concurrency)),
        ("detail", t.t("Further"), _json(made.detail) if made.detail else ""),
        ("started", t.t("Started"), _text(made.started_at)),
        ("ended", t.t("Ended"), _text(footer.ended_at) if footer else str(t.t("not in order"))),
        ("took", t.t("Took"), seconds),
        ("grades", t.t("Grades"), _json(counts) if counts else ""),
        ("cost", t.t("Cost"), _text(footer.cost_usd or "") if footer else ""),
        ("work", t.t("Judge's work"), _json(footer.judge) if footer and footer.judge else ""),
        ("dataset_print", t.t("Fingerprint of the dataset"), _text(header.dataset.fingerprint)),
        ("ruler_print", t.t("Fingerprint of the ruler"), _text(header.ruler)),
        ("agent_print", t.t("Fingerprint of the agent"), _text(header.agent_fingerprint)),
        ("judge_print", t.t("Fingerprint of the judge"), _text(header.judge_fingerprint or "")),
        ("quilate", Inert("quilate"), _text(header.tool_version)),
    ]


def _text(text: str) -> str:
    return visible.lines(visible.cut(text, _TEXT_BYTES))


def _json(value: object) -> str:
    return _text(json.dumps(value, ensure_ascii=False))
