"""Where the baseline is, under which name, what a missing one means: base's configuration says, not the change's."""

from __future__ import annotations

import json

import pytest
from tests.e2e.action.conftest import CONFIG, READ_ONLY

LABEL = "quilate: accept drop"
AGENT = "goldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\n"


def label(shop, head, merge, name=LABEL, login="ana"):
    shop.fake.repository.label(1, name, login)
    overrides = {"label": {"name": name}, "sender__login": login}
    return shop.compare(head, merge, action="labeled", overrides=overrides)


# --- the suite's name ------------------------------------------------------------------------------------------------


def test_a_renamed_suite_is_held_to_its_record_and_the_comment_names_the_rename(opened, reply_lines):
    files = {"quilate.yml": f"suite: other\n{AGENT}", "replies.jsonl": reply_lines(3, 8)}
    result = opened.compare(*opened.topic(files), action="opened", process=True)
    assert (result.code, result.outputs["drop_points"]) == (1, "10"), result.log
    (comment,) = opened.comments()
    assert "suite=other" in comment.splitlines()[0]
    assert "This change renames the suite `orders` to `other`; it is compared with the record of `orders`." in comment


def test_a_renamed_suite_with_an_agent_as_good_as_before_passes(opened):
    result = opened.compare(*opened.topic({"quilate.yml": f"suite: other\n{AGENT}"}), action="opened")
    assert (result.code, result.outputs["verdict"], result.outputs["base_pass_rate"]) == (0, "pass", "100"), result.log


def test_a_renamed_suite_with_other_cases_is_not_told_to_be_without_a_baseline(opened, golden_lines):
    files = {"quilate.yml": f"suite: other\n{AGENT}", "goldens.yaml": golden_lines().replace("Question", "Another")}
    result = opened.compare(*opened.topic(files), action="opened")
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log


def test_an_accepted_rename_is_told_as_one_and_a_label_repeats_it(opened, reply_lines):
    opened.fake.repository.people["ana"] = "write"
    files = {"quilate.yml": f"suite: other\n{AGENT}", "replies.jsonl": reply_lines(3, 8)}
    head, merge = opened.topic(files)
    assert opened.compare(head, merge, action="opened").code == 1
    result = label(opened, head, merge, "bug")
    assert (result.code, result.outputs["drop_points"]) == (1, "10"), result.log
    result = label(opened, head, merge)
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log
    assert "evaluated again" not in result.log
    assert "renames the suite `orders` to `other`" in opened.comments()[0]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es", "Este cambio renombra la suite `orders` como `other`; se compara con el registro de `orders`."),
        ("pt-BR", "Esta mudança renomeia a suíte `orders` para `other`; a comparação é com o registro de `orders`."),
    ],
)
def test_a_rename_is_told_in_the_readers_language(opened, language, words):
    files = {"quilate.yml": f"suite: other\n{AGENT}report_language: {language}\n"}
    assert opened.compare(*opened.topic(files), action="opened").code == 0
    assert words in opened.comments()[0]


def test_in_the_merge_queue_a_renamed_suite_is_held_to_its_record(opened, reply_lines):
    base = opened.git("rev-parse", "main")
    files = {"quilate.yml": f"suite: other\n{AGENT}", "replies.jsonl": reply_lines(3, 8)}
    _, merge = opened.topic(files)
    opened.git("checkout", "-q", "--detach", merge)
    ref = f"refs/heads/gh-readonly-queue/main/pr-1-{base}"
    queued = {"base_sha": base, "head_sha": merge, "head_ref": ref, "base_ref": "refs/heads/main"}
    payload = opened.payload("merge_group", "checks_requested")
    payload["merge_group"].update(queued)
    result = opened.step("merge_group", payload, merge, permissions=READ_ONLY, ref=ref, process=True)
    assert (result.code, result.outputs["drop_points"]) == (1, "10"), result.log


# --- where the records are -------------------------------------------------------------------------------------------


