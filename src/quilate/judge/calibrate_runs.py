"""A judge's verdicts out of a run file, for labels to stand beside."""

from __future__ import annotations

from quilate.errors import UsageError
from quilate.grades import Grade, GradedBy
from quilate.judge.calibrate import Item, JudgedReplies
from quilate.judge.identity import reply_sha256
from quilate.runs.reader import RunReader


def judged_replies(run: RunReader) -> JudgedReplies:
    """Every reply of `run` with its criteria, and what the judge said of each.

    Of identical replies to a case the first one's verdict counts. Raises `UsageError` for a run that no model judged.
    """
    judge = run.header.judge
    if judge is None or judge.get("provider") == "labels":
        found = "no judge took part in it" if judge is None else "people judged it"
        message = f"{run.name}: {found}, so there is no judge to calibrate; run with judge: and a model"
        raise UsageError(message)
    verdicts: dict[Item, Grade] = {}
    ids: dict[tuple[str, str], dict[str, str]] = {}
    for case in run.cases():
        for trial in case.grade_line.trials:
            reply = case.replies.get(trial.trial)
            if reply is None:
                continue
            named = ids.setdefault((case.grade_line.case_id, reply_sha256(reply)), {})
            for criterion in trial.criteria:
                named.setdefault(criterion.id, criterion.id)
                if criterion.text is not None:
                    named.setdefault(criterion.text, criterion.id)
                if criterion.graded_by is GradedBy.JUDGE:
                    item = Item(case.grade_line.case_id, reply_sha256(reply), criterion.id)
                    verdicts.setdefault(item, criterion.grade)
    return JudgedReplies(verdicts, ids)
