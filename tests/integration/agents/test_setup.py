from __future__ import annotations

import os
import zipfile


def _wheel(folder, answer):
    """A package as a wheel, made by hand: nothing is built and no index is asked."""
    info = "shop-1.0.dist-info"
    with zipfile.ZipFile(folder / "shop-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("shop.py", f"ANSWER = {answer!r}\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


AGENT = """
    import json, os, shop, sys
    print(json.dumps({"output": shop.ANSWER, "tool_calls": [{"name": "seen", "args": dict(os.environ)},
                                                            {"name": sys.prefix, "args": {}}]}))
"""


def test_the_agents_packages_live_in_an_environment_of_its_own(bench):
    bench.environ = {"PATH": os.environ["PATH"], "HOME": str(bench.folder), "GITHUB_TOKEN": "ghs_secret"}
    _wheel(bench.folder, "first")
    bench.write("agent.py", AGENT)
    agent = {
        "command": ["python", "agent.py"],
        "setup": ["pip", "install", "--no-index", "--no-deps", "-q", "./shop-1.0-py3-none-any.whl"],
    }
    first = bench.ask(agent)
    assert first.output == "first"
    seen, prefix = first.tool_calls
    assert prefix.name.startswith(str(bench.folder / ".quilate" / "venvs"))
    assert seen.args.keys() - {"LC_CTYPE"} == {"PATH", "HOME", "VIRTUAL_ENV"}

    assert bench.ask(agent).tool_calls[1].name == prefix.name

    _wheel(bench.folder, "second")
    second = bench.ask(agent)
    assert (second.output, second.tool_calls[1].name == prefix.name) == ("second", False)


def test_a_setup_that_fails_is_said_once_and_run_again_the_next_time(bench):
    agent = {"command": ["python", "agent.py"], "setup": ["pip", "install", "--no-index", "no-such-package"]}
    answered = bench.ask_each(agent, "a", "b")
    assert len({each.reply.fault.message for each in answered}) == 1
    assert "no-such-package" in answered[0].reply.fault.message
    bench.write("agent.py", "print()")
    assert "no-such-package" in bench.ask(agent).fault.message