def forged(opened, reply_lines):
    """A change that drops, with a record of the base in a folder of its own that says base was as bad."""
    base = opened.git("rev-parse", "main")
    opened.git("checkout", "-q", "-b", "forge", "main")
    opened.git("checkout", "-q", "main")
    (opened.folder / "replies.jsonl").write_text(reply_lines(3, 8), encoding="utf-8")
    (opened.folder / "forge.yml").write_text(f"{CONFIG}baseline: {{store: directory, directory: mine}}\n", "utf-8")
    result = opened.step(
        "push", opened.payload("push", None, ref="refs/heads/main", deleted=False, after=base), base,
        permissions={"contents": "read"}, ref="refs/heads/main", env={"INPUT_CONFIG": "forge.yml"},
    )  # fmt: skip
    assert result.code == 0, result.log
    (opened.folder / "forge.yml").unlink()
    assert list((opened.folder / "mine").rglob(f"*{base}*"))
    opened.git("checkout", "-q", "--", "replies.jsonl")
    settings = f"{CONFIG}baseline: {{store: directory, directory: mine}}\n"
    return opened.topic({"quilate.yml": settings, "replies.jsonl": reply_lines(3, 8)})


def test_records_that_a_change_brings_along_are_not_its_base(opened, reply_lines):
    result = opened.compare(*forged(opened, reply_lines), action="opened", process=True)
    assert (result.code, result.outputs["base_pass_rate"]) == (1, "100"), result.log
    (comment,) = opened.comments()
    assert "`baseline.store: branch → directory`" in comment
    assert "take effect after merge" in comment


def test_another_branch_of_records_is_not_the_base_before_it_is_merged(opened, reply_lines):
    files = {"quilate.yml": f"{CONFIG}baseline: {{branch: mine}}\n", "replies.jsonl": reply_lines(3, 8)}
    result = opened.compare(*opened.topic(files), action="opened")
    assert (result.code, result.outputs["base_pass_rate"]) == (1, "100"), result.log
    assert "`baseline.branch: quilate-data → mine`" in opened.comments()[0]


def test_the_bases_configuration_is_one_request(opened):
    head, merge = opened.topic({"n.txt": "x"})
    opened.fake.requests.clear()
    assert opened.compare(head, merge, action="opened").code == 0
    assert opened.fake.made("GET", "/contents/") == 1
    assert opened.fake.made("GET", f"/contents/quilate.yml?ref={opened.git('rev-parse', 'main')}") == 1


# --- what a missing record means, and who releases the check ---------------------------------------------------------


