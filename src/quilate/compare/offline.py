"""Comparing two run files with no configuration, no agent and no judge: code grades again, verdicts are remembered."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Mapping, Sequence

from quilate.checks.code import CodeChecks
from quilate.checks.locale.load import load_packs
from quilate.checks.locale_checks import LocaleChecks
from quilate.compare.align import align
from quilate.compare.base_rules import BaseRules
from quilate.compare.compare import compare
from quilate.compare.comparison import Comparison
from quilate.compare.overlay import Overlay
from quilate.compare.rescore import rescore
from quilate.compare.stored import StoredVerdicts
from quilate.compare.summary import RunSummary
from quilate.grading import Grader, case_ruler
from quilate.judge.criteria import may_need_judge
from quilate.runs.reader import RunReader
from quilate.runs.record import Header


def compare_files(
    base: RunReader | None, head: RunReader, *, today: dt.date, rules: BaseRules | None = None
) -> tuple[Comparison, Overlay]:
    """The comparison of two run files, edited cases graded again as far as the files alone allow.

    Policy, definitions and limits come from the files, and from `rules` what base's configuration says beside them. The
    overlay holds the grades made again.
    """
    if base is None:
        return compare(None, RunSummary.of(head), today=today, rules=rules), Overlay()
    overlay = asyncio.run(rescore_offline(base, head))
    return compare(RunSummary.of(base), RunSummary.of(head), overlay, today=today, rules=rules), overlay


async def rescore_offline(base: RunReader, head: RunReader) -> Overlay:
    """`rescore` with the graders that need nothing but the two files."""
    pairs = align(base.index, head.index).needs_rescoring
    by_head = _graders(head.header, base, {pair.head_id: pair.base_id for pair in pairs})
    by_base = _graders(base.header, head, {pair.base_id: pair.head_id for pair in pairs})
    overlay = await rescore(base, head, by_head, old_graders=by_base)
    for head_id in [case_id for case_id in overlay.base_by_head if not _rebuilt(head, case_id)]:
        del overlay.base_by_head[head_id]
        overlay.why[head_id] = "its ruler cannot be rebuilt from the files (a locale pack of the repository's own?)"
    return overlay


def _rebuilt(head: RunReader, case_id: str) -> bool:
    """Whether the graders here are those that head used, as far as the case's stored ruler tells.

    A judge's part in a ruler cannot be rebuilt without the judge; `StoredVerdicts` answers for that part. A locale of
    which the package has no pack had one of the repository's own.
    """
    line = head.grade_line(case_id)
    shipped = load_packs()
    if line.definition.locale is not None and shipped.get(line.definition.locale) is None:
        return False
    if head.header.judge is not None and may_need_judge(line.definition):
        return True
    packs = LocaleChecks(shipped, judged=False).fingerprint_for(line.definition)
    return line.ruler == case_ruler(line.definition, packs=packs)


def _graders(ruler: Header, replies: RunReader, own_ids: Mapping[str, str]) -> Sequence[Grader]:
    """The graders of `ruler`'s run for the replies that `replies` holds."""
    judged = ruler.judge is not None
    local = LocaleChecks(load_packs(), judged=judged, tested_on=_day(replies.header.conditions.started_at))
    same_judge = ruler.judge_fingerprint == replies.header.judge_fingerprint
    remembered = StoredVerdicts(replies, own_ids, judged=judged, same_judge=same_judge, left_open=[local.left_open])
    code = CodeChecks(max_latency_ms=ruler.conditions.max_latency_ms)
    return [code, local, remembered]


def _day(moment: str) -> dt.date | None:
    try:
        return dt.datetime.fromisoformat(moment).date()
    except ValueError:
        return None
