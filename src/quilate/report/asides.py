"""What stands beside the verdict: alerts, errors, fixed, added and removed cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quilate.grades import ErrorKind, Grade
from quilate.report.escape import Inert
from quilate.report.input import ReportInput, RunSource, SideBySide
from quilate.report.messages import Translator
from quilate.report.reasons import reason_text
from quilate.report.retold import spoken
from quilate.report.story import record_of
from quilate.report.voice import Voice


def warnings(report: ReportInput, voice: Voice, names: int) -> list[Inert]:
    """What a reviewer must know about the ruler before trusting the numbers, a sentence each."""
    comparison, provenance, t, medium = report.comparison, report.provenance, voice.t, voice.medium
    said: list[Inert] = []
    if comparison.approved_only_by_edit:
        count = t.tn(
            "{n} case passes only because this change edited what it expects",
            "{n} cases pass only because this change edited what they expect", len(comparison.approved_only_by_edit),
        )  # fmt: skip
        said.append(Inert(f"{medium.strong(count)}{listed(comparison.approved_only_by_edit, voice, names)}"))
    if comparison.removed_passing:
        count = t.tn(
            "{n} removed case passed in base", "{n} removed cases passed in base", len(comparison.removed_passing)
        )
        said.append(Inert(f"{medium.strong(count)}{listed(comparison.removed_passing, voice, names)}"))
    if comparison.reworded_passing:
        count = t.tn(
            "{n} case that passed in base asks something else now",
            "{n} cases that passed in base ask something else now", len(comparison.reworded_passing),
        )  # fmt: skip
        said.append(Inert(f"{medium.strong(count)}{listed(comparison.reworded_passing, voice, names)}"))
    if comparison.policy_changes:
        edits = [f"{key}: {base} → {head}" for key, (base, head) in comparison.policy_changes.items()]
        named = Inert(", ".join(medium.code(each, 120) for each in edits))
        said.append(t.t("Gated by the base's limits; this change's own take effect after merge: {edits}.", edits=named))
    if provenance.judge_changed:
        before, after = (medium.code(each, 120) for each in provenance.judge_changed)
        said.append(t.t("This change swaps the judge: {before} → {after}.", before=before, after=after))
    elif comparison.judge_changed:
        said.append(t.t("This change swaps the judge."))
    unreliable = unreliable_pairs(report.metrics.side_by_side, t)
    said += [] if unreliable is None else [unreliable]
    others = [each for each in comparison.warnings if each.code not in _TOLD_ABOVE]
    said += [capital(Inert(f"{reason_text(each, report, voice)}.")) for each in others]
    if provenance.fork:
        said.append(t.t("Replies as reported by the fork: graded here, but nobody saw the fork's agent give them."))
        if provenance.base is not None and provenance.base.far_behind:
            said.append(t.t(
                "The fork's base is {n} commits behind the base branch: what was merged since is not in this "
                "comparison.", n=provenance.base.behind,
            ))  # fmt: skip
    return said


_TOLD_ABOVE = ("approved_only_by_edit", "removed_passing", "reworded_passing", "policy_changed", "judge_changed")


def unreliable_pairs(pairs: SideBySide | None, t: Translator) -> Inert | None:
    """The warning about a judge of pairs that goes by their order; None where there is no reason for one."""
    if pairs is None or not pairs.unreliable or pairs.flip_rate is None:
        return None
    return t.t(
        "The judge is unreliable in pairs: in {part} of {whole} ({rate} %) it changed its mind with the order, "
        "which is a tie.",
        part=pairs.flipped, whole=pairs.judged, rate=t.number(100 * pairs.flip_rate),
    )  # fmt: skip


def capital(sentence: Inert) -> Inert:
    """A sentence's first letter large."""
    return Inert(sentence[:1].upper() + sentence[1:])


def listed(ids: Sequence[str], voice: Voice, names: int) -> Inert:
    """`: a, b.` after a count; a full stop alone where there is no room for names."""
    return Inert(f": {voice.names(ids, names)}." if names else ".")


def errors(report: ReportInput, voice: Voice, names: int) -> list[Inert]:
    """Head's cases in error, grouped by why: the most frequent first."""
    grouped: dict[str, list[str]] = {}
    for case_id, why in report.comparison.errors.items():
        grouped.setdefault(why, []).append(case_id)
    groups = sorted(grouped.items(), key=lambda group: -len(group[1]))
    shown = groups[: max(names, 1)]
    said = [
        Inert(
            voice.t.tn(
                "{n} in error, {why}",
                "{n} in error, {why}",
                len(ids),
                why=voice.medium.code(erred(ids[0], why, report.head, voice.t), 200),
            )
            + listed(ids, voice, names)
        )
        for why, ids in shown
    ]
    if len(shown) < len(groups):
        said.append(voice.t.t("Showing {shown} of {all} reasons.", shown=len(shown), all=len(groups)))
    return said


def not_judged(report: ReportInput, voice: Voice, names: int) -> list[Inert]:
    """Cases that nothing could be said about."""
    comparison, t = report.comparison, voice.t
    said: list[Inert] = []
    if comparison.not_judged:
        count = t.tn("{n} case not judged", "{n} cases not judged", len(comparison.not_judged))
        said.append(Inert(f"{count}{listed(comparison.not_judged, voice, names)}"))
    return said


