"""The gate's verdict and exit code, whatever else goes wrong."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from markdown_it import MarkdownIt
from tests.e2e.action.conftest import COMPARE, RECORD

CONFIG = "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\n"


def test_a_head_checked_out_instead_of_the_merge_is_compared_with_the_merge_base(opened, reply_lines):
    start = opened.git("rev-parse", "main")
    head, merge = opened.topic({"replies.jsonl": reply_lines(1, 2)})
    moved = opened.main({"replies.jsonl": reply_lines(1, 2, 3, 4)})
    assert opened.record(moved).code == 0
    result = opened.compare(head, merge, checkout=head)
    assert (result.code, result.outputs["base_pass_rate"]) == (1, "100"), result.log
    assert start[:7] in opened.comments()[0]


def test_without_any_record_nothing_is_compared_and_that_is_said(shop, reply_lines, golden_lines):
    files = {"quilate.yml": "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\n"}
    shop.main({**files, "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines(), ".gitignore": ".quilate\n"})
    result = shop.compare(*shop.topic({"note.txt": "x"}), action="opened")
    assert (result.code, result.outputs["verdict"], result.outputs["base_pass_rate"]) == (0, "not_compared", "")
    assert "not compared" in shop.comments()[0]


def test_an_outage_on_main_is_not_recorded_and_the_good_run_before_it_measures(opened, reply_lines):
    good = opened.git("rev-parse", "main")
    outage = opened.main({"replies.jsonl": reply_lines(errors=tuple(range(1, 9)))})
    pushed = opened.record(outage)
    assert (pushed.code, pushed.outputs["verdict"]) == (3, "unusable"), pushed.log
    assert "8 of the run's 20 cases are in error" in pushed.log
    result = opened.compare(*opened.topic({"replies.jsonl": reply_lines()}), action="opened")
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log
    assert good[:7] in opened.comments()[0]
    assert outage[:7] not in opened.comments()[0]


def test_a_corrupt_record_and_one_without_are_passed_over_with_the_distance_said(opened, reply_lines):
    second = opened.main({"n.txt": "2"})
    assert opened.record(second).code == 0
    third = opened.main({"n.txt": "3"})
    assert opened.record(third).code == 0
    opened.main({"n.txt": "4"})
    repository = opened.fake.repository
    files = dict(repository.files_of("quilate-data"))
    files[f"v1/orders/records/{third[:2]}/{third}.jsonl.gz"] = gzip.compress(b"{}")
    repository.commit_files(files, repository.refs["refs/heads/quilate-data"], branch="quilate-data")
    result = opened.compare(*opened.topic({"replies.jsonl": reply_lines()}), action="opened")
    assert result.code == 0, result.log
    assert f"the record of {third[:7]} was passed over" in result.log
    assert second[:7] in opened.comments()[0]
    assert "2 commits back" in opened.comments()[0]


def test_a_read_only_token_keeps_the_verdict_and_the_report(opened, reply_lines):
    read_only = {"contents": "read", "pull_requests": "read", "actions": "read"}
    result = opened.compare(*opened.topic({"replies.jsonl": reply_lines(3, 8)}), permissions=read_only, action="opened")
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert "order-03" in result.summary
    assert "pull-requests: write" in result.summary
    assert "pull-requests: write" in result.log
    assert "order-03" in result.run_file("comment.md").decode()
    assert opened.comments() == []


@pytest.mark.parametrize(
    ("missing", "named", "code"),
    [
        ("pull_requests", "pull-requests: write", 1),
        ("contents", "contents: read", 2),
        ("actions", "actions: read", 1),
    ],
)
def test_each_permission_of_the_comparing_job_is_named_when_it_is_missing(opened, reply_lines, missing, named, code):
    """All that the template declares, but one; what reads an earlier run's artifact is asked on a re-run."""
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    assert opened.compare(head, merge, action="opened", run=500).code == 1
    declared = {name: level for name, level in COMPARE.items() if name != missing}
    assert len(declared) == len(COMPARE) - 1 == 2
    result = opened.compare(head, merge, permissions=declared, action="opened", run=500, attempt=2)
    assert result.code == code, result.log
    assert named in result.log


