"""Flips confirmed, a judge asked only about what is new, and pairs told again: through the Action, as a process."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter

import pytest
from tests.e2e.action.conftest import FORK, READ_ONLY
from tests.e2e.side_by_side.conftest import SPEAKER, is_pair, pair_answer, schema_of
from tests.integration.judge.conftest import Answer, loopback

from quilate.providers.scripted import first_of_schema

__all__ = ["loopback"]

KEY = {"OPENAI_API_KEY": "sk-of-the-judge-0123456789"}
NO_KEY = {"OPENAI_API_KEY": ""}
LABEL = "quilate: accept drop"
CASES = 10

FLAKY = """import json, os, pathlib, sys, tempfile
asked = json.load(sys.stdin)
number = int(asked["case_id"][-2:])
home = pathlib.Path(os.environ["HOME"])
tempfile.mkstemp(prefix=asked["case_id"] + ".", dir=home)  # a file an asking, since a case may be asked twice at once
wrong = number in BROKEN or number in FLAKY and len(list(home.glob(asked["case_id"] + ".*"))) == 1
print(json.dumps({"output": "No idea." if wrong else f"The answer {number}."}))
"""


def flaky_agent(broken=(), flaky=()):
    return f"BROKEN, FLAKY = {set(broken) or '()'}, {set(flaky) or '()'}\n{FLAKY}"


def asked_how_often(result):
    """Case → askings: the agent leaves a mark for each in the step's own home."""
    return Counter(path.name.partition(".")[0] for path in result.folder.parent.glob("order-*"))


def test_a_case_that_newly_fails_is_asked_again_and_the_majority_decides(shop, golden_lines):
    config = "suite: orders\ngoldens: [goldens.yaml]\nagent: {command: [python3, agent.py]}\ngate: {confirm_flips: 2}\n"
    files = {"quilate.yml": config, "goldens.yaml": golden_lines(), "agent.py": flaky_agent()}
    assert shop.record(shop.main({**files, ".gitignore": ".quilate\n"}), process=True).code == 0
    head, merge = shop.topic({"agent.py": flaky_agent(broken=[8], flaky=[3])})
    result = shop.compare(head, merge, action="opened", process=True)
    assert (result.code, result.outputs["pass_rate"]) == (0, "95"), result.log
    (comment,) = shop.comments()
    assert "`order-03` fail → pass (2 of 3 approved)" in comment
    assert "`order-08` fail → fail (0 of 3 approved)" in comment
    often = asked_how_often(result)
    assert {case: times for case, times in often.items() if times > 1} == {"order-03": 3, "order-08": 3}
    assert len(often) == 20


def test_the_bases_policy_decides_whether_flips_are_confirmed(shop, golden_lines):
    """A change that sets `confirm_flips` may not be helped by it: it takes effect after merge."""
    config = "suite: orders\ngoldens: [goldens.yaml]\nagent: {command: [python3, agent.py]}\n"
    files = {"quilate.yml": config, "goldens.yaml": golden_lines(), "agent.py": flaky_agent()}
    assert shop.record(shop.main({**files, ".gitignore": ".quilate\n"})).code == 0
    more = {"quilate.yml": f"{config}gate: {{confirm_flips: 2}}\n", "agent.py": flaky_agent(flaky=[3, 4])}
    result = shop.compare(*shop.topic(more), action="opened", process=True)
    assert (result.code, result.outputs["pass_rate"]) == (1, "90"), result.log
    assert set(asked_how_often(result).values()) == {1}


# --- a judge --------------------------------------------------------------------------------------------------------


def judging(asked):
    """A judge on the wire: approves of what does not say `rude`, prefers the reply that says `new`."""
    task = asked.body["messages"][-1]["content"]
    if is_pair(asked):
        first = task.split(" response_1>\n")[1].split("\n")[0]
        return Answer(SPEAKER.says(pair_answer(asked, "response_1" if "new" in first else "response_2")))
    answer = first_of_schema(schema_of(asked))
    for each in answer.values():
        each["met"] = "rude" not in task
    return Answer(SPEAKER.says(answer))


def judged_config(loopback, **judge):
    described = {
        "provider": "openai", "model": "judge-1", "base_url": f"{loopback.url}/v1", "retries": 0,
        "api_key_env": "OPENAI_API_KEY", **judge,
    }  # fmt: skip
    return json.dumps(
        {"suite": "orders", "goldens": ["goldens.json"], "agent": {"replay": "replies.jsonl"}, "judge": described}
    )


def judged_goldens():
    cases = [
        {"id": f"order-{n:02d}", "category": "c", "input": f"Question {n}", "expected_behavior": ["stays polite"]}
        for n in range(CASES)
    ]
    return json.dumps({"version": "1", "cases": cases})


def said(**other):
    """Replies, each of its own case; `other` gives some of them, as in `said(order_03="rude")`."""
    rows = []
    for n in range(CASES):
        case_id = f"order-{n:02d}"
        text = other.get(case_id.replace("-", "_"), "old")
        rows.append(json.dumps({"case_id": case_id, "output": f"{text} answer to {n}", "duration_ms": 10}) + "\n")
    return "".join(rows)


