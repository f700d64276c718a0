"""What the comment says in each state, and what it never says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.report_factories import SITE, comparison, criterion, delta, noise, provenance, reason, record, report, run

from quilate.agents.agent import Fault, FaultKind, Reply, ToolCall
from quilate.compare.comparison import Confirmation, Delta, Quarantined, Tally
from quilate.config import Gate
from quilate.grades import Evidence, Grade, Verdict
from quilate.report.comment import render, render_broken
from quilate.report.input import (
    Acceptance,
    BaseCommit,
    Groundedness,
    MetricChange,
    Metrics,
    NoBaseline,
    Ratio,
    RunIdentity,
    SideBySide,
)


def said(**values):
    """The comment of a comparison with these values."""
    return render(report(comparison=comparison(**values)))


def heading(text: str) -> str:
    return next(line for line in text.split("\n") if line.startswith("## "))


PASSED = {"verdict": Verdict.PASS, "exit_code": 0, "reasons": (reason("within_limits"),), "broke": ()}
UNSURE = {"verdict": Verdict.INCONCLUSIVE, "exit_code": 3, "broke": ()}


def test_the_first_line_is_the_marker():
    assert said().split("\n")[0] == "<!-- quilate suite=orders run=7421 attempt=1 head=3f9c2ab -->"


@pytest.mark.parametrize(
    ("values", "headline"),
    [
        ({}, "❌ orders: pass rate fell 8.0 points, the limit is 5"),
        ({"overall": delta(1000, 949, 1000)}, "❌ orders: pass rate fell 5.1 points, the limit is 5"),
        ({"overall": delta(10000, 9499, 10000)}, "❌ orders: pass rate fell 5.01 points, the limit is 5"),
        ({"overall": delta(3, 2, 3)}, "❌ orders: 2 of 3 approved, 3 before"),
        (
            {"reasons": (reason("drop", category="order-status"),)},
            "❌ orders: in `order-status` pass rate fell 30.0 points, the limit is 5",
        ),
        (
            {"reasons": (reason("min_pass_rate", limit=Fraction(85)),)},
            "❌ orders: 42 of 50 approved, below the floor of 85 %",
        ),
        ({"reasons": (reason("critical", cases=("a",)),)}, "❌ orders: critical case `a` broke"),
        (
            {"reasons": (reason("approved_only_by_edit", cases=("a", "b")),)},
            "❌ orders: 2 cases pass only because this change edited what they expect",
        ),
        ({**PASSED, "overall": delta(46, 47, 50)}, "✅ orders: 47 of 50 approved, up 2.0 points"),
        ({**PASSED, "overall": delta(46, 46, 50)}, "✅ orders: 46 of 50 approved, as before"),
        (
            {**PASSED, "overall": delta(20, 19, 20)},
            "✅ orders: 19 of 20 approved, down 5.0 points, within the limit of 5",
        ),
        ({**PASSED, "overall": delta(2, 3, 3)}, "✅ orders: 3 of 3 approved, 2 before"),
        (
            {**PASSED, "overall": delta(20, 20, 20), "approved_only_by_edit": ("a", "b")},
            "✅ orders: 20 of 20 approved, as before; 2 only because this change edited what they expect",
        ),
        (
            {**UNSURE, "reasons": (reason("max_error_rate", errors=12, asked=50),)},
            "⚠️ orders: could not tell, 12 of 50 cases have no grade",
        ),
        (
            {**UNSURE, "reasons": (reason("min_common", common=3, base_graded=20),)},
            "⚠️ orders: could not tell, only 3 of the base's 20 graded cases could be compared",
        ),
        (
            {**UNSURE, "reasons": (reason("errors_could_hide_drop", errors=2),)},
            (
                "⚠️ orders: could not tell, "
                "2 cases approved in base are in error here and could hide a drop beyond the limit"
            ),
        ),
        (
            {**UNSURE, "compared": False, "reasons": (reason("nothing_common"),), "overall": delta(0, 0, 0)},
            "⚠️ orders: could not tell, no case could be compared with the base",
        ),
        (
            {
                **UNSURE,
                "compared": False,
                "reasons": (reason("no_baseline"),),
                "overall": Delta(Tally(0, 0), Tally(44, 50)),
            },
            "⚪ orders: 44 of 50 approved, not compared",
        ),
        ({"reasons": (reason("a_code_of_tomorrow", "the moon is *full*"),)}, "❌ orders: `the moon is *full*`"),
    ],
)
def test_the_headline_is_the_verdict_and_the_number_that_decided(values, headline):
    assert heading(said(**values)) == f"## {headline}"


def test_every_reason_beyond_the_first_is_said():
    text = said(reasons=(reason(), reason("critical", cases=("a",))))
    assert "Also: critical case `a` broke." in text


@pytest.mark.parametrize("label", ["inconclusive", "too_few"])
def test_no_difference_is_called_more_than_chance_unless_the_test_supports_it(label):
    text = said(overall=delta(46, 42, 50, noise=noise(label)))
    assert "Chance alone could move it this far" in text
    assert "does not explain" not in text
    assert "regress" not in text.lower()


def test_a_drop_beyond_chance_is_said_with_its_figures():
    text = said(overall=delta(46, 40, 50, noise=noise("degraded", p_value=0.0312, low=-21.4, high=-0.6)))
    assert "Chance alone would seldom move it this far (p = 0.03; 95 % interval −21.4 to −0.6 points)." in text


def test_a_p_value_at_the_line_is_not_rounded_onto_it():
    assert "p = 0.052" in said(overall=delta(46, 42, 50, noise=noise(p_value=0.0518)))
    assert "p < 0.001" in said(overall=delta(46, 42, 50, noise=noise("degraded", p_value=0.0000004)))


def test_below_ten_cases_there_are_counts_and_names_only():
    text = said(overall=delta(3, 2, 3, noise=noise("too_few")), categories={"a": delta(3, 2, 3)})
    assert "3 cases are too few to tell a change from chance: read them." in text
    assert "| `a` | 3/3 | 2/3 | ▼\u00a01\u00a0case |" in text
    for figure in ("33", "%", "p =", "interval"):
        assert figure not in text.split("### ")[0].split("head=3f9c2ab -->")[1]


def test_below_twenty_cases_one_case_is_weighed():
    assert "With 12 cases one case is 8.3 points." in said(overall=delta(12, 10, 12, noise=noise()))


def averaged(base: int, head: int, cases: int, trials: int, **values) -> Delta:
    """A line of a comparison with trials: counts of approved trials, the same number of cases on both sides."""
    sides = [
        Tally(
            approved // trials,
            cases,
            approved_trials=approved,
            graded_trials=cases * trials,
            rate_sum=Fraction(approved, trials),
        )
        for approved in (base, head)
    ]
    return Delta(sides[0], sides[1], values.get("noise"))


def test_trials_and_the_noise_floor_are_told():
    text = said(overall=averaged(138, 126, 50, 3, noise=noise("inconclusive", floor=4.0)), trials=(3, 3))
    assert "138 of 150 → **126 of 150** trials approved; by majority 46 → 42 of 50 cases." in text
    assert "With nothing changed this suite moves about ±4.0 points (3 trials)." in text


def test_with_trials_the_table_adds_up_to_its_points():
    text = said(**{**PASSED, "overall": averaged(43, 38, 50, 2)}, categories={"a": averaged(2, 1, 1, 2)}, trials=(2, 2))
    assert heading(text) == "## ✅ orders: 38 of 100 trials approved, down 5.0 points, within the limit of 5"
    assert "| **All** | **43/100** | **38/100** | **▼\u00a05.0** |" in text
    assert "| `a` | 2/2 | 1/2 | ▼\u00a00.5\u00a0cases |" in text


def test_only_what_moved_carries_a_mark_and_comes_first():
    cats = {"same": delta(10, 10, 10), "up": delta(8, 10, 10), "down": delta(10, 7, 10)}
    rows = [line for line in said(categories=cats).split("### ")[0].split("\n") if line.startswith("| `")]
    assert rows == [
        "| `down` | 10/10 | 7/10 | ▼\u00a030.0 |",
        "| `up` | 8/10 | 10/10 | ▲\u00a020.0 |",
        "| `same` | 10/10 | 10/10 | 0.0 |",
    ]


def test_a_pass_counts_the_categories_that_did_not_move():
    cats = {name: delta(5, 5, 5) for name in "abcde"} | {"up": delta(4, 5, 5)}
    text = said(**{**PASSED, "overall": delta(46, 47, 50)}, categories=cats, fixed=("x",))
    assert "5 more categories did not move." in text
    assert "`a`" not in text
    assert "Fixed 1: `x`." in text


def test_a_broken_case_says_what_was_asked_expected_found_and_both_replies():
    broken = (
        criterion(
            id="expected_tool_args", reason="closest call differs", expected='"47821" (text)', found="47821 (number)"
        ),
    )
    head = run(
        record(grade=Grade.FAIL, output="No.\nNada.", criteria=broken, calls=(ToolCall(name="ver", args={"n": 47821}),))
    )
    base = run(record(output="Sí.", calls=(ToolCall(name="ver", args={"n": "47821"}),)))
    text = render(report(head, base))
    assert "<details><summary><code>order-status-001</code> — <code>closest call differs</code></summary>" in text
    assert "**Asked** `¿En qué estado está mi pedido 47821?`" in text
    assert "**Failed** `expected_tool_args`\n" in text
    assert '**Expected** `"47821" (text)`' in text
    assert "**Found** `47821 (number)`" in text
    assert '| `ver(n="47821")` | `ver(n=47821)` |' in text
    assert "**Base replied** `Sí.`" in text
    assert "**Now replies**\n\n```\nNo.\nNada.\n```" in text
    assert (
        "[`goldens/orders.es-CL.yaml:12`](https://github.com/example/shop/blob/3f9c2ab/goldens/orders.es-CL.yaml#L12)"
        in text
    )
    assert "run it: `quilate run --case order-status-001 -v`" in text


def test_two_short_replies_stand_side_by_side():
    text = render(report())
    assert (
        "| Base | This change |\n| :-- | :-- |\n| `Tu pedido 47821 está en camino.` | `No encuentro ese pedido.` |"
        in text
    )


def test_the_same_reply_on_both_sides_is_said_once():
    head = run(record(grade=Grade.FAIL, output="Sí.", criteria=(criterion(),)))
    text = render(report(head, run(record(output="Sí."))))
    assert text.count("`Sí.`") == 1
    assert "**Both replied** `Sí.`" in text


def test_a_long_reply_is_told_in_a_paragraph():
    head = run(record(grade=Grade.FAIL, output="largo " * 60, criteria=(criterion(),)))
    text = render(report(head, run(record(output="Sí."))))
    assert "**Base replied** `Sí.`" in text
    assert "**Now replies** `largo largo" in text


def test_a_reason_that_compares_is_not_followed_by_the_same_comparison():
    broken = criterion(
        reason='numero: expected "47821" (text), found 47821 (number)', expected='ver(numero: "47821" (text))',
        found="ver(numero: 47821)",
    )  # fmt: skip
    text = render(report(run(record(grade=Grade.FAIL, output="No.", criteria=(broken,)))))
    assert text.count("found 47821 (number)") == 1
    assert "**Expected**" not in text
    assert "**Found**" not in text


def test_a_forbidden_phrase_is_said_once():
    broken = criterion(
        id="forbidden_phrases", text='does not say "po", "cachái"', reason='forbidden phrase "po"',
        expected='none of "po", "cachái"', found='"Po"', evidence=(Evidence(quote="Po", start=0, end=2),),
    )  # fmt: skip
    text = render(report(run(record(grade=Grade.FAIL, output="Po, sí.", criteria=(broken,)))))
    assert '**Failed** `does not say "po", "cachái"`\n' in text
    for repeated in ("**Expected**", "**Found**", "Seen in"):
        assert repeated not in text


def test_a_base_that_is_a_file_says_when_it_was_made():
    base = BaseCommit("", role="file", made_at="2026-11-30T03:24:37+00:00")
    assert "Base: run of 2026-11-30 03:24 UTC" in render(report(provenance=provenance(base=base)))


def test_a_crash_an_empty_reply_and_no_call_are_told_apart():
    crash = Reply(fault=Fault(kind=FaultKind.AGENT, message="exit code 1"))
    head = run(record(grade=Grade.FAIL, reply=crash, criteria=(criterion(),)))
    base = run(record(output="", calls=(ToolCall(name="ver"),)))
    text = render(report(head, base))
    assert "**Now replies** nothing: `exit code 1`" in text
    assert "**Base replied** nothing" in text
    assert "**Now calls** no tool" in text


def test_a_quotation_that_is_not_in_the_reply_is_marked():
    evidence = criterion(evidence=(Evidence(quote="I never said this"),))
    text = render(report(run(record(grade=Grade.FAIL, criteria=(evidence,)))))
    assert "Quoted, but not in the reply: `I never said this`" in text


@pytest.mark.parametrize(
    ("case_id", "command"),
    [
        ("a b", "quilate run --case 'a b' -v"),
        ("$(rm)", "quilate run --case '$(rm)' -v"),
        ("it's\n\u202e", r"quilate run --case $'it\'s\x0a\U0000202e' -v"),
    ],
)
def test_the_command_is_quoted_for_a_shell(case_id, command):
    text = render(
        report(run(record(case_id, grade=Grade.FAIL)), run(record(case_id)), comparison=comparison(broke=(case_id,)))
    )
    assert f"`{command}`" in text


def test_what_the_change_did_to_the_ruler_is_an_alert():
    text = said(
        approved_only_by_edit=("order-status-004",),
        removed_passing=("returns-002",),
        reworded_passing=("r",),
        policy_changes={"max_drop": ("5", "10")},
        judge_changed=True,
        warnings=(reason("policy_changed"), reason("noise_above_limit", floor=8.0, limit=Fraction(5))),
    )
    alert = text[text.index("> [!WARNING]") :].split("\n\n")[0]
    assert "**1 case passes only because this change edited what it expects**: `order-status-004`." in alert
    assert "**1 removed case passed in base**: `returns-002`." in alert
    assert "**1 case that passed in base asks something else now**: `r`." in alert
    assert "`max_drop: 5 → 10`" in alert
    assert alert.count("take effect after merge") == 1
    assert "This change swaps the judge." in alert
    assert "moves about ±8.0 points" in alert


def test_errors_are_grouped_by_why():
    why = {f"c{n}": "HTTP 529" for n in range(12)} | {"d": "budget"}
    text = said(**UNSURE, reasons=(reason("max_error_rate", errors=13, asked=50),), errors=why)
    assert "12 in error, `HTTP 529`: `c0`" in text
    assert "1 in error, `budget`: `d`." in text
    assert "**This is not a pass, and it is not the change's failure.**" in text
    assert "Run the job again" in text


def test_what_a_judge_did_not_grade_stands_in_the_first_paragraph():
    text = render(report(provenance=provenance(code_only=31, judge=None)))
    assert "31 of 50 cases graded by code only: no judge is configured." in text.split("\n\n")[2]


def test_nothing_to_compare_with_says_why_and_what_to_do():
    values = {**UNSURE, "exit_code": 0, "compared": False, "reasons": (reason("no_baseline"),)}
    where = provenance(base=None, no_baseline=NoBaseline("no_record", "main", 50))
    text = render(report(comparison=comparison(**values), provenance=where))
    assert "none of the last 50 commits of `main` has a record" in text
    assert "Base |" not in text
    assert "✅" not in text


def test_nothing_to_compare_with_names_what_is_not_approved_and_what_failed_in_it():
    ids = tuple(f"c`{number}" for number in range(60))
    broken = (criterion(reason="says `no` </details>"),)
    head = run(*(record(each, grade=Grade.FAIL, criteria=broken) for each in ids), record("down", grade=Grade.ERROR))
    values = {"compared": False, "broke": (), "reasons": (reason("no_baseline"),), "errors": {"down": "429"}}
    made = report(
        head, comparison=comparison(**values), not_approved=(*ids, "down"),
        provenance=provenance(base=None, no_baseline=NoBaseline("not_given")),
    )  # fmt: skip
    text = render(made)
    assert "<details><summary>60 cases are not approved</summary>" in text
    assert text.count("- ``c`") == 50
    assert "`` — ``says `no` </details>``" in text
    assert "Showing 50 of 60 cases." in text
    assert "### " not in text


def test_an_accepted_drop_says_who_and_for_how_long():
    text = render(report(provenance=provenance(accepted=Acceptance("ana", "quilate: accept drop"))))
    assert heading(text) == "## ☑️ orders: pass rate fell 8.0 points, the limit is 5, accepted by `ana`"
    assert "the next push asks again" in text


def test_a_fork_s_replies_are_said_to_be_the_fork_s():
    assert "Replies as reported by the fork" in render(report(provenance=provenance(fork=True)))


def test_a_broken_evaluation_is_neither_pass_nor_fail():
    text = render_broken("orders", "quilate.yml:3: no", identity=RunIdentity(1, 2, "3f9c2ab"), site=SITE)
    assert text.startswith(
        "<!-- quilate suite=orders run=1 attempt=2 head=3f9c2ab -->\n\n## 🛑 orders: the evaluation broke"
    )
    assert "```\nquilate.yml:3: no\n```" in text
    assert f"[run's page]({SITE.run_url})" in text


def test_the_other_lists_are_counted_and_named():
    text = said(
        fixed=("f",),
        added=("a1", "a2"),
        removed=("r",),
        edited=("e",),
        renamed={"old": "new"},
        flaky=("order-status-001",),
        partial=("p",),
        not_judged=("n",),
        outside={"o": "asks something else"},
        confirmed={"k": Confirmation(Grade.FAIL, Grade.PASS, 2, 3)},
        quarantine=(Quarantined("q", "ana", "flaky", "2026-12-31", True, "until 2026-12-31", None, None),),
    )
    assert (
        "<summary>Fixed 1 · added 2 · removed 1 · edited 1 · partial 1 · not compared 1 · quarantined 1 · asked again 1"
        in text
    )
    assert "- Added 2: `a1`, `a2`." in text
    assert "- Renamed 1: `old` → `new`." in text
    assert "- Not compared 1: `o` — `asks something else`." in text
    assert "- Quarantined 1: `q` — `until 2026-12-31 (ana: flaky)`." in text
    assert "`k` fail → pass (2 of 3 approved)" in text
    assert "`order-status-001` 0/1" in text
    assert "1 case not judged: `n`." in text


def test_metrics_have_counts_and_say_when_there_was_nothing_to_count():
    metrics = Metrics(
        ambiguity=(
            MetricChange("clarification", Ratio(10, 11), Ratio(9, 11)),
            MetricChange("wrong_guess", None, Ratio(0, 0)),
        ),
        groundedness=Groundedness(40, 1, 3, gaps=("returns-005",)),
        side_by_side=SideBySide(0, 0, 9, Fraction(1)),
    )
    text = render(report(metrics=metrics))
    assert "- Clarification rate 10/11 → 9/11: 81.8 %, 95 % interval 52.3 to 94.9; ▼ 9.1 points against base." in text
    assert "- No ambiguous cases." in text
    assert "40 not invented, 1 invented, 3 without evidence" in text
    assert "nothing for: `returns-005`." in text
    assert "In 9 of 9 pairs (100 %) the order decided. This judge is unreliable here." in text


def test_a_rate_without_a_base_has_its_interval_and_no_points():
    metrics = Metrics(ambiguity=(MetricChange("clarification", None, Ratio(9, 11)),))
    text = render(report(metrics=metrics))
    assert "Clarification rate 9/11: 81.8 %, 95 % interval 52.3 to 94.9." in text


def test_prompts_that_instruct_are_named_and_the_condition_is_not_claimed():
    text = render(report(metrics=Metrics(instructed=("locale-currency-lunch",))))
    assert "1 prompt instructs what it measures, so the guide's condition is not met: `locale-currency-lunch`." in text


def test_the_change_is_split_in_the_agent_s_and_the_ruler_s():
    text = said(ruler=delta(46, 48, 50))
    assert "- Of the move in points: the agent ▼ 8.0, the ruler ▲ 4.0." in text


def test_provenance_is_small_and_last():
    text = render(report(provenance=provenance(base=BaseCommit("a81d03e", 3), trials=3)))
    assert text.rstrip("\n").split("\n")[-1] == (
        "<sub>Base `a81d03e` (parent of the tested merge, 3 commits back) · dataset `2026-06-22`, 50 cases × 3 · "
        "p95 1.8 s → 2.1 s · "
        "judge `claude-haiku-5-5`, 141 of 150 verdicts taken over, $0.004 · 48 s · quilate 0.1.0 · "
        "[run](https://github.com/example/shop/actions/runs/7421)</sub>"
    )


def test_no_paragraph_is_broken_into_lines_since_github_would_show_them():
    for block in said(policy=Gate(max_drop=5)).split("\n\n"):
        if not block.startswith(("|", ">", "- ", "```", "<details>", "<!--")):
            assert "\n" not in block.rstrip("\n")


@pytest.mark.parametrize("language", ["es", "pt-BR"])
def test_another_language_leaves_no_english_sentence(language):
    text = render(replace(report(), language=language))
    for english in ("pass rate", "approved", "Asked", "broke", "Category", "interval could"):
        assert english not in text
    assert "8,0" in text


def test_a_renamed_case_that_broke_shows_the_base_s_reply_under_its_old_name():
    head = run(record("new-name", grade=Grade.FAIL, output="No.", criteria=(criterion(),)))
    base = run(record("old-name", output="Sí."))
    text = render(report(head, base, comparison=comparison(broke=("new-name",), renamed={"old-name": "new-name"})))
    assert "| `Sí.` | `No.` |" in text
    assert "- Renamed" not in text.split("### ")[0]
