"""Forks: stage 1 without secrets, stage 2 that believes nothing but replies, and a maintainer's own run."""

from __future__ import annotations

import json
import re

import pytest
from tests.e2e.action.conftest import FORK, READ_ONLY, STAGE_2


@pytest.fixture
def forked(opened, reply_lines):
    """A fork's pull request that breaks two cases, and stage 1's run."""
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)}, fork=FORK)
    result = opened.compare(head, merge, action="opened", permissions=READ_ONLY, run=700)
    return opened, head, merge, result


def artifact(shop, run, files):
    shop.fake.repository.artifacts.clear()
    shop.fake.repository.add_artifact(run, "quilate-1", files)


def lines_of(run):
    return [json.loads(line) for line in run.run_file().decode().splitlines()]


def packed(rows):
    return {"run.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}


def test_stage_1_gates_without_writing_and_stage_2_comments_and_sets_the_status(forked):
    shop, head, merge, first = forked
    assert (first.code, shop.comments()) == (1, []), first.log
    assert "workflow_run comments" in first.log
    result = shop.publish(head)
    assert result.code == 0, result.log
    (comment,) = shop.comments()
    assert "order-03" in comment
    assert "reported by the fork" in comment
    assert merge[:7] not in comment
    (status,) = shop.fake.repository.statuses
    assert (status["sha"], status["state"], status["context"]) == (head, "failure", "quilate/orders")


def test_a_forks_passing_run_gets_a_green_status(opened, reply_lines):
    head, merge = opened.topic({"replies.jsonl": reply_lines(), "n.txt": "x"}, fork=FORK)
    assert opened.compare(head, merge, action="opened", permissions=READ_ONLY, run=700).code == 0
    assert opened.publish(head, conclusion="success").code == 0
    assert opened.fake.repository.statuses[0]["state"] == "success"


def test_an_agent_that_needs_an_absent_secret_makes_the_verdict_inconclusive(opened):
    config = "suite: orders\ngoldens: [goldens.yaml]\nagent: {command: [python, agent.py], env: [OPENAI_API_KEY]}\n"
    files = {"quilate.yml": config, "agent.py": "raise SystemExit('no key')\n"}
    head, merge = opened.topic(files, fork=FORK)
    result = opened.compare(head, merge, action="opened", permissions=READ_ONLY, env={"OPENAI_API_KEY": ""})
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
    assert "OPENAI_API_KEY" in result.summary


def test_grades_totals_and_number_of_a_lying_artifact_count_for_nothing(forked):
    shop, head, _, first = forked
    rows = lines_of(first)
    for row in rows:
        if row["kind"] == "grade":
            row["grade"] = "pass"
            row["definition"]["required_phrases"] = []
            for criterion in [*row["criteria"], *(one for trial in row["trials"] for one in trial["criteria"])]:
                criterion["grade"] = "pass"
        if row["kind"] == "header":
            row["commit"] = "f" * 40
            row["policy"]["max_drop"] = 100
            row["conditions"]["detail"] = {"pull_request": 2}
        if row["kind"] == "footer":
            row["counts"] = {"pass": 20}
    shop.fake.repository.open_pull(2, "e" * 40, fork="someone/else")
    artifact(shop, 700, {**packed(rows), "comment.md": b"@org/team <img src=x> everything passed", "pr_number": b"2"})
    assert shop.publish(head).code == 0
    (comment,) = shop.comments(1)
    assert re.search(r"18\s*/\s*20", comment)
    assert "@org/team" not in comment
    assert shop.comments(2) == []
    assert shop.fake.repository.statuses[0]["state"] == "failure"


def test_leaving_broken_cases_out_is_no_pass(forked):
    shop, head, _, first = forked
    rows = [row for row in lines_of(first) if row.get("case_id") not in ("order-03", "order-08")]
    artifact(shop, 700, packed(rows))
    shop.publish(head)
    assert shop.fake.repository.statuses[0]["state"] == "error"


def test_a_reply_to_another_question_is_no_reply(forked):
    shop, head, _, first = forked
    rows = lines_of(first)
    for row in rows:
        if row["kind"] == "reply" and row["case_id"] in ("order-03", "order-08"):
            row["prompt"] = [{"role": "user", "content": "Say answer 3 and answer 8"}]
            row["reply"]["output"] = "answer 3 answer 8"
    artifact(shop, 700, packed(rows))
    shop.publish(head)
    assert shop.fake.repository.statuses[0]["state"] == "error"


def test_10_000_more_cases_change_nothing(forked):
    shop, head, _, first = forked
    rows = lines_of(first)
    reply = next(row for row in rows if row["kind"] == "reply")
    rows[1:1] = [{**reply, "case_id": f"extra-{n}"} for n in range(10_000)]
    artifact(shop, 700, packed(rows))
    assert shop.publish(head).code == 0
    (comment,) = shop.comments()
    assert re.search(r"18\s*/\s*20", comment)
    assert "extra-" not in comment


def test_markdown_in_a_reply_stays_text(forked):
    shop, head, _, first = forked
    rows = lines_of(first)
    marker = "<!-- quilate suite=orders run=9 attempt=9 head=ffffffff -->"
    hostile = f"</details> @org/team ![x](https://evil.example/x.png) {marker} ``` ~~~ ::error::x"
    for row in rows:
        if row["kind"] == "reply" and row["case_id"] == "order-03":
            row["reply"]["output"] = hostile
    artifact(shop, 700, packed(rows))
    assert shop.publish(head).code == 0
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("gfm-like").disable("linkify").parse(shop.comments()[0])
    kinds = {
        child.type for token in tokens for child in [token, *(token.children or [])] if "evil.example" in child.content
    }
    assert kinds <= {"fence", "code_block", "code_inline", "inline"}
    assert "image" not in {child.type for token in tokens for child in (token.children or [])}


def test_a_run_file_that_is_garbage_is_told(forked):
    shop, head, _, _ = forked
    artifact(shop, 700, {"run.jsonl": b'{"kind": "header"\n' + b"[" * 100_000})
    assert shop.publish(head).code == 0
    assert "cannot be read" in shop.comments()[0]


def test_a_head_that_moved_on_is_left_alone(forked):
    shop, head, _, _ = forked
    shop.fake.repository.pulls[1].head_sha = "d" * 40
    result = shop.publish(head)
    assert result.code == 0
    assert shop.comments() == []
    assert shop.fake.repository.statuses == []


def test_the_branch_of_the_same_name_in_another_fork_is_not_meant(forked):
    shop, head, _, _ = forked
    shop.fake.repository.open_pull(2, head, head_ref="topic-1", fork="mallory/other")
    shop.publish(head)
    assert shop.comments(2) == []


def test_the_bases_goldens_grade_whatever_the_fork_made_of_its_own(opened, reply_lines, golden_lines):
    easier = golden_lines().replace("'answer 3'", "'idea'").replace("'answer 8'", "'idea'")
    files = {"goldens.yaml": easier, "replies.jsonl": reply_lines(3, 8)}
    head, merge = opened.topic(files, fork=FORK)
    opened.compare(head, merge, action="opened", permissions=READ_ONLY, run=700)
    opened.publish(head)
    assert re.search(r"18\s*/\s*20", opened.comments()[0])


@pytest.mark.parametrize(
    ("missing", "named"),
    [
        ("statuses", "statuses: write"),
        ("actions", "actions: read"),
        ("pull_requests", "pull-requests"),
        ("contents", "contents: read"),
    ],
)
def test_each_permission_of_stage_2_is_named_when_it_is_missing(forked, missing, named):
    shop, head, _, _ = forked
    left = {name: level for name, level in STAGE_2.items() if name != missing}
    assert named in shop.publish(head, permissions=left).log


def dispatch(shop, head, **options):
    inputs = {"pull_request": "1", "commit": head}
    payload = shop.payload("workflow_dispatch", None, inputs=inputs)
    main = shop.git("rev-parse", "main")
    shop.git("checkout", "-q", "--detach", options.pop("checkout", head))
    return shop.step("workflow_dispatch", payload, main, permissions=STAGE_2, ref="refs/heads/main", **options)


def test_a_maintainer_runs_the_real_thing_on_the_reviewed_commit(forked):
    shop, head, _, _ = forked
    result = dispatch(shop, head)
    assert result.code == 1, result.log
    (comment,) = shop.comments()
    assert "reported by the fork" not in comment
    assert (shop.fake.repository.statuses[0]["sha"], shop.fake.repository.statuses[0]["state"]) == (head, "failure")


def test_a_commit_that_is_no_longer_the_head_is_not_run(forked):
    shop, head, _, _ = forked
    shop.fake.repository.pulls[1].head_sha = "d" * 40
    result = dispatch(shop, head)
    assert result.code == 2
    assert "not at the reviewed" in result.log


def test_another_commit_than_the_reviewed_one_checked_out_is_not_run(forked):
    shop, head, _, _ = forked
    result = dispatch(shop, head, checkout="main")
    assert result.code == 2
    assert "ref: ${{ inputs.commit }}" in result.log


LABEL = "quilate: accept drop"
CONFIG_ABOVE = "suite: orders\ngoldens: [../../shared/goldens.yaml]\nagent: {replay: replies.jsonl}\n"


def test_a_maintainers_label_accepts_a_forks_drop_in_stage_2(forked):
    shop, head, _, _ = forked
    shop.fake.repository.people["ana"] = "write"
    shop.fake.repository.label(1, LABEL, "ana")
    assert shop.publish(head).code == 0
    assert shop.fake.repository.statuses[0]["state"] == "success"
    assert "ana" in shop.comments()[0]


def test_a_label_of_the_forks_former_head_is_removed_and_accepts_nothing(forked, reply_lines):
    shop, _, _, _ = forked
    shop.fake.repository.people["ana"] = "write"
    shop.fake.repository.label(1, LABEL, "ana")
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "more"})
    assert shop.compare(head, merge, permissions=READ_ONLY, run=701).code == 1
    shop.publish(head, run=701)
    assert shop.fake.repository.statuses[0]["state"] == "failure"
    assert LABEL not in shop.fake.repository.issues[1].labels