@pytest.mark.parametrize(
    ("missing", "named", "code"), [("contents", "contents: write", 2), ("pull_requests", "pull-requests: read", 0)]
)
def test_each_permission_of_the_recording_job_is_named_when_it_is_missing(opened, missing, named, code):
    sha = opened.main({"n.txt": "2"})
    declared = {name: level for name, level in RECORD.items() if name != missing}
    assert len(declared) == len(RECORD) - 1 == 1
    result = opened.record(sha, permissions={"contents": "read", **declared})
    assert result.code == code, result.log
    assert named in result.log


def test_the_lines_to_write_stand_beside_a_missing_permission(opened, reply_lines):
    declared = {"contents": "read", "actions": "read"}
    result = opened.compare(*opened.topic({"replies.jsonl": reply_lines(3, 8)}), permissions=declared, action="opened")
    assert "permissions:" in result.log
    assert "permissions:" in result.summary


def test_a_push_whose_usable_run_cannot_be_stored_exits_2(opened):
    sha = opened.main({"n.txt": "2"})
    opened.fake.fail("PATCH", "/git/refs/", 403, message="Repository rule violations found", times=99)
    assert opened.record(sha).code == 2


def test_a_locked_conversation_keeps_the_verdict(opened, reply_lines):
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    opened.fake.repository.issues[1].locked = True
    result = opened.compare(head, merge, action="opened")
    assert result.code == 1
    assert "locked" in result.log
    assert "order-03" in result.summary


def test_an_evaluation_that_breaks_is_told_in_the_comment_with_the_line(opened):
    result = opened.compare(
        *opened.topic({"goldens.yaml": "cases:\n  - {id: a, categry: b, input: c}\n"}), action="opened"
    )
    assert (result.code, result.outputs["verdict"]) == (2, "broken"), result.log
    assert "categry" in opened.comments()[0]
    assert "goldens.yaml" in opened.comments()[0]


def test_a_comment_that_told_of_a_broken_evaluation_is_updated_by_the_next_run(opened):
    opened.compare(*opened.topic({"quilate.yml": "suite: orders\n"}), action="opened", env={"INPUT_SUITE": "orders"})
    good = "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\n"
    result = opened.compare(*opened.topic({"quilate.yml": good}), env={"INPUT_SUITE": "orders"})
    assert result.code == 0, result.log
    assert len(opened.comments()) == 1


def test_a_merge_queue_gates_and_neither_records_nor_comments(opened, reply_lines):
    base = opened.git("rev-parse", "main")
    opened.git("checkout", "-q", "--detach", "main")
    candidate = opened.commit({"replies.jsonl": reply_lines(3, 8)})
    opened.fake.repository.push_git(opened.folder, candidate)
    payload = opened.payload("merge_group", None, merge_group__base_sha=base, merge_group__head_sha=candidate)
    before = opened.fake.repository.refs["refs/heads/quilate-data"]
    result = opened.step(
        "merge_group", payload, candidate, permissions={"contents": "read"}, ref="refs/heads/gh-readonly-queue/x"
    )
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert opened.fake.repository.refs["refs/heads/quilate-data"] == before
    assert opened.fake.made("POST", "/comments") == 0


def test_a_schedule_notices_a_drop_with_no_pull_request_and_goes_to_the_history(opened, reply_lines):
    """The agent answers otherwise at the very commit that was recorded: a provider's silent model change."""
    sha = opened.git("rev-parse", "main")
    opened.git("checkout", "-q", "--detach", sha)
    (opened.folder / "replies.jsonl").write_text(reply_lines(1, 2, 3), encoding="utf-8")
    permissions = {"contents": "write"}
    result = opened.step("schedule", {"schedule": "0 5 * * *"}, sha, permissions=permissions, ref="refs/heads/main")
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    points = json.loads(opened.fake.repository.files_of("quilate-data")["v1/orders/history/main.json"])["points"]
    assert [(one["event"], one["recorded"], one.get("verdict")) for one in points] == [
        ("push", True, None),
        ("schedule", False, "fail"),
    ]
    opened.git("checkout", "-q", "--", "replies.jsonl")


def test_a_closed_pull_request_is_nothing_to_do(opened):
    head, merge = opened.topic({"n.txt": "x"})
    result = opened.compare(head, merge, action="closed", overrides={"pull_request__state": "closed"})
    assert result.code == 0
    assert "nothing to do" in result.log
    assert result.outputs == {}


