"""Calibration: figures against statsmodels and scikit-learn's definition, minimum samples, and plain advice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as oracle
from tests.factories import a_case, a_criterion, a_header, a_reply_line, a_run_file

from quilate.cli import main
from quilate.compare.stats import wilson
from quilate.errors import InputError
from quilate.grades import Grade, GradedBy, TrialGrade
from quilate.judge.calibrate import (
    Advice,
    Agreement,
    Item,
    JudgedReplies,
    LeftOut,
    agreement,
    calibrate,
    family,
)
from quilate.judge.calibrate_pairs import PairLabel, calibrate_pairs
from quilate.judge.calibrate_record import Figures, PairFigures, for_footer, read_record, record_of, write_record
from quilate.judge.calibrate_stats import cohens_kappa
from quilate.judge.identity import reply_sha256
from quilate.judge.labels import Label
from quilate.judge.pairs import PairResult, PairsFooter, PairsHeader, Preference, RunRef
from quilate.judge.pairs_file import PairsWriter
from quilate.report.calibrate import advice
from quilate.runs.record import GradeLine

P, Q, F = Grade.PASS, Grade.PARTIAL, Grade.FAIL


@given(st.integers(2, 4).flatmap(lambda k: st.lists(st.lists(st.integers(0, 60), min_size=k, max_size=k),
                                                    min_size=k, max_size=k)))  # fmt: skip
def test_kappa_and_its_interval_are_those_of_statsmodels(counts: list[list[int]]) -> None:
    ours = cohens_kappa(counts)
    total, agreed = sum(map(sum, counts)), sum(row[at] for at, row in enumerate(counts))
    if ours is None:
        rows, columns = np.array(counts).sum(axis=1), np.array(counts).sum(axis=0)
        assert total == 0 or float(rows @ columns) == total**2
        return
    with np.errstate(all="ignore"):  # where nobody could agree by chance, theirs has no interval
        theirs = oracle(np.array(counts), return_results=True)
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-9)
    if agreed < total and np.isfinite(theirs.kappa_low):
        assert ours.low == pytest.approx(max(-1, theirs.kappa_low), abs=1e-7)
        assert ours.high == pytest.approx(min(1, theirs.kappa_upp), abs=1e-7)


def test_kappa_by_hand() -> None:
    found = cohens_kappa([[20, 5], [10, 15]])  # po 0.7, pe 0.5
    assert found is not None
    assert found.value == pytest.approx(0.4)


def test_full_agreement_is_not_certainty() -> None:
    found = cohens_kappa([[20, 0], [0, 10]])
    assert found is not None
    chance = (20 / 30) ** 2 + (10 / 30) ** 2
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx((wilson(30, 30).low - chance) / (1 - chance))


@pytest.mark.parametrize("counts", [[[0, 0], [0, 0]], [[9, 0], [0, 0]]])
def test_kappa_of_one_answer_or_of_none_is_not_defined(counts: list[list[int]]) -> None:
    assert cohens_kappa(counts) is None


def of(both_good: int, false_alarms: int, missed: int, found: int) -> Agreement:
    return agreement([(P, P)] * both_good + [(P, F)] * false_alarms + [(F, P)] * missed + [(F, F)] * found)


def test_the_counts_are_by_approval_and_partial_is_none() -> None:
    each = agreement([(P, P), (P, Q), (Q, F), (F, P), (Q, Q)])
    assert (each.labels, each.agreed, each.bad, each.bad_found, each.false_alarms) == (5, 3, 3, 2, 1)


@pytest.mark.parametrize(
    ("each", "enough"),
    [(of(20, 0, 0, 10), True), (of(19, 0, 0, 10), False), (of(21, 0, 0, 9), False), (of(9, 0, 0, 40), False)],
)
def test_kappa_is_shown_from_30_labels_with_10_in_the_rarer_class(each: Agreement, *, enough: bool) -> None:
    assert each.enough is enough
    assert (each.kappa is not None) is enough


@pytest.mark.parametrize(
    ("each", "expected", "said"),
    [
        (of(30, 2, 2, 16), Advice.MAY_GATE, "may gate"),
        (of(30, 2, 10, 8), Advice.SHOULD_NOT_GATE, "it misses 10 of 18 bad replies"),
        (of(15, 15, 5, 15), Advice.SHOULD_NOT_GATE, "its kappa of 0.23 is below 0.4"),
        (of(10, 0, 0, 5), Advice.TOO_FEW_LABELS, "15 of at least 30, 5 of at least 10"),
    ],
)
def test_the_advice_is_plain(each: Agreement, expected: Advice, said: str) -> None:
    assert each.advice is expected
    assert said in advice(each)


def a_label(case: str, grade: str, rater: str = "ana", criterion: str = "expected_behavior[0]", **fields: Any) -> Label:
    values = {"kind": "label", "case_id": case, "reply_sha256": "0" * 64, "criterion": criterion, "grade": grade,
              "rater": rater, "at": "2026-01-02"}  # fmt: skip
    return Label.model_validate(values | fields)


def judged(verdicts: dict[str, Grade], criterion: str = "expected_behavior[0]") -> JudgedReplies:
    return JudgedReplies(
        {Item(case, "0" * 64, criterion): grade for case, grade in verdicts.items()},
        {(case, "0" * 64): {criterion: criterion, "saluda": criterion} for case in verdicts},
    )


def test_the_last_label_of_a_rater_counts_and_the_majority_decides() -> None:
    labels = [a_label("a", "fail"), a_label("a", "pass"), a_label("a", "fail", "bo"), a_label("a", "pass", "cy")]
    assert calibrate(labels, judged({"a": P})).overall.counts == {(P, P): 1}


def test_a_label_may_name_a_criterion_by_its_text() -> None:
    assert calibrate([a_label("a", "pass", criterion="saluda")], judged({"a": F})).overall.counts == {(P, F): 1}


def test_what_is_left_out_is_counted_by_its_reason() -> None:
    labels = [
        a_label("a", "pass"), a_label("a", "fail", "bo"), a_label("b", "pass"), a_label("z", "pass"),
        a_label("a", "pass", criterion="other"), a_label("c", "pass"), a_label("c", "pass", reply_sha256="1" * 64),
    ]  # fmt: skip
    found = calibrate(labels, judged({"a": P, "b": Grade.ERROR, "c": P}))
    assert found.left_out == LeftOut(other_replies=2, other_criteria=1, without_verdict=1, split=1)
    assert found.overall.counts == {(P, P): 1}


def test_criteria_of_one_kind_are_counted_together() -> None:
    labels = [a_label("a", "pass"), a_label("a", "fail", criterion="expected_behavior[1]"), a_label("a", "pass",
              criterion="grounded")]  # fmt: skip
    named = ["expected_behavior[0]", "expected_behavior[1]", "grounded"]
    run = JudgedReplies({Item("a", "0" * 64, each): P for each in named}, {("a", "0" * 64): {n: n for n in named}})
    found = calibrate(labels, run)
    assert {name: each.labels for name, each in found.criteria.items()} == {"expected_behavior": 2, "grounded": 1}
    assert (found.overall.labels, family("signal")) == (3, "signal")


def test_people_are_measured_against_each_other_on_what_both_rated() -> None:
    labels = [a_label("a", "pass"), a_label("a", "fail", "bo"), a_label("b", "pass"), a_label("b", "pass", "bo")]
    labels += [a_label("c", "pass", "cy")]
    [between] = calibrate(labels, judged({"a": P, "b": P, "c": P})).people
    assert (between.raters, between.agreement.counts) == (("ana", "bo"), {(P, F): 1, (P, P): 1})


def a_judged_run(path: Path, grades: Sequence[Grade], **header: Any) -> Path:
    """A run whose one behaviour criterion a model judged."""
    lines = []
    for number, grade in enumerate(grades):
        case = a_case(f"c{number}", expected_behavior=("saluda",))
        criterion = a_criterion(grade, "expected_behavior[0]", text="saluda", graded_by=GradedBy.JUDGE)
        trials = (TrialGrade(trial=0, grade=grade, criteria=(criterion,)),)
        lines.append(GradeLine(
            case_id=case.id, category="k", grade=grade, criteria=(criterion,), trials=trials, definition=case,
            input_fingerprint=case.input_fingerprint, ruler="0" * 32,
        ))  # fmt: skip
    header.setdefault("judge", {"provider": "openai", "model": "gpt-6-luna"})
    return a_run_file(path, lines, judge_fingerprint="f" * 32, **header)


def label_lines(grades: Sequence[Grade], rater: str = "ana") -> str:
    lines = []
    for number, grade in enumerate(grades):
        reply = a_reply_line(a_case(f"c{number}", expected_behavior=("saluda",))).reply
        lines.append(json.dumps({
            "kind": "label", "case_id": f"c{number}", "reply_sha256": reply_sha256(reply),
            "criterion": "expected_behavior[0]", "grade": grade.value, "rater": rater, "at": "2026-01-02",
        }))  # fmt: skip
    return "\n".join(lines) + "\n"


def run_it(folder: Path, verdicts: Sequence[Grade], people: Sequence[Grade], *args: str, **header: Any) -> Result:
    a_judged_run(folder / "run.jsonl", verdicts, **header)
    (folder / "labels.jsonl").write_text(label_lines(people))
    run, labels = str(folder / "run.jsonl"), str(folder / "labels.jsonl")
    return CliRunner().invoke(main, ["calibrate", labels, "--run", run, "--date", "2026-03-04", *args])


PEOPLE = [P] * 25 + [F] * 15
LENIENT = [P] * 34 + [F] * 6


def test_the_command_tells_figures_and_advice_and_writes_the_record(tmp_path: Path) -> None:
    result = run_it(tmp_path, LENIENT, PEOPLE)
    assert result.exit_code == 0, result.output
    assert "This judge should not gate: it misses 9 of 15 bad replies." in result.output
    assert "agreement 31 of 40 (78 %, 95 % 62 to 88)" in result.output
    assert "Cohen's kappa 0.45 (95 % 0.19 to 0.72)" in result.output
    assert "bad replies, by people: 15 of 40" in result.output
    assert "of those the judge found 6 of 15 (40 %, 95 % 20 to 64)" in result.output
    record = read_record(tmp_path / "calibration.json")
    assert (record.at, record.judge_fingerprint, record.overall.agreed) == ("2026-03-04", "f" * 32, 31)
    assert for_footer(record, "f" * 32)["same_judge"] is True
    assert for_footer(record, "e" * 32)["same_judge"] is False


def test_few_labels_give_counts_and_no_kappa(tmp_path: Path) -> None:
    result = run_it(tmp_path, [P, F], [P, P])
    assert "Too few labels to say that this judge may gate: 2 of at least 30, 0 of at least 10" in result.output
    assert "kappa" not in result.output
    assert read_record(tmp_path / "calibration.json").overall.kappa is None


def test_json_has_the_confusion_table_and_counts(tmp_path: Path) -> None:
    result = run_it(tmp_path, LENIENT, PEOPLE, "--format", "json")
    data = json.loads(result.stdout)
    assert data["overall"]["confusion"]["fail"] == {"pass": 9, "partial": 0, "fail": 6}
    assert data["criteria"]["expected_behavior"]["labels"] == 40
    assert data["overall"]["advice"] == "should_not_gate"


def test_markdown_has_tables(tmp_path: Path) -> None:
    result = run_it(tmp_path, LENIENT, PEOPLE, "--format", "md")
    assert "| overall | 40 | 31 | 0.45 | 15 | 6 | should not gate |" in result.stdout
    assert "| fail | 9 | 0 | 6 |" in result.stdout


@pytest.mark.parametrize(
    ("header", "said"),
    [({"judge": None}, "no judge took part"), ({"judge": {"provider": "labels"}}, "people judged it")],
)
def test_a_run_without_a_model_as_judge_cannot_be_calibrated(tmp_path: Path, header: Any, said: str) -> None:
    result = run_it(tmp_path, [P], [P], **header)
    assert (result.exit_code, said in result.output) == (2, True)


def test_labels_of_another_run_are_no_calibration(tmp_path: Path) -> None:
    a_judged_run(tmp_path / "run.jsonl", [P])
    (tmp_path / "labels.jsonl").write_text(label_lines([P]).replace("c0", "other"))
    result = CliRunner().invoke(
        main, ["calibrate", str(tmp_path / "labels.jsonl"), "--run", str(tmp_path / "run.jsonl")]
    )
    assert result.exit_code == 2
    assert "rate that run's replies: quilate rate" in result.output
    assert not (tmp_path / "calibration.json").exists()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"kind": "calibration", "schema": 2}', '{"kind":"x"}', "\x00"])
def test_a_record_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"calibration\.json"):
        read_record(path)


def test_a_record_reads_as_it_was_written(tmp_path: Path) -> None:
    found = calibrate([a_label("a", "pass")], judged({"a": F}))
    record = record_of(found, a_header(judge={"model": "m"}, judge_fingerprint="f"), "2026-01-02")
    write_record(tmp_path / "c.json", record)
    assert read_record(tmp_path / "c.json") == record
    assert record.overall == Figures(labels=1, agreed=0, bad=0, bad_found=0, advice=Advice.TOO_FEW_LABELS)


def a_pair(case: str, preferred: Preference | None) -> PairResult:
    return PairResult(
        case_id=case, base_id=case, category="k", trial=0, base_reply_sha256="0" * 64, head_reply_sha256="1" * 64,
        preferred=preferred, reason="",
    )  # fmt: skip


def a_pair_label(case: str, preferred: str, rater: str = "ana", **fields: Any) -> PairLabel:
    values = {"kind": "pair_label", "case_id": case, "base_reply_sha256": "0" * 64, "head_reply_sha256": "1" * 64,
              "preferred": preferred, "rater": rater}  # fmt: skip
    return PairLabel.model_validate(values | fields)


def test_preferences_stand_beside_those_of_the_judge_on_the_same_pair() -> None:
    labels = [
        a_pair_label("a", "head"), a_pair_label("a", "base"), a_pair_label("b", "tie"), a_pair_label("c", "head"),
        a_pair_label("d", "head"), a_pair_label("d", "base", "bo"),
        a_pair_label("e", "head", base_reply_sha256="2" * 64),
    ]  # fmt: skip
    pairs = [a_pair(each, Preference.BASE) for each in "abde"] + [a_pair("c", None)]
    found = calibrate_pairs(labels, pairs)
    assert (found.labels, found.agreed, found.kappa) == (2, 1, None)
    assert found.counts == [[0, 0, 0], [0, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize(
    ("heads", "ties", "bases", "shown"), [(10, 10, 10, True), (9, 11, 10, False), (10, 9, 10, False)]
)
def test_kappa_of_pairs_needs_30_and_each_side_10_times(heads: int, ties: int, bases: int, *, shown: bool) -> None:
    wanted = [Preference.HEAD] * heads + [Preference.TIE] * ties + [Preference.BASE] * bases
    labels = [a_pair_label(str(at), each.value) for at, each in enumerate(wanted)]
    found = calibrate_pairs(labels, [a_pair(str(at), each) for at, each in enumerate(wanted)])
    assert (found.kappa is not None) is shown


def test_the_command_tells_pairs_that_were_rated_and_judged(tmp_path: Path) -> None:
    header = PairsHeader(
        tool_version="0", base=RunRef(suite="s"), head=RunRef(suite="s"), mode="all", judge={}, judge_fingerprint="f"
    )
    with PairsWriter(tmp_path / "pairs.jsonl", header) as writer:
        writer.pair(a_pair("c0", Preference.HEAD))
        writer.finish(PairsFooter())
    a_judged_run(tmp_path / "run.jsonl", [P])
    (tmp_path / "labels.jsonl").write_text(a_pair_label("c0", "head").model_dump_json() + "\n")
    result = CliRunner().invoke(
        main, ["calibrate", str(tmp_path / "labels.jsonl"), "--run", str(tmp_path / "run.jsonl")]
    )
    assert result.exit_code == 0, result.output
    assert "Pairs: the same preference in 1 of 1 (100 %, 95 % 21 to 100), too few pairs for kappa" in result.output
    record = read_record(tmp_path / "calibration.json")
    assert record.pairs == PairFigures(labels=1, agreed=1, judge_fingerprint="f")
    assert record.overall.labels == 0
    assert for_footer(record, "")["pairs"] == {"labels": 1, "agreed": 1, "judge_fingerprint": "f"}
