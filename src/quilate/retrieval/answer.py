"""Reading what a search answered: fragments, an honest nothing, or something that is no answer at all."""

from __future__ import annotations

from typing import Any

from quilate.agents.agent import Fragment
from quilate.agents.decoding import BadReplyError
from quilate.agents.results import parse_result
from quilate.saying import listed, say


def fragments_in(answer: Any) -> tuple[Fragment, ...]:
    """The fragments of `{fragments: [...]}`, or of a bare list; empty where the search found nothing.

    Raises `BadReplyError` for everything else: an error it reports, no list where one belongs. A search that broke
    must not look like one that found nothing.
    """
    if isinstance(answer, list):
        answer = {"fragments": answer}
    if not isinstance(answer, dict):
        message = say("the search answered with something that is neither an object nor a list")
        raise BadReplyError(message)
    if answer.get("error"):
        message = say("the search reports an error: {why}", why=" ".join(str(answer["error"]).split())[:200])
        raise BadReplyError(message)
    if answer.get("fragments") is None:
        keys = listed(str(key)[:40] for key in list(answer)[:8]) or say("nothing")
        message = say(
            "the search's answer has no fragments (it has {keys}); set retriever.http.reply.fragments", keys=keys
        )
        raise BadReplyError(message)
    fragments = parse_result({"output": "", "fragments": answer["fragments"]}).fragments
    assert fragments is not None
    return fragments
