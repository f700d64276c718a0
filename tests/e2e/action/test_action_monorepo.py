"""Several suites in one repository and one workflow."""

from __future__ import annotations

import json


def service(name, lines, golden):
    config = f"suite: {name}\ngoldens: [goldens.yaml]\nagent: {{replay: replies.jsonl}}\n"
    return {
        f"services/{name}/quilate.yml": config,
        f"services/{name}/goldens.yaml": golden,
        f"services/{name}/replies.jsonl": lines,
    }


def test_two_suites_have_a_comment_each_and_the_worst_exit_code(shop, reply_lines, golden_lines):
    env = {"INPUT_CONFIG": "services/*/quilate.yml"}
    files = {**service("orders", reply_lines(), golden_lines()), **service("returns", reply_lines(), golden_lines())}
    sha = shop.main({**files, ".gitignore": ".quilate\n"})
    assert shop.record(sha, env=env).code == 0
    stored = shop.fake.repository.files_of("quilate-data")
    assert {f"v1/{name}/records/{sha[:2]}/{sha}.json" for name in ("orders", "returns")} <= set(stored)
    result = shop.compare(*shop.topic({"services/returns/replies.jsonl": reply_lines(3, 8)}), action="opened", env=env)
    assert result.code == 1, result.log
    first, second = sorted(shop.comments())
    assert "suite=orders" in first
    assert "suite=returns" in second
    assert result.outputs["verdict"] == "fail"
    assert json.loads(result.outputs["pass_rate"]) == {"orders": "100", "returns": "90"}
    assert json.loads(result.outputs["run_file"])["returns"] == ".quilate/returns/run.jsonl"
    assert "services/returns/goldens.yaml" in result.log
    again = shop.compare(*shop.topic({"services/returns/replies.jsonl": reply_lines()}), env=env)
    assert again.code == 0
    assert len(shop.comments()) == 2


def test_one_suite_is_picked_by_name_and_a_wrong_name_is_told(shop, reply_lines, golden_lines):
    env = {"INPUT_CONFIG": "services/*/quilate.yml", "INPUT_SUITE": "returns"}
    files = {**service("orders", reply_lines(), golden_lines()), **service("returns", reply_lines(), golden_lines())}
    sha = shop.main({**files, ".gitignore": ".quilate\n"})
    result = shop.record(sha, env=env)
    assert result.outputs["run_file"] == ".quilate/run.jsonl"
    assert not any("orders" in path for path in shop.fake.repository.files_of("quilate-data"))
    wrong = shop.record(sha, env={**env, "INPUT_SUITE": "return"})
    assert wrong.code == 2
    assert "did you mean returns?" in wrong.log


def test_two_suites_together_stay_within_ten_annotations_of_a_level(shop, reply_lines, golden_lines):
    env = {"INPUT_CONFIG": "services/*/quilate.yml"}
    files = {**service("orders", reply_lines(), golden_lines()), **service("returns", reply_lines(), golden_lines())}
    assert shop.record(shop.main({**files, ".gitignore": ".quilate\n"}), env=env).code == 0
    bad = reply_lines(*range(1, 9))
    broken = {"services/orders/replies.jsonl": bad, "services/returns/replies.jsonl": bad}
    result = shop.compare(*shop.topic(broken), action="opened", env=env)
    assert result.code == 1
    assert result.log.count("::error ") == 10
    assert "7 more: see" in result.log
