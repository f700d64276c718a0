"""Where the numbers come from, in one small line; and why there is nothing to compare with."""

from __future__ import annotations

from quilate.report import figures
from quilate.report.escape import Inert
from quilate.report.input import BaseCommit, JudgeUse, NoBaseline, ReportInput
from quilate.report.voice import Voice


def provenance(report: ReportInput, voice: Voice) -> list[Inert]:
    """The parts of the last line, from the base's commit to the tool's version."""
    source, t, medium = report.provenance, voice.t, voice.medium
    parts: list[Inert] = []
    if report.comparison.compared and source.base is not None:
        parts.append(_base(source.base, voice))
    cases = t.tn("{n} case", "{n} cases", source.cases)
    asked = Inert(f"{cases} × {t.number(source.trials)}") if source.trials > 1 else cases
    parts.append(t.t("dataset {version}, {asked}", version=medium.code(source.dataset_version, 80), asked=asked))
    if source.selection:
        parts.append(t.t("only {selection}", selection=medium.code(source.selection, 120)))
    latency = _latency(report, voice)
    if latency:
        parts.append(latency)
    if source.judge is not None:
        parts.append(_judge(source.judge, voice))
    if source.seconds is not None:
        parts.append(figures.seconds(source.seconds, t))
    version = source.tool_version
    parts.append(Inert(f"quilate {version if _plain(version) else medium.code(version, 40)}"))
    return parts


def _base(base: BaseCommit, voice: Voice) -> Inert:
    if not base.commit:
        return voice.t.t("Base: {how}", how=_how(base, voice))
    commit = voice.medium.code(base.commit[:12], 40)
    return voice.t.t("Base {commit} ({how})", commit=commit, how=_how(base, voice))


def _plain(version: str) -> bool:
    return version.replace(".", "").isascii() and version.replace(".", "").isalnum()


def _how(base: BaseCommit, voice: Voice) -> Inert:
    t = voice.t
    if base.role == "file":
        when = t.moment(base.made_at)
        return t.t("run of {when}", when=when) if when else t.t("the run file given")
    role = {
        "parent": t.t("parent of the tested merge"),
        "merge_base": t.t("merge base"),
        "merge_group": t.t("base of the merge group"),
        "push": t.t("this branch"),
    }[base.role]
    return t.tn("{role}, {n} commit back", "{role}, {n} commits back", base.distance, role=role)


def _latency(report: ReportInput, voice: Voice) -> Inert | None:
    latency = report.comparison.latency
    if latency.head_p95_ms is None:
        return None
    now = figures.milliseconds(latency.head_p95_ms, voice.t)
    if latency.base_p95_ms is None:
        return Inert(f"p95 {now}")
    return Inert(f"p95 {figures.milliseconds(latency.base_p95_ms, voice.t)} → {now}")


def _judge(judge: JudgeUse, voice: Voice) -> Inert:
    t = voice.t
    said = t.t(
        "judge {model}, {taken} of {all} verdicts taken over",
        model=voice.medium.code(judge.model, 80), taken=judge.taken_over, all=judge.taken_over + judge.made,
    )  # fmt: skip
    return said if judge.cost_usd is None else Inert(f"{said}, {figures.usd(judge.cost_usd, t)}")


def no_baseline(why: NoBaseline | None, voice: Voice) -> Inert:
    """Why nothing was compared, and what makes the next run compare."""
    t, medium = voice.t, voice.medium
    if why is None:
        return t.t("There is no baseline to compare with.")
    branch = medium.code(why.branch, 120)
    if why.why == "no_record":
        return t.tn(
            "There is no baseline yet: the last commit of {branch} has no record. It is made by the first push to "
            "{branch} after the workflow is merged; nothing else is to be done.",
            "There is no baseline yet: none of the last {n} commits of {branch} has a record. It is made by the first "
            "push to {branch} after the workflow is merged; nothing else is to be done.", why.looked_at, branch=branch,
        )  # fmt: skip
    if why.why == "unusable":
        return t.t(
            "There are records of {branch}, but none can be used (incomplete, unreadable, or with too many errors). "
            "The next push to {branch} makes a new one.", branch=branch,
        )  # fmt: skip
    if why.why == "not_given":
        return t.t("No baseline was given; {command} compares.", command=medium.code("quilate run --baseline FILE"))
    return medium.code(why.text, 400)
