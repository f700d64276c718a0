"""People rate, the judge is calibrated by it, and the next comment says how far it is to be trusted."""

from __future__ import annotations

import json

from tests.e2e.side_by_side.conftest import Bench
from tests.suite_factories import some_cases

from quilate.judge.identity import reply_sha256
from quilate.runs.reader import RunReader


def people_say(bench: Bench, bad: int) -> None:
    """Labels on the replies of the base run: the first `bad` are bad."""
    lines = []
    with RunReader(bench.folder / "base" / "run.jsonl") as run:
        for number, record in enumerate(run.cases()):
            lines.append({
                "kind": "label", "case_id": record.grade_line.case_id,
                "reply_sha256": reply_sha256(record.replies[0]), "criterion": "expected_behavior[0]",
                "grade": "fail" if number < bad else "pass", "rater": "ana", "at": "2026-01-02",
            })  # fmt: skip
    bench.write("labels.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def test_the_comment_carries_the_last_calibration_and_whether_it_is_of_this_judge(bench: Bench) -> None:
    cases = some_cases(40, expected_behavior=["greets"])
    bench.suite(cases, side_by_side="off")
    bench.both_runs(cases)
    people_say(bench, bad=15)  # the judge approves of everything
    told = bench.quilate("calibrate", "labels.jsonl", "--run", "base/run.jsonl", "--date", "2026-03-04")
    assert told.returncode == 0, told.stderr
    assert (
        "This judge should not gate: its kappa of 0.00 is below 0.4 and it misses 15 of 15 bad replies." in told.stdout
    )

    bench.suite(cases, side_by_side="off", calibration="calibration.json")
    bench.quilate("run", "--baseline", "base/run.jsonl", "-q")
    comment = bench.read(".quilate/comment.md")
    assert "udge agrees with people in 25 of 40, κ 0.00 (`2026-03-04`). By that, this judge should not gate." in comment

    bench.suite(cases, side_by_side="off", calibration="calibration.json", model="gpt-6.1-sol")
    bench.quilate("run", "--baseline", "base/run.jsonl", "-q")
    assert "That was another judge, or other prompts, than this run's." in bench.read(".quilate/comment.md")


def test_a_record_that_is_not_there_is_told_before_anything_is_asked(bench: Bench) -> None:
    cases = some_cases(1)
    bench.suite(cases, calibration="calibration.json")
    bench.replies([{"case_id": "c0000", "output": "x"}])
    run = bench.quilate("run")
    assert run.returncode == 2
    assert "calibration.json" in run.stderr
    assert "write it with `quilate calibrate`" in run.stderr
    assert not (bench.folder / ".quilate" / "comment.md").exists()


def people_prefer(bench: Bench, *preferred: str) -> None:
    """Pair labels on the judged pairs of the run, in their order."""
    lines = [
        {
            "kind": "pair_label", "case_id": pair["case_id"], "base_reply_sha256": pair["base_reply_sha256"],
            "head_reply_sha256": pair["head_reply_sha256"], "preferred": side, "rater": "ana",
        }
        for pair, side in zip(bench.pairs(), preferred, strict=True)
    ]  # fmt: skip
    bench.write("labels.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def test_won_tied_lost_stand_in_the_comment_with_the_pair_judges_last_calibration(bench: Bench) -> None:
    cases = some_cases(4)
    bench.suite(cases)
    bench.both_runs(cases)  # the judge goes by the order: four ties
    people_prefer(bench, "tie", "tie", "tie", "head")
    told = bench.quilate("calibrate", "labels.jsonl", "--run", ".quilate/run.jsonl", "--date", "2026-03-04")
    assert told.returncode == 0, told.stderr

    bench.suite(cases, calibration="calibration.json")
    bench.quilate("run", "--baseline", "base/run.jsonl", "-q")
    comment = bench.read(".quilate/comment.md")
    said = "In pairs the judge prefers what people prefer in 3 of 4 (`2026-03-04`)."
    assert f"This judge is unreliable here. {said}" in comment
    assert "agrees with people in 0 of 0" not in comment
    assert "That was another judge" not in comment

    bench.suite(cases, calibration="calibration.json", model="gpt-6.1-sol")
    bench.quilate("run", "--baseline", "base/run.jsonl", "-q")
    comment = bench.read(".quilate/comment.md")
    assert f"{said} That was another judge, or other prompts, than this run's." in comment
    assert "prefers what people prefer in 3 of 4" in bench.read(".quilate/report.html")