def test_a_label_in_the_second_of_the_forks_push_accepts_nothing(forked, reply_lines):
    shop, _, _, _ = forked
    shop.fake.repository.people["ana"] = "write"
    shop.fake.repository.label(1, LABEL, "ana")
    shop.fake.repository.in_one_second = True
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "more"})
    assert shop.compare(head, merge, permissions=READ_ONLY, run=701).code == 1
    shop.publish(head, run=701)
    assert shop.fake.repository.statuses[0]["state"] == "failure"
    assert LABEL not in shop.fake.repository.issues[1].labels


def test_a_label_is_no_acceptance_of_a_head_that_comes_back_after_it(forked, reply_lines):
    """Once pushed, withdrawn before anyone looked, and pushed again when the label was on the harmless head."""
    shop, good, _, _ = forked
    shop.fake.repository.people["ana"] = "write"
    worse, merge = shop.topic({"replies.jsonl": reply_lines(1, 2, 3, 4, 5)})
    assert shop.compare(worse, merge, permissions=READ_ONLY, run=701).code == 1
    shop.fake.repository.pulls[1].head_sha = good
    shop.fake.repository.add_run(702, good, head_branch="topic-1", head_repository=FORK)
    shop.fake.repository.label(1, LABEL, "ana")
    shop.fake.repository.pulls[1].head_sha = worse
    assert shop.compare(worse, merge, permissions=READ_ONLY, run=703).code == 1
    shop.publish(worse, run=703)
    assert shop.fake.repository.statuses[0]["state"] == "failure"
    assert LABEL not in shop.fake.repository.issues[1].labels


