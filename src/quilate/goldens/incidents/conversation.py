"""Who is the user and who the agent, where the bad answer stands, and what is left as the case's input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quilate.goldens.incidents.labels import Speaker, is_detail, speaker_of
from quilate.goldens.incidents.letters import person_of
from quilate.goldens.incidents.turns import Turn
from quilate.personal_data import ROLE_ADDRESSES
from quilate.text import fold

Written = str | list[dict[str, str]]
"""A case's input as it is written in a golden file."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the agent is to be asked, and the answer it gave. `people` are speakers' names that no role word is."""

    input: Written
    answered: str | None
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unclear:
    """Why a conversation cannot be used: `speakers`, `which_answer`, `not_in_it` or `no_question`."""

    why: str


def asked_of(turns: Sequence[Turn], answered: str | None) -> Asked | Unclear:
    """The input in a conversation: everything before the bad answer.

    `answered` is the bad answer where somebody gave it: it tells which side is the agent's and where to cut.
    Without it the conversation must end with the agent's bad answer, or be the user's alone.
    """
    roles = _roles(turns, answered)
    if roles is None:
        return Unclear("speakers")
    said = _merged([(roles[turn.name], turn.text) for turn in turns])
    names = [person_of(turn.name) for turn in turns if speaker_of(turn.name) is None]
    people = tuple(dict.fromkeys(name for name in names if name and role_of(name) is None))
    cut = _cut(said, answered)
    if isinstance(cut, Unclear):
        return cut
    kept = said[:cut]
    if not any(role is Speaker.USER for role, _ in kept):
        return Unclear("no_question")
    bad = answered or (said[cut][1] if cut < len(said) else None)
    return Asked(_written(kept), bad, people)


def _roles(turns: Sequence[Turn], answered: str | None) -> dict[str, Speaker] | None:
    """Each name's role; None where it must be guessed."""
    names = list(dict.fromkeys(turn.name for turn in turns))
    roles = {name: role_of(name) for name in names}
    if Speaker.OTHER in roles.values():
        return None
    unknown = [name for name in names if roles[name] is None]
    known = {role for role in roles.values() if role in (Speaker.USER, Speaker.AGENT)}
    if any(map(is_detail, unknown)):
        return None
    if len(unknown) == 1 and len(known) == 1:
        roles[unknown[0]] = _other_side(known.pop())
    elif len(unknown) == 2 and not known and answered:
        agents = {turn.name for turn in turns if turn.name in unknown and _same(turn.text, answered)}
        if len(agents) == 1:
            agent = agents.pop()
            roles |= {name: Speaker.AGENT if name == agent else Speaker.USER for name in unknown}
    found = {name: role for name, role in roles.items() if role is not None}
    return found if len(found) == len(roles) else None


def role_of(name: str) -> Speaker | None:
    """Who a name or a mail address says is speaking; None for one that says nothing."""
    known = speaker_of(name) or speaker_of(re.sub(r"\s*[<(].*$", "", name))
    if known:
        return known
    address = re.search(r"([\w.+-]{1,64})@", name)
    return Speaker.AGENT if address and address[1].casefold() in ROLE_ADDRESSES else None


def _other_side(role: Speaker) -> Speaker:
    return Speaker.AGENT if role is Speaker.USER else Speaker.USER


def _merged(said: Sequence[tuple[Speaker, str]]) -> list[tuple[Speaker, str]]:
    """Several messages in a row by one side are one turn: an agent is asked once."""
    turns: list[tuple[Speaker, str]] = []
    for role, text in said:
        if turns and turns[-1][0] is role:
            turns[-1] = (role, f"{turns[-1][1]}\n{text}")
        else:
            turns.append((role, text))
    return turns


def _cut(said: Sequence[tuple[Speaker, str]], answered: str | None) -> int | Unclear:
    """The position of the bad answer: everything before it is the input."""
    agents = [index for index, (role, _) in enumerate(said) if role is Speaker.AGENT]
    last_is_agent = bool(said) and said[-1][0] is Speaker.AGENT
    if answered is not None:
        matching = [index for index in agents if _same(said[index][1], answered)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            return Unclear("which_answer")
        return Unclear("not_in_it") if last_is_agent else len(said)
    if last_is_agent:
        return len(said) - 1
    return Unclear("which_answer") if agents else len(said)


_FEW = 12
"""Characters from which a part of a message is taken for a quotation of it."""


def _same(text: str, answered: str) -> bool:
    one, other = fold(text), fold(answered)
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _FEW and (shorter in longer or _alike(one, other))


def _alike(one: str, other: str) -> bool:
    from rapidfuzz import fuzz

    return fuzz.ratio(one[:4000], other[:4000]) >= 90


def _written(kept: Sequence[tuple[Speaker, str]]) -> Written:
    if len(kept) == 1 and kept[0][0] is Speaker.USER:
        return kept[0][1]
    return [{"role": role.value, "content": text} for role, text in kept]
