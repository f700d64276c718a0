"""The page's own words in the reader's language: its markup, and what its script says."""

from __future__ import annotations

import json
from pathlib import Path

from quilate.rating.keys import KEYS
from quilate.report.escape import Inert
from quilate.report.messages import Translator

_PAGE = Path(__file__).with_name("page")


def page(t: Translator) -> bytes:
    """`index.html` in the language of `t`, with what its script says as data. Everything is escaped by Jinja."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(_PAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, auto_reload=False
    )
    template = env.get_template("index.html.j2")
    keys = KEYS[t.language]
    said = template.render(
        t=t.t, language=t.language, keys=keys, words=json.dumps({**script_words(t), "acts": keys.acts}, sort_keys=True)
    )
    return said.encode()


def script_words(t: Translator) -> dict[str, object]:
    """Name → sentence of the script. A place that the script fills stands as `{name}`."""
    done, every, number, question = (Inert(f"{{{name}}}") for name in ("done", "of", "n", "question"))
    stop = Inert(KEYS[t.language].stop)
    return {
        "gave": {
            "data": t.t("gave"), "nothing": t.t("found nothing"), "error": t.t("failed"),
            "blank": t.t("gave a blank output"), "missing": t.t("output missing"),
        },
        "response": t.t("Response"),
        "response_n": t.t("Response {n}", n=number),
        "empty": t.t("(empty)"),
        "outputs": t.t("Tool outputs"),
        "no_tool": t.t("no tool was called"),
        "arguments": t.t("arguments"),
        "output": t.t("output"),
        "search": t.t("search result"),
        "tool_data": t.t("tool data"),
        "rated": t.t("{done} of {all} rated", done=done, all=every),
        "title": t.t("{done} of {all}: rate replies", done=done, all=every),
        "all_rated": t.t("Everything is rated"),
        "all_rated_stop": t.t("Everything is rated. Press {key} to stop, or close the page.", key=stop),
        "gone": t.t(
            "quilate does not answer any more. What was saved is in the labels file; start `quilate rate` again."
        ),
        "not_connected": t.t("not connected"),
        "not_saved": t.t("Not saved: quilate does not answer. Start `quilate rate` again."),
        "answer_first": t.t("Answer this first: {question}", question=question),
        "say_why": t.t("Say in a sentence why."),
        "stopped": t.t(
            "Stopped. What was saved is in the labels file; `quilate rate` goes on from there. "
            "You may close this page."
        ),
    }  # fmt: skip
