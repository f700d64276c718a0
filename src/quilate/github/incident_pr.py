"""An issue that was marked as a golden case → a pull request with one new file, or an answer that says what is missing.

Only somebody with write permission starts it. Nothing in the issue is executed, and nothing in it decides a path: the
file's name is the issue's date and number.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from urllib.parse import quote

from quilate.documents import FORMATS
from quilate.errors import QuilateError
from quilate.github import suites
from quilate.github.api import Api
from quilate.github.comment import Written
from quilate.github.conversation import may_write
from quilate.github.errors import ConflictError, ForbiddenError
from quilate.github.event import Incident
from quilate.github.git_data import GitData
from quilate.github.incident_answer import IssueConversation, answer
from quilate.github.incident_words import Found, pull_body
from quilate.github.suites import Place
from quilate.github.turn import Step
from quilate.goldens.case import GoldenCase
from quilate.goldens.incidents import words
from quilate.goldens.incidents.building import Built, Duplicate, Incomplete, SecretLeft, Source, build
from quilate.goldens.incidents.form import Key
from quilate.goldens.incidents.reading import Reading, read_body
from quilate.goldens.redact import Redaction, leftover_secrets
from quilate.red_first import red_first
from quilate.redaction import Redactor, secret_values
from quilate.report.escape import code_span

PULLS = "pull-requests: write"


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where an issue's case goes. `path` and `branch` are made of the issue's number and date alone."""

    issue: int
    branch: str
    path: str
    case_id: str


def shelf_of(issue: int, created: dt.date, config_path: str) -> Shelf:
    """The place of an issue's case, beside the suite's configuration: stable, so that a second label finds it again."""
    folder = PurePosixPath(config_path).parent / "goldens" / "incidents"
    name = f"{created.isoformat()}-{issue}.yaml"
    return Shelf(issue, f"quilate/incident-{issue}", (folder / name).as_posix(), f"incident-{issue}")


def open_incident(step: Step, plan: Incident) -> int:
    """Does what the label asks for; gives the exit code. Raises `QuilateError` for what the workflow must mend."""
    if not may_write(step.api, plan.sender):
        step.console.say(f"nothing to do: {plan.sender} set the label and may not write here")
        return 0
    place = _place(step)
    redactor = Redactor(secret_values(step.environ, step.settings.token, [place.suite.config]))
    step.console.mask(redactor.values)
    language = words.language_of(plan.body)
    created = dt.date.fromisoformat(plan.created_at[:10])
    shelf = shelf_of(plan.issue, created, place.config_path)
    reading = read_body(plan.body)
    drafted = _drafted(step, place, reading, plan.body)
    address = f"{step.settings.server_url}/{step.settings.repository}/issues/{plan.issue}"
    known = _known(place, shelf)
    built = build(reading, Source(shelf.case_id, created, address), known)
    if isinstance(built, Built):
        found = Found(built, tuple(drafted), len(reading.unread), _is_read(place, shelf), place.config_path)
        return _publish(step, redactor, place, shelf, found, language)
    _answer(step, place, shelf, redactor.text(_refusal(built, language)))
    step.console.say("the issue was answered; nothing was committed")
    return 0


def _refusal(why: Incomplete | SecretLeft | Duplicate, language: str) -> str:
    match why:
        case Incomplete(questions):
            return words.asked_back(questions, language)
        case SecretLeft(kinds):
            return words.say(language, "secret", kinds=", ".join(kinds))
        case Duplicate(case_id):
            return words.say(language, "duplicate", id=code_span(case_id))


def _place(step: Step) -> Place:
    settings = step.settings
    places = suites.find(settings.config, settings.suite, settings.output)
    if len(places) > 1:
        names = ", ".join(place.name for place in places)
        message = f"input suite: there are several suites ({names}); name the one that incidents go to"
        raise QuilateError(message)
    return places[0]


def _known(place: Place, shelf: Shelf) -> tuple[GoldenCase, ...]:
    """The dataset's cases but for this issue's own, which a second label writes anew."""
    return tuple(case for case in place.suite.dataset.cases if case.id != shelf.case_id)


def _publish(step: Step, redactor: Redactor, place: Place, shelf: Shelf, found: Found, language: str) -> int:
    built = found.built
    red = red_first(place.suite, built.case, environ=step.environ, today=step.today, run_as=step.run_as)
    body = redactor.text(pull_body(found, red, shelf.issue))
    default = str(step.api.get("", doing="read the repository", needs="metadata: read")["default_branch"])
    _push(step.api, shelf, redactor.text(built.text), default)
    title = f"Golden case from issue #{shelf.issue}"
    try:
        link, made = _pull(step.api, shelf, default, title, body)
        said = words.say(language, "opened" if made else "updated", link=link)
    except ForbiddenError:
        settings = step.settings
        link = compare_link(settings.server_url, settings.repository, default, shelf, title)
        said = words.say(language, "pushed", branch=shelf.branch, link=link) + f"\n\n{body}"
    _answer(step, place, shelf, redactor.text(said))
    step.console.say(f"{shelf.path} is on {shelf.branch}: {red.headline}")
    return 0


