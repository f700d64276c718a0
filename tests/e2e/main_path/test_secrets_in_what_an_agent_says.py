"""An agent that says its own key: on a laptop too, nothing that is written or printed holds it."""

import base64

KEY = 'sk-test-0123456789-"quoted"-abcdef'

AGENT = """
import json, os, sys
case, key = json.load(sys.stdin), os.environ["MODEL_API_KEY"]
print(key, file=sys.stderr)
if case["case_id"] == "crash":
    sys.exit("cannot reach the model with " + key)
print(json.dumps({"output": "my key is " + key, "tool_calls": [{"name": "call", "args": {"auth": key}}]}))
"""


def test_no_file_and_no_line_holds_the_key(suite):
    suite.environ["MODEL_API_KEY"] = KEY
    suite.write("agent.py", AGENT)
    suite.config(agent={"command": ["python", "agent.py"], "env": ["MODEL_API_KEY"]})
    cases = [
        {"id": name, "category": "c", "input": "hi", "required_phrases": ["nothing"]} for name in ("says", "crash")
    ]
    suite.goldens(cases)
    ran = suite.run("-v")
    assert ran.code == 0, ran.err
    written = {path: path.read_text("utf-8") for path in ran.written.rglob("*") if path.is_file()}
    assert len(written) >= 4
    assert "[secret]" in ran.out
    assert "[secret]" in written[ran.written / "run.jsonl"]
    forms = ("0123456789-", base64.b64encode(KEY.encode()).decode()[:20])
    for text in (ran.out, ran.err, *written.values()):
        assert not any(form in text for form in forms)


def test_a_variable_that_is_no_secret_is_left_as_it_is(suite):
    suite.environ["MODEL_NAME"] = "model-with-a-long-name"
    suite.write("agent.py", AGENT.replace("MODEL_API_KEY", "MODEL_NAME"))
    suite.config(agent={"command": ["python", "agent.py"], "env": ["MODEL_NAME"]})
    suite.goldens([{"id": "says", "category": "c", "input": "hi", "required_phrases": ["model-with-a-long-name"]}])
    ran = suite.run()
    assert ran.grades() == {"says": "pass"}
    assert "model-with-a-long-name" in (ran.written / "run.jsonl").read_text("utf-8")