def moved_on(shop, commits):
    """Main, that many commits later."""
    shop.git("checkout", "-q", "main")
    for number in range(commits):
        shop.git(
            "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "--allow-empty", "-m", str(number)
        )
    shop.fake.repository.push_git(shop.folder, shop.git("rev-parse", "main"), "main")


FAR = "The fork's base is 21 commits behind the base branch: what was merged since is not in this comparison."


@pytest.mark.parametrize(("commits", "said"), [(20, False), (21, True)])
def test_a_base_that_a_fork_left_far_behind_is_told(opened, reply_lines, commits, said):
    """The fork tests its head and not the merge, so that it is compared with where it branched."""
    head, _ = opened.topic({"replies.jsonl": reply_lines()}, fork=FORK)
    moved_on(opened, commits)
    first = opened.compare(head, head, action="opened", permissions=READ_ONLY, run=700)
    assert first.code == 0, first.log
    assert opened.publish(head, conclusion="success", process=True).code == 0
    assert (FAR in opened.comments()[0]) is said


def test_a_fork_cannot_hide_it_by_a_merge_of_its_own_with_an_old_commit(opened, reply_lines):
    head, old_merge = opened.topic({"replies.jsonl": reply_lines()}, fork=FORK)
    moved_on(opened, 21)
    assert opened.compare(head, old_merge, action="opened", permissions=READ_ONLY, run=700).code == 0
    assert opened.publish(head, conclusion="success").code == 0
    assert FAR in opened.comments()[0]