def test_an_unserved_event_is_refused_by_name(opened):
    result = opened.step("release", {"action": "published"}, "a" * 40, permissions={}, ref="refs/tags/v1")
    assert result.code == 2
    assert "release" in result.log


def test_a_push_that_checks_something_else_out_is_refused(opened):
    sha = opened.main({"n.txt": "2"})
    other = opened.main({"n.txt": "3"})
    opened.git("checkout", "-q", "--detach", other)
    payload = opened.payload("push", None, ref="refs/heads/main", deleted=False)
    result = opened.step("push", payload, sha, permissions={"contents": "write"}, ref="refs/heads/main")
    assert result.code == 2
    assert "checked out is" in result.log


def test_a_rerun_takes_up_the_replies_of_its_first_attempt_and_asks_only_what_is_missing(opened, reply_lines):
    """The outage is over at the second attempt; the other replies are those of the first."""
    head, merge = opened.topic({"replies.jsonl": reply_lines(errors=(1, 2, 3, 4))})
    first = opened.compare(head, merge, action="opened", run=500)
    assert first.code == 3, first.log
    opened.git("checkout", "-q", "--detach", merge)
    (opened.folder / "replies.jsonl").write_text(reply_lines(9, 10, 11), encoding="utf-8")
    payload = opened.pull_payload("opened", head)
    permissions = {"contents": "read", "pull_requests": "write", "actions": "read"}
    second = opened.step(
        "pull_request", payload, merge, permissions=permissions, ref="refs/pull/1/merge", run=500, attempt=2, head=head
    )
    opened.git("checkout", "-q", "--", "replies.jsonl")
    assert (second.code, second.outputs["pass_rate"]) == (0, "100"), second.log
    assert "the replies of the earlier attempt are taken up" in second.log
    assert len(opened.comments()) == 1


def test_a_rerun_that_may_not_read_artifacts_says_so_and_asks_again(opened, reply_lines):
    head, merge = opened.topic({"replies.jsonl": reply_lines()})
    opened.compare(head, merge, action="opened", run=500)
    permissions = {"contents": "read", "pull_requests": "write"}
    result = opened.compare(head, merge, action="opened", run=500, attempt=2, permissions=permissions)
    assert result.code == 0
    assert "actions: read" in result.log


def test_200_broken_cases_with_long_replies_fit_the_comment_and_are_counted(shop):
    def lines(text):
        rows = [{"case_id": f"c-{n:03d}", "output": f"{text} {n} " + "x" * 20_000} for n in range(200)]
        return "".join(json.dumps(row) + "\n" for row in rows)

    cases = [f"  - {{id: c-{n:03d}, category: k{n % 7}, input: q{n}, required_phrases: [right]}}\n" for n in range(200)]
    files = {
        "quilate.yml": "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\n",
        "goldens.yaml": f"cases:\n{''.join(cases)}",
        "replies.jsonl": lines("right"),
        ".gitignore": ".quilate\n",
    }
    base = shop.main(files)
    assert shop.record(base).code == 0
    result = shop.compare(*shop.topic({"replies.jsonl": lines("wrong")}), action="opened")
    assert result.code == 1, result.log[-2000:]
    (comment,) = shop.comments()
    assert len(comment.encode()) < 60_000
    assert re.search(r"\b0\s*/\s*200", comment)
    assert "200 broke" in comment
    for n in range(7):  # every category whole, whatever of its cases is shown
        assert re.search(rf"^\| `k{n}` \|.*\b(?:28|29)\b.*\b0\s*/\s*(?:28|29)\b", comment, re.MULTILINE)
    assert set(re.findall(r"\bc-\d{3}\b", comment)) == {f"c-{n:03d}" for n in range(200)}
    for markdown in (comment, result.summary):
        assert_well_formed(markdown)
    assert len(result.summary.encode()) < 1024 * 1024
    assert result.log.count("::error ") <= 10