@pytest.fixture
def unrecorded(shop, golden_lines, reply_lines):
    """A shop that insists on a baseline and has none."""

    def made(gate="gate: {on_missing_baseline: fail}\n"):
        files = {"quilate.yml": f"{CONFIG}{gate}", "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines()}
        shop.main({**files, ".gitignore": ".quilate\n"})
        return shop

    return made


def test_what_a_missing_record_means_is_not_the_changes_to_say(unrecorded):
    shop = unrecorded()
    result = shop.compare(*shop.topic({"quilate.yml": CONFIG}), action="opened", process=True)
    assert (result.code, result.outputs["verdict"]) == (3, "not_compared"), result.log
    assert "`on_missing_baseline: fail → pass`" in shop.comments()[0]


def test_nor_does_a_rename_say_it(unrecorded):
    shop = unrecorded()
    result = shop.compare(*shop.topic({"quilate.yml": f"suite: other\n{AGENT}"}), action="opened")
    assert result.code == 3, result.log
    assert "`suite: orders → other`" in shop.comments()[0]


def test_a_missing_record_may_pass_where_base_says_so(unrecorded):
    shop = unrecorded("")
    files = {"quilate.yml": f"{CONFIG}gate: {{on_missing_baseline: fail}}\n"}
    assert shop.compare(*shop.topic(files), action="opened").code == 0


def test_a_change_cannot_make_another_label_accept_it(opened, reply_lines):
    opened.fake.repository.people["ana"] = "write"
    files = {"quilate.yml": f"{CONFIG}accept_label: bug\n", "replies.jsonl": reply_lines(3, 8)}
    head, merge = opened.topic(files)
    assert opened.compare(head, merge, action="opened").code == 1
    assert "`accept_label: quilate: accept drop → bug`" in opened.comments()[0]
    assert label(opened, head, merge, "bug").code == 1
    assert label(opened, head, merge).code == 0


# --- a base without a configuration, or one that cannot be read ------------------------------------------------------


def test_the_change_that_brings_a_configuration_in_decides_for_itself(shop, golden_lines, reply_lines):
    shop.main({"README.md": "x"})
    files = {"quilate.yml": CONFIG, "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines(3)}
    result = shop.compare(*shop.topic(files), action="opened", process=True)
    assert (result.code, result.outputs["verdict"]) == (0, "not_compared"), result.log
    strict = {"quilate.yml": f"{CONFIG}gate: {{on_missing_baseline: fail}}\n"}
    assert shop.compare(*shop.topic(strict)).code == 3


BROKEN = {
    "no yaml": "suite: [orders\n",
    "no object": "- orders\n",
    "a wrong value": f"{CONFIG}baseline: {{store: x}}\n",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_base_that_cannot_be_read_is_told_and_a_person_answers_for_the_repair(opened, broken):
    opened.fake.repository.people["ana"] = "write"
    opened.main({"quilate.yml": broken})
    head, merge = opened.topic({"quilate.yml": f"{CONFIG}trials: 1\n"})
    result = opened.compare(head, merge, action="opened", process=True)
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
    (comment,) = opened.comments()
    assert "what the base's configuration says of this suite is not known: `quilate.yml of " in comment.replace(
        "W", "w"
    )
    result = label(opened, head, merge)
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log


def test_what_else_is_wrong_with_the_bases_configuration_is_no_matter(opened, reply_lines):
    opened.main({"quilate.yml": f"{CONFIG}gaol: 3\n"})
    result = opened.compare(*opened.topic({"quilate.yml": CONFIG, "replies.jsonl": reply_lines(3, 8)}), action="opened")
    assert (result.code, result.outputs["base_pass_rate"]) == (1, "100"), result.log


def test_where_github_does_not_give_the_bases_configuration_nothing_passes(opened):
    head, merge = opened.topic({"n.txt": "x"})
    opened.fake.fail("GET", "/contents/quilate.yml", 403, message="Resource not accessible by integration", times=9)
    result = opened.compare(head, merge, action="opened")
    assert (result.code, result.outputs["verdict"]) == (3, "broken") or result.code == 2, result.log
    assert "contents: read" in result.log


# --- several suites --------------------------------------------------------------------------------------------------

EVERY = {"INPUT_CONFIG": "*/quilate.yml"}


@pytest.fixture
def several(shop, golden_lines, reply_lines):
    """Two suites in folders of their own, recorded."""
    files = {".gitignore": ".quilate\n"}
    for name in ("orders", "refunds"):
        files[f"{name}/quilate.yml"] = f"suite: {name}\n{AGENT}"
        files[f"{name}/goldens.yaml"], files[f"{name}/replies.jsonl"] = golden_lines(), reply_lines()
    result = shop.record(shop.main(files), env=EVERY)
    assert result.code == 0, result.log
    return shop


def moved(shop, files, *gone):
    shop.topic({})
    shop.git("checkout", "-q", "topic-1")
    for folder in gone:
        shop.git("rm", "-rq", folder)
    return shop.topic(files)


def suite_files(name, golden_lines, replies, settings=""):
    return {
        "quilate.yml": f"suite: {name}\n{AGENT}{settings}",
        "goldens.yaml": golden_lines(),
        "replies.jsonl": replies,
    }


def into(folder, files):
    return {f"{folder}/{path}": text for path, text in files.items()}


def test_a_moved_suite_keeps_its_record_and_base_says_where_that_is(several, golden_lines, reply_lines):
    settings = "baseline: {branch: mine}\n"
    files = into("shipped", suite_files("orders", golden_lines, reply_lines(3, 8), settings))
    result = several.compare(*moved(several, files, "orders"), action="opened", env=EVERY, process=True)
    assert result.code == 1, result.log
    assert json.loads(result.outputs["drop_points"]) == {"orders": "10", "refunds": "0"}


def test_a_suite_that_is_moved_and_renamed_at_once_is_held_to_the_record_of_the_one_that_went(
    several, golden_lines, reply_lines
):
    files = into("shipped", suite_files("other", golden_lines, reply_lines(3, 8)))
    result = several.compare(*moved(several, files, "orders"), action="opened", env=EVERY)
    assert result.code == 1, result.log
    assert json.loads(result.outputs["drop_points"]) == {"other": "10", "refunds": "0"}


def test_of_several_that_went_it_is_said_that_one_at_a_time_can_be_told(several, golden_lines, reply_lines):
    files = into("shipped", suite_files("other", golden_lines, reply_lines()))
    result = several.compare(*moved(several, files, "orders", "refunds"), action="opened", env=EVERY)
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
    assert "this change takes away orders, refunds and brings in other" in several.comments()[0]


def test_a_suite_that_is_added_beside_the_others_is_compared_with_nothing_as_before(several, golden_lines, reply_lines):
    files = into("added", suite_files("added", golden_lines, reply_lines()))
    result = several.compare(*several.topic(files), action="opened", env=EVERY)
    assert result.code == 0, result.log
    assert json.loads(result.outputs["base_pass_rate"]) == {"added": "", "orders": "100", "refunds": "100"}