def _is_read(place: Place, shelf: Shelf) -> bool:
    """Whether the suite's patterns take the new file in: a case that nobody reads would pass for ever."""
    folder = PurePosixPath(place.config_path).parent
    relative = PurePosixPath(shelf.path).relative_to(folder).as_posix()
    return any(_matches(relative, pattern) for pattern in place.suite.config.goldens)


def _matches(path: str, pattern: str) -> bool:
    """As the loader's own globs: `*` stays within a folder, `**` stands for any number, a folder for its files."""
    steps, wanted = path.split("/"), PurePosixPath(pattern).as_posix().split("/")
    in_folder = PurePosixPath(pattern).suffix not in FORMATS and _parts_match(steps[: len(wanted)], wanted)
    return in_folder or _parts_match(steps, wanted)


def _parts_match(path: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(_parts_match(path[skipped:], pattern[1:]) for skipped in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _parts_match(path[1:], pattern[1:])


# --- GitHub ----------------------------------------------------------------------------------------------------


def _push(api: Api, shelf: Shelf, text: str, default: str) -> None:
    """One commit with the one file, on the issue's own branch; none where the branch has it like this already."""
    data = GitData(api)
    for _ in range(3):
        tip = data.tip(shelf.branch)
        onto = tip or data.tip(default)
        if onto is None:
            message = f"the branch {default} has no commit to start from"
            raise QuilateError(message)
        tree = data.add_tree(onto.tree, {shelf.path: data.add_blob(text.encode("utf-8"))})
        if tip is not None and tree == tip.tree:
            return
        commit = data.add_commit(tree, onto.sha, f"Add the golden case of issue #{shelf.issue}")
        if data.advance(shelf.branch, tip.sha if tip else None, commit):
            return
    message = f"the branch {shelf.branch} moves while it is written; set the label again"
    raise QuilateError(message)


def _pull(api: Api, shelf: Shelf, default: str, title: str, body: str) -> tuple[str, bool]:
    """The pull request's address and whether it is new. Raises `ForbiddenError` where the setting forbids it."""
    owner = api.repository.split("/")[0]
    query = {"state": "open", "head": f"{owner}:{shelf.branch}"}
    for row in api.pages("/pulls", query, doing="list pull requests", needs=PULLS):
        if row["head"]["ref"] == shelf.branch and (row["head"]["repo"] or {}).get("full_name") == api.repository:
            path = f"/pulls/{row['number']}"
            api.send("PATCH", path, {"body": body}, doing="update the pull request", needs=PULLS)
            return str(row["html_url"]), False
    request = {"title": title, "head": shelf.branch, "base": default, "body": body}
    try:
        made = api.send("POST", "/pulls", request, doing="open a pull request", needs=PULLS, repeatable=False)
    except ConflictError as error:
        message = f"the branch {shelf.branch} is pushed, but no pull request can be made of it ({error})"
        raise QuilateError(message) from error
    return str(made["html_url"]), True


def compare_link(server: str, repository: str, default: str, shelf: Shelf, title: str) -> str:
    """GitHub's own page for opening a pull request of a branch, filled in."""
    branches = f"{quote(default, safe='')}...{quote(shelf.branch, safe='/')}"
    return f"{server}/{repository}/compare/{branches}?quick_pull=1&title={quote(title, safe='')}"


def _answer(step: Step, place: Place, shelf: Shelf, body: str) -> None:
    """Our one answer on the issue; a label after an edit writes it anew."""
    said = answer(IssueConversation(step.api, shelf.issue), place.name, step.settings, body)
    if said.written is Written.SUPERSEDED:
        step.console.say("a newer run has answered already; its answer stays")


# --- a model's help --------------------------------------------------------------------------------------------


def _drafted(step: Step, place: Place, reading: Reading, body: str) -> tuple[Key, ...]:
    """The fields a model drafted, where the suite has one. A model that fails leaves everything to be asked back."""
    judge = place.suite.config.judge
    if judge is None or judge.provider == "labels" or reading.complete:
        return ()
    from quilate.goldens.incidents.drafting import draft
    from quilate.judge.build import judge_price, open_model
    from quilate.judge.client import JudgeClient, UnjudgedError
    from quilate.judge.totals import JudgeTotals

    report = Redaction(people=reading.people).text(body)
    if leftover_secrets(report):
        return ()
    model = open_model(judge, step.environ)
    client = JudgeClient(
        model, JudgeTotals(), retries=judge.retries, concurrency=1, max_usd=judge.max_usd, price=judge_price(judge)
    )

    async def once() -> tuple[Key, ...]:
        async with model:
            return await draft(client, reading, re.sub(r"<!--.*?(?:-->|$)", "", report, flags=re.DOTALL))

    try:
        return asyncio.run(once())
    except UnjudgedError as error:
        step.console.say(f"no field was drafted: {error.reason}")
        return ()