def assert_well_formed(markdown):
    """By a parser of its own: every fence ends, every row has its table's cells, every fold that opens is closed."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    lines = markdown.split("\n")
    for token in tokens:
        if token.type == "fence":
            assert lines[token.map[1] - 1].strip("> ") == token.markup, "a fence without its end"
    every = [child for token in tokens for child in [token, *(token.children or ())]]
    html = "".join(child.content for child in every if child.type.startswith("html_"))
    assert html.count("<details>") == html.count("</details>") > 0
    rows = [sum(one.type in ("th_open", "td_open") for one in row) for row in rows_of(tokens)]
    assert len(set(rows)) == 1


def rows_of(tokens):
    row = []
    for token in tokens:
        row = [] if token.type == "tr_open" else [*row, token]
        if token.type == "tr_close":
            yield row


def test_among_many_comments_and_one_with_our_marker_there_is_one_of_ours_which_is_updated(opened, reply_lines):
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    for number in range(94):
        opened.fake.repository.say(1, "someone", f"comment {number}")
    planted = f"<!-- quilate suite=orders run=1 attempt=1 head={head} -->\n## mine\n"
    opened.fake.repository.say(1, "mallory", planted)
    assert opened.compare(head, merge, action="opened", process=True).code == 1
    for number in range(110):
        opened.fake.repository.say(1, "someone", f"later {number}")
    (before,) = opened.comments()
    assert opened.compare(*opened.topic({"replies.jsonl": reply_lines()}), process=True).code == 0
    (after,) = opened.comments()
    assert before != after
    assert [one.body for one in opened.fake.repository.comments_by("mallory", 1)] == [planted]


def test_a_commit_made_in_the_job_has_no_base_and_that_is_said(opened):
    head, merge = opened.topic({"n.txt": "x"})
    opened.git("checkout", "-q", "--detach", merge)
    built = opened.commit({"built.txt": "x"})
    result = opened.compare(head, merge, action="opened", checkout=built)
    assert result.code == 2
    assert "no commit that GitHub knows" in opened.comments()[0]


def test_without_comments_everything_else_is_there(opened, reply_lines):
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    result = opened.compare(head, merge, action="opened", env={"INPUT_COMMENT": "false"})
    assert (result.code, result.outputs["comment_url"]) == (1, "")
    assert opened.comments() == []
    assert "order-03" in result.summary


def test_replies_that_are_not_to_be_stored_are_not_and_grades_still_compare(shop, reply_lines, golden_lines):
    private = CONFIG + "baseline: {store_replies: false}\n"
    files = {"quilate.yml": private, "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines(5)}
    sha = shop.main({**files, ".gitignore": ".quilate\n"})
    assert shop.record(sha).code == 0
    record = shop.fake.repository.files_of("quilate-data")[f"v1/orders/records/{sha[:2]}/{sha}.jsonl.gz"]
    stored = gzip.decompress(record).decode()
    assert "The answer" not in stored
    assert "No idea" not in stored
    result = shop.compare(*shop.topic({"replies.jsonl": reply_lines(5, 6, 7)}), action="opened")
    assert (result.code, result.outputs["drop_points"]) == (1, "10"), result.log


def test_a_directory_can_hold_the_baselines_instead(shop, reply_lines, golden_lines):
    kept = CONFIG + "baseline: {store: directory, directory: kept}\n"
    files = {"quilate.yml": kept, "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines()}
    sha = shop.main({**files, ".gitignore": ".quilate\nkept\n"})
    assert shop.record(sha, permissions={"contents": "read"}).code == 0
    assert shop.fake.repository.files_of("quilate-data") == {}
    result = shop.compare(*shop.topic({"replies.jsonl": reply_lines(6, 7)}), action="opened")
    assert (result.code, result.outputs["base_pass_rate"]) == (1, "100"), result.log


def test_the_report_is_a_page_of_its_own(opened, reply_lines):
    result = opened.compare(*opened.topic({"replies.jsonl": reply_lines(3, 8)}), action="opened")
    assert result.outputs["report"] == ".quilate/report.html"
    assert b"order-03" in (result.folder / result.outputs["report"]).read_bytes()


def test_a_command_that_is_not_there_is_said_once_with_the_ways(opened):
    config = "suite: orders\ngoldens: [goldens.yaml]\nagent: {command: [no-such-program]}\n"
    result = opened.compare(*opened.topic({"quilate.yml": config}), action="opened")
    assert result.code in (1, 2), result.log
    assert result.log.count("'no-such-program' is not installed here") <= 3
    assert "no-such-program" in opened.comments()[0]