def judged(shop, loopback, **judge):
    """A shop whose main is recorded with a judge; what it was asked so far is forgotten."""
    loopback.script = judging
    files = {
        "quilate.yml": judged_config(loopback, **judge), "goldens.json": judged_goldens(), "replies.jsonl": said(),
        ".gitignore": ".quilate\n",
    }  # fmt: skip
    result = shop.record(shop.main(files), env=KEY)
    assert result.code == 0, result.log
    assert len(loopback.asked) == CASES
    loopback.asked.clear()
    return shop


def test_verdicts_on_identical_replies_are_taken_over_and_the_comment_counts_them(shop, loopback):
    judged(shop, loopback, side_by_side="off")
    result = shop.compare(*shop.topic({"n.txt": "x"}), action="opened", env=KEY, process=True)
    assert (result.code, loopback.asked) == (0, []), result.log
    assert "judge `judge-1`, 10 of 10 verdicts taken over" in shop.comments()[0]


def test_only_what_is_said_otherwise_is_judged_anew(shop, loopback):
    judged(shop, loopback, side_by_side="off")
    files = {"replies.jsonl": said(order_03="rude", order_04="another")}
    result = shop.compare(*shop.topic(files), action="opened", env=KEY, process=True)
    assert (result.code, result.outputs["pass_rate"]) == (1, "90"), result.log
    assert len(loopback.asked) == 2
    assert "judge `judge-1`, 8 of 10 verdicts taken over" in shop.comments()[0]


# --- a fork's replies before the base's judge -------------------------------------------------------------------------


def forked(shop, files):
    head, merge = shop.topic(files, fork=FORK)
    first = shop.compare(head, merge, action="opened", permissions=READ_ONLY, run=700, env=NO_KEY, process=True)
    assert (first.code, first.outputs["verdict"]) == (3, "inconclusive"), first.log
    return head, first


def test_a_forks_replies_are_judged_anew_by_the_bases_judge(shop, loopback):
    """Stage 1 has no key; its artifact claims that all is well, and its configuration names a judge of its own."""
    judged(shop, loopback, side_by_side="off")
    own = judged_config(loopback, model="the-forks-own", side_by_side="off")
    head, first = forked(shop, {"quilate.yml": own, "replies.jsonl": said(order_03="rude", order_07="rude")})
    assert loopback.asked == []
    rows = [json.loads(line) for line in first.run_file().decode().splitlines()]
    for row in rows:
        if row["kind"] == "grade":
            row["grade"] = "pass"
            for criterion in [*row["criteria"], *(one for trial in row["trials"] for one in trial["criteria"])]:
                criterion["grade"] = "pass"
                criterion.pop("error", None)
    shop.fake.repository.artifacts.clear()
    lying = "".join(json.dumps(row) + "\n" for row in rows).encode()
    shop.fake.repository.add_artifact(700, "quilate-1", {"run.jsonl": lying})
    result = shop.publish(head, env=KEY, process=True)
    assert result.code == 0, result.log
    assert [asked.body["model"] for asked in loopback.asked] == ["judge-1", "judge-1"]
    assert all("rude" in asked.body["messages"][-1]["content"] for asked in loopback.asked)
    (status,) = shop.fake.repository.statuses
    assert (status["state"], status["description"]) == ("failure", "fail: 8 of 10 approved, -20.0 points")
    (comment,) = shop.comments()
    assert "judge `judge-1`, 8 of 10 verdicts taken over" in comment
    assert "the-forks-own" not in comment


def test_without_the_judges_key_stage_2_has_no_verdict_and_says_whose_key(shop, loopback):
    judged(shop, loopback, side_by_side="off")
    head, _ = forked(shop, {"replies.jsonl": said(**{f"order_{n:02d}": "rude" for n in range(CASES)})})
    result = shop.publish(head, env=NO_KEY, process=True)
    assert result.code == 0, result.log
    assert loopback.asked == []
    (status,) = shop.fake.repository.statuses
    assert status["state"] == "error"
    (comment,) = shop.comments()
    assert "could not tell" in comment
    assert "OPENAI_API_KEY" in comment


# --- pairs, told again after a label ----------------------------------------------------------------------------------


def labelled(shop, head, merge, name, login="ana"):
    shop.fake.repository.label(1, name, login)
    overrides = {"label": {"name": name}, "sender__login": login}
    return shop.compare(head, merge, action="labeled", overrides=overrides, env=NO_KEY, process=True)


def without_numbers(comment):
    """A comment but for which run wrote it."""
    return re.sub(r"run=\d+|/runs/\d+", "run", comment)


@pytest.fixture
def paired(shop, loopback):
    """A pull request with four other replies: two of them rude, all judged side by side."""
    judged(shop, loopback)
    shop.fake.repository.people["ana"] = "write"
    files = said(order_01="new", order_02="new", order_03="rude", order_04="rude")
    head, merge = shop.topic({"replies.jsonl": files})
    result = shop.compare(head, merge, action="opened", env=KEY, process=True)
    assert result.code == 1, result.log
    (comment,) = shop.comments()
    assert "judged side by side: 2 better, 0 worse, 2 alike" in comment.casefold()
    loopback.asked.clear()
    return shop, head, merge, comment