def lists(report: ReportInput, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """What else happened to cases, as pairs of a short count and the sentence with names; absent where nothing did."""
    comparison, t = report.comparison, voice.t
    found: list[tuple[Inert, Inert]] = []

    def add(count: Inert, ids: Sequence[str]) -> None:
        if ids:
            found.append((count, Inert(f"{count}{listed(ids, voice, names)}")))

    add(t.t("fixed {n}", n=len(comparison.fixed)), comparison.fixed)
    add(t.t("added {n}", n=len(comparison.added)), comparison.added)
    passing = set(comparison.removed_passing)
    removed = [each for each in comparison.removed if each not in passing]
    add(t.t("removed {n}", n=len(removed)), removed)
    add(t.t("edited {n}", n=len(comparison.edited)), comparison.edited)
    add(t.t("compared after grading base's replies again {n}", n=len(comparison.rescored)), comparison.rescored)
    add(t.t("partial {n}", n=len(comparison.partial)), comparison.partial)
    if comparison.removed_by_selection:
        asked = t.t("not asked, by selection {n}", n=comparison.removed_by_selection)
        found.append((asked, Inert(f"{asked}.")))
    if comparison.outside:
        found.append(_with_why(t.t("not compared {n}", n=len(comparison.outside)), comparison.outside, voice, names))
    if comparison.quarantine:
        why = {each.case_id: f"{spoken(each.why, t)} ({each.owner}: {each.reason})" for each in comparison.quarantine}
        found.append(_with_why(t.t("quarantined {n}", n=len(why)), why, voice, names))
    else:
        add(t.t("quarantined {n}", n=len(comparison.quarantined)), comparison.quarantined)
    if comparison.confirmed:
        found.append(_confirmed(report, voice, names))
    if comparison.flaky:
        found.append(_flaky(report, voice, names))
    add(t.t("in error in base {n}", n=len(comparison.base_errors)), comparison.base_errors)
    if comparison.renamed:
        count = t.t("renamed {n}", n=len(comparison.renamed))
        pairs = list(comparison.renamed.items())[: max(names, 1)]
        shown = Inert(", ".join(f"{voice.medium.code(old, 120)} → {voice.medium.code(new, 120)}" for old, new in pairs))
        if len(pairs) < len(comparison.renamed):
            shown = t.t(
                "{names} (showing {shown} of {all})", names=shown, shown=len(pairs), all=len(comparison.renamed)
            )
        found.append((count, Inert(f"{count}: {shown}.")))
    return found


def _with_why(count: Inert, why: Mapping[str, str], voice: Voice, names: int) -> tuple[Inert, Inert]:
    pairs = list(why.items())[: max(names, 1)]
    shown = Inert(
        "; ".join(
            f"{voice.medium.code(each, 120)} — {voice.medium.code(spoken(text, voice.t), 200)}" for each, text in pairs
        )
    )
    if len(pairs) < len(why):
        shown = voice.t.t("{names} (showing {shown} of {all})", names=shown, shown=len(pairs), all=len(why))
    return count, Inert(f"{count}: {shown}.")


def _confirmed(report: ReportInput, voice: Voice, names: int) -> tuple[Inert, Inert]:
    """Asking again leans towards passing, so both verdicts are said."""
    confirmed, t = report.comparison.confirmed, voice.t
    count = t.t("asked again {n}", n=len(confirmed))
    shown: list[Inert] = []
    for case_id, each in list(confirmed.items())[: max(names, 1)]:
        shown.append(t.t(
            "{name} {first} → {then} ({approved} of {graded} approved)", name=voice.medium.code(case_id, 120),
            first=grade_word(each.first, t), then=grade_word(each.confirmed, t), approved=each.approved,
            graded=each.graded,
        ))  # fmt: skip
    named = Inert(", ".join(shown))
    if len(shown) < len(confirmed):
        named = t.t("{names} (showing {shown} of {all})", names=named, shown=len(shown), all=len(confirmed))
    return count, t.t("{count}, first grade → majority: {names}.", count=count, names=named)


def erred(case_id: str, why: str, head: RunSource, t: Translator) -> str:
    """Why a case is in error, as its index has it in English, in the language of `t`."""
    if t.language == "en":
        return why
    record = record_of(case_id, head)
    for criterion in (each for trial in record.grade_line.trials for each in trial.criteria) if record else ():
        kind = criterion.error
        if criterion.grade is Grade.ERROR and kind and f"{kind.value}: {criterion.reason}"[:500] == why:
            return f"{error_word(kind, t)}: {spoken(criterion.why, t)}"
    return why


def error_word(kind: ErrorKind, t: Translator) -> Inert:
    """What failed where a case could not be graded, in the reader's language."""
    return {
        ErrorKind.JUDGE: t.t("judge"), ErrorKind.INFRASTRUCTURE: t.t("infrastructure"),
        ErrorKind.BUDGET: t.t("budget"), ErrorKind.SECRET: t.t("secret"),
    }[kind]  # fmt: skip


def grade_word(grade: Grade, t: Translator) -> Inert:
    """A grade in the reader's language."""
    return {
        Grade.PASS: t.t("pass"), Grade.PARTIAL: t.t("partial"), Grade.FAIL: t.t("fail"),
        Grade.ERROR: t.t("error"), Grade.NOT_JUDGED: t.t("not judged"),
    }[grade]  # fmt: skip


def _flaky(report: ReportInput, voice: Voice, names: int) -> tuple[Inert, Inert]:
    """Each with how many of its trials were approved."""
    ids, t = report.comparison.flaky, voice.t
    count = t.t("flaky {n}", n=len(ids))
    shown: list[Inert] = []
    for case_id in ids[:names]:
        record = record_of(case_id, report.head)
        trials = record.grade_line.trials if record else ()
        approved = sum(trial.grade is Grade.PASS for trial in trials)
        shown.append(Inert(f"{voice.medium.code(case_id, 120)}{f' {approved}/{len(trials)}' if trials else ''}"))
    named = Inert(", ".join(shown))
    if len(shown) < len(ids):
        named = t.t("{names} (showing {shown} of {all})", names=named, shown=len(shown), all=len(ids))
    return count, t.t("{count} (not the same in all trials): {names}.", count=count, names=named)