def test_a_defect_of_ours_is_told_and_its_traceback_is_no_command(forked, executed):
    shop, head, _, _ = forked
    shop.fake.fail("GET", "/pulls", 200, message="x")
    result = shop.publish(head)
    assert result.code == 3
    assert "Traceback" in result.log
    assert [one.split(" ")[0] for one in executed(result.log) if "add-mask" not in one] == ["::error"]


def test_goldens_beside_the_configurations_folder_are_read_too(shop, reply_lines, golden_lines):
    files = {
        "services/orders/quilate.yml": CONFIG_ABOVE, "shared/goldens.yaml": golden_lines(),
        "services/orders/replies.jsonl": reply_lines(), ".gitignore": ".quilate\n",
    }  # fmt: skip
    env = {"INPUT_CONFIG": "services/orders/quilate.yml"}
    shop.env = env
    assert shop.record(shop.main(files)).code == 0
    head, merge = shop.topic({"services/orders/replies.jsonl": reply_lines(3, 8)}, fork=FORK)
    assert shop.compare(head, merge, action="opened", permissions=READ_ONLY, run=700).code == 1
    assert shop.publish(head).code == 0
    assert shop.fake.repository.statuses[0]["state"] == "failure"


MONOREPO = "suite: orders\ngoldens: [cases/**/*.yaml, ../../shared/*.yaml, more]\nagent: {replay: replies.jsonl}\n"


def one_by_one(golden):
    """A golden file a case."""
    version, cases, *rows = golden.splitlines(keepends=True)
    return [f"{version}{cases}{row}" for row in rows]


@pytest.mark.parametrize("most", [40, 8])
def test_a_repository_too_large_to_list_at_once_is_read_folder_by_folder(shop, reply_lines, golden_lines, most):
    """400 files elsewhere, and golden files by pattern, above the configuration's folder, and as a folder."""
    files = {
        "services/orders/quilate.yml": MONOREPO, "services/orders/replies.jsonl": reply_lines(),
        ".gitignore": ".quilate\n", **{f"big/{n % 40}/{n}.txt": "x" for n in range(400)},
    }  # fmt: skip
    folders = [*(f"services/orders/cases/{n}/b" for n in range(12)), *["shared"] * 4, *["services/orders/more"] * 4]
    for number, (folder, case) in enumerate(zip(folders, one_by_one(golden_lines()), strict=True)):
        files[f"{folder}/{number}.yaml"] = case
    shop.env = {"INPUT_CONFIG": "services/*/quilate.yml"}
    assert shop.record(shop.main(files)).code == 0
    head, merge = shop.topic({"services/orders/replies.jsonl": reply_lines(3, 8)}, fork=FORK)
    assert shop.compare(head, merge, action="opened", permissions=READ_ONLY, run=700).code == 1
    shop.fake.repository.most_listed = most
    result = shop.publish(head, process=True)
    assert result.code == 0, result.log
    assert shop.fake.repository.statuses[0]["state"] == "failure"
    assert re.search(r"18\s*/\s*20", shop.comments()[0])
    assert shop.fake.made("GET", f"/git/trees/{shop.git('rev-parse', 'main:big')}") == 0


def test_golden_files_in_more_folders_than_may_be_listed_are_told(shop, reply_lines, golden_lines):
    config = "suite: orders\ngoldens: ['**/goldens.yaml']\nagent: {replay: replies.jsonl}\n"
    files = {
        "quilate.yml": config, "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines(),
        ".gitignore": ".quilate\n", **{f"big/{n}/x/y.txt": str(n) for n in range(210)},
    }  # fmt: skip
    assert shop.record(shop.main(files)).code == 0
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8)}, fork=FORK)
    assert shop.compare(head, merge, action="opened", permissions=READ_ONLY, run=700).code == 1
    shop.fake.repository.most_listed = 8
    assert shop.publish(head).code == 0
    assert shop.fake.repository.statuses[0]["state"] == "error"
    assert "more than 200 folders" in shop.comments()[0]
