"""From an empty GitHub to a recorded base, a broken pull request, its fix, the merge, and the next pull request."""

from __future__ import annotations

import re


def test_the_whole_story(shop, reply_lines, golden_lines):
    files = {
        "quilate.yml": "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\n",
        "goldens.yaml": golden_lines(),
        "replies.jsonl": reply_lines(),
        ".gitignore": ".quilate\n",
    }
    first = shop.main(files)
    pushed = shop.record(first, process=True)
    assert (pushed.code, pushed.outputs["verdict"]) == (0, "recorded"), pushed.log
    assert f"v1/orders/records/{first[:2]}/{first}.jsonl.gz" in shop.fake.repository.files_of("quilate-data")

    broken = shop.compare(*shop.topic({"replies.jsonl": reply_lines(3, 8)}), action="opened", process=True)
    assert broken.code == 1, broken.log
    assert (broken.outputs["verdict"], broken.outputs["pass_rate"], broken.outputs["base_pass_rate"]) == (
        "fail",
        "90",
        "100",
    )
    assert broken.outputs["drop_points"] == "10"
    (comment,) = shop.comments()
    assert "order-03" in comment
    assert first[:7] in comment
    assert broken.outputs["comment_url"].endswith(f"#issuecomment-{shop.fake.repository.comments[0].id}")

    fixed = shop.compare(*shop.topic({"replies.jsonl": reply_lines()}), process=True)
    assert fixed.code == 0, fixed.log
    assert fixed.outputs["verdict"] == "pass"
    (updated,) = shop.comments()
    assert updated != comment
    assert "order-03" not in updated
    assert shop.fake.made("POST", "/issues/1/comments") == 1

    merged = shop.main({"replies.jsonl": reply_lines(5)})
    assert shop.record(merged, process=True).code == 0
    second = shop.compare(*shop.topic({"note.txt": "x"}, number=2), number=2, action="opened", process=True)
    assert second.code == 0, second.log
    assert second.outputs["base_pass_rate"] == "95"
    assert merged[:7] in shop.comments(2)[0]
    assert not re.search(r"api\.github\.com", second.log)
