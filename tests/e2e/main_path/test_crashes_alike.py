"""What every case crashes with is said once, with the mend, in the terminal and in the comment."""

SAID = "'no-such-program' is not installed here; install it, or write its path"


def crashing(suite, cases=4):
    suite.goldens(
        {"id": f"c{n}", "category": "c", "input": f"question {n}", "required_phrases": ["ok"]} for n in range(cases)
    )
    suite.config(agent={"command": ["no-such-program"]})


def test_without_a_baseline(suite):
    crashing(suite)
    ran = suite.run()
    said = " ".join(ran.out.split())
    assert ran.code == 3
    assert said.count(SAID) == 1
    assert ran.comment.count(SAID) == 1
    assert "not the change's failure" not in ran.comment


def test_with_a_baseline(suite):
    crashing(suite)
    suite.config("good.yml", agent={"replay": "replies.jsonl"})
    suite.replies({"case_id": f"c{n}", "output": "ok"} for n in range(4))
    suite.base("--config", "good.yml")
    ran = suite.head()
    assert ran.code == 1
    assert " ".join(ran.out.split()).count(SAID) == 1
    assert ran.comment.count(SAID) == 1
    assert "4 broke" in ran.comment


def test_a_laptop_is_no_container(suite):
    crashing(suite)
    ran = suite.run("-q")
    assert "container" not in ran.out + ran.err
    assert SAID in ran.err


def test_crashes_that_differ_are_told_case_by_case(suite):
    crashing(suite, cases=2)
    suite.write(
        "agent.py", "import json, sys\nsys.exit({'c0': 'no key', 'c1': 'no model'}[json.load(sys.stdin)['case_id']])\n"
    )
    suite.config(agent={"command": ["python", "agent.py"]})
    ran = suite.run()
    assert "no key" in ran.out
    assert "no model" in ran.out
    assert "crashed alike" not in ran.out