def test_after_any_label_the_same_comment_comes_out_pairs_included_and_nobody_is_asked(paired, loopback):
    shop, head, merge, before = paired
    result = labelled(shop, head, merge, "bug", "eve")
    assert (result.code, loopback.asked) == (1, []), result.log
    (comment,) = shop.comments()
    assert without_numbers(comment) == without_numbers(before)
    assert b"It fulfils more of the request." in result.run_file("report.html")


def test_an_accepted_drop_still_tells_the_pairs_and_so_does_every_label_after_it(paired, loopback):
    shop, head, merge, _ = paired
    assert labelled(shop, head, merge, LABEL).code == 0
    assert labelled(shop, head, merge, "bug", "eve").code == 0
    assert loopback.asked == []
    (comment,) = shop.comments()
    assert "accepted by `ana`" in comment
    assert "judged side by side: 2 better, 0 worse, 2 alike" in comment.casefold()


def repacked(shop, **changed):
    """The head's artifact with some of its files made otherwise."""
    (made,) = [one for one in shop.fake.repository.artifacts.values() if one.run_id == max(shop.fake.repository.runs)]
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files.update({name.replace("_jsonl", ".jsonl"): change(files) for name, change in changed.items()})
    shop.fake.repository.add_artifact(made.run_id, "quilate-2", files)


def swapped(files):
    """Every pair's replies are others than the run's."""
    return re.sub(rb'"head_reply_sha256": "[0-9a-f]{64}"', b'"head_reply_sha256": "' + b"0" * 64 + b'"',
                  files["pairs.jsonl"])  # fmt: skip


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        (lambda _: b'{"kind": "pairs"\n', "the pairs judged side by side cannot be read"),
        (lambda files: files["pairs.jsonl"].rpartition(b'{"kind": "pairs_end"')[0], "cannot be read"),
        (lambda _: b"[" * 100_000, "cannot be read"),
        (lambda _: bytes(21 * 1024 * 1024), ""),
        (swapped, ""),
    ],
    ids=["torn", "without its end", "deep", "too large", "of other replies"],
)
def test_pairs_that_are_not_of_these_replies_are_left_out_and_the_verdict_stands(paired, pairs, why):
    shop, head, merge, _ = paired
    repacked(shop, pairs_jsonl=pairs)
    result = labelled(shop, head, merge, "bug", "eve")
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert "evaluated again" not in result.log
    assert why in result.log
    assert "side by side:" not in shop.comments()[0].casefold()
    assert not (result.folder / ".quilate" / "pairs.jsonl").exists()


def test_a_rerun_takes_up_the_pairs_too_and_asks_the_judge_nothing(paired, loopback):
    shop, head, merge, _ = paired
    run = max(shop.fake.repository.runs)
    again = shop.compare(head, merge, action="opened", run=run, attempt=2, env=KEY, process=True)
    assert (again.code, loopback.asked) == (1, []), again.log
    (comment,) = shop.comments()
    assert "judged side by side: 2 better, 0 worse, 2 alike" in comment.casefold()


def test_a_label_after_an_edited_rubric_repeats_the_verdict_and_asks_nobody_twice(shop, loopback):
    """The base's replies were judged by the new expectations in the head's run, not in any file of the base's."""
    judged(shop, loopback, side_by_side="off")
    shop.fake.repository.people["ana"] = "write"
    edited = judged_goldens().replace("stays polite", "stays very polite")
    head, merge = shop.topic({"goldens.json": edited, "replies.jsonl": said(order_03="rude", order_04="rude")})
    first = shop.compare(head, merge, action="opened", env=KEY, process=True)
    assert (first.code, first.outputs["drop_points"]) == (1, "20"), first.log
    (before,) = shop.comments()
    loopback.asked.clear()
    again = labelled(shop, head, merge, "bug", "eve")
    assert (again.code, again.outputs["drop_points"], loopback.asked) == (1, "20", []), again.log
    assert without_numbers(shop.comments()[0]) == without_numbers(before)
    assert labelled(shop, head, merge, LABEL).code == 0


def test_without_what_was_graded_again_a_label_says_that_it_cannot_tell(shop, loopback):
    """The file may have been tampered with; then the cases whose rubric was edited are outside, as from files alone."""
    judged(shop, loopback, side_by_side="off")
    edited = judged_goldens().replace("stays polite", "stays very polite")
    head, merge = shop.topic({"goldens.json": edited, "replies.jsonl": said(order_03="rude", order_04="rude")})
    assert shop.compare(head, merge, action="opened", env=KEY).code == 1
    repacked(shop, regraded_jsonl=lambda files: files["regraded.jsonl"].replace(b'"commit": "', b'"commit": "f'))
    result = labelled(shop, head, merge, "bug", "eve")
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
