"""From `judge:` and `retriever:` in quilate.yml to a grader that is entered, grades, and says what it cost."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from pydantic import JsonValue

from quilate.canonical import fingerprint
from quilate.config import Config, JudgeConfig, RetrieverConfig
from quilate.errors import UsageError
from quilate.goldens.case import GoldenCase
from quilate.grading import Grader
from quilate.judge.criteria import LeftOpen, may_need_judge
from quilate.judge.prompts import load_prompts
from quilate.judge.totals import JudgeTotals
from quilate.providers.prices import Price, price_of

if TYPE_CHECKING:
    from quilate.agents.agent import Reply
    from quilate.agents.process import RunAs
    from quilate.grades import CriterionGrade
    from quilate.judge.takeover import TakeOver
    from quilate.providers.model import Model
    from quilate.retrieval.search import Retriever
    from quilate.retrieval.searching import Searching

JUDGE_VERSION = 1
"""Part of every judge's fingerprint; raised when what code does with a judge's answer changes its meaning."""


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """Which judge this is: `described` for people and the run's header, `fingerprint` for every comparison.

    `search` is the retriever's fingerprint (None without one); it bears on grounded cases only.
    """

    described: dict[str, JsonValue]
    fingerprint: str
    search: str | None = None

    def for_case(self, case: GoldenCase) -> str | None:
        """What of the judge is in the case's ruler (`case_ruler(case, judge=…)`); None where it does not bear on it."""
        if not may_need_judge(case):
            return None
        return fingerprint([self.fingerprint, self.search]) if case.grounded else self.fingerprint


def identify(config: Config, *, base_dir: Path) -> JudgeIdentity | None:
    """The identity of the configured judge; None where none is configured. Raises `InputError` for its files."""
    judge = config.judge
    if judge is None:
        return None
    search = None if config.retriever is None else _search_fingerprint(config.retriever)
    if judge.provider == "labels":
        from quilate.judge.labels import labels_fingerprint, read_labels

        assert judge.labels is not None
        described: dict[str, JsonValue] = {"provider": "labels", "labels": judge.labels}
        version = labels_fingerprint(read_labels(base_dir / judge.labels))
        return JudgeIdentity(described, fingerprint([JUDGE_VERSION, "labels", version]), search)
    prompts = load_prompts(base_dir / judge.prompts if judge.prompts else None)
    described = {
        "provider": judge.provider,
        "host": _host(judge),
        "model": judge.model,
        "prompts": prompts.fingerprint,
        "votes": judge.votes,
    }
    path = _path(judge)
    if path is not None:
        described["path"] = path
    if judge.extra:
        described["extra"] = dict(judge.extra)
    tools = list(judge.non_evidence_tools)
    return JudgeIdentity(described, fingerprint([JUDGE_VERSION, described, tools]), search)


def _host(judge: JudgeConfig) -> str:
    from quilate.providers.client import WIRES

    parts = urlsplit(judge.base_url or WIRES[judge.provider].default_base_url)
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""


def _path(judge: JudgeConfig) -> str | None:
    """The path of an address that is not the provider's own: gateways choose the model by it, whatever its name."""
    from quilate.providers.client import WIRES

    if judge.base_url is None:
        return None
    path, usual = (urlsplit(url).path.rstrip("/") for url in (judge.base_url, WIRES[judge.provider].default_base_url))
    return path if path != usual else None


def _search_fingerprint(retriever: RetrieverConfig) -> str:
    return fingerprint(retriever.model_dump(mode="json", exclude={"timeout_s"}))


class OpenJudge:
    """A grader of semantic criteria for one run: `async with build_judge(…) as judge: await judge.grade(…)`."""

    def __init__(
        self,
        grader: Grader,
        totals: JudgeTotals,
        identity: JudgeIdentity | None = None,
        *,
        model: Model | None = None,
        searching: Searching | None = None,
    ) -> None:
        self.grader = grader
        self.identity = identity
        self.model = model
        self._totals = totals
        self._searching = searching
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Opens the connections."""
        if self.model is not None:
            await self._stack.enter_async_context(self.model)
        if self._searching is not None:
            self._stack.push_async_callback(self._searching.close)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Closes them."""
        await self._stack.aclose()

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> Sequence[CriterionGrade]:
        """The grades of the case's semantic criteria."""
        return await self.grader.grade(case, reply, trial)

    def totals(self) -> JudgeTotals:
        """What judging has come to so far; `.dump()` is the run's footer's `judge`."""
        return self._totals


def build_judge(
    config: Config,
    *,
    base_dir: Path,
    environ: Mapping[str, str],
    take_over: TakeOver | None = None,
    left_open: Sequence[LeftOpen] | None = None,
    tested_on: dt.date | None = None,
    model: Model | None = None,
    retriever: Retriever | None = None,
    run_as: RunAs | None = None,
    remember_searches: bool = True,
) -> OpenJudge:
    """The judge that `config` asks for, nothing opened yet; without `judge:` one that judges nothing, openly.

    `base_dir` is the folder of quilate.yml. `environ` holds the key; where it is absent, every criterion is `error:
    secret`. `take_over` holds the baseline's verdicts, `left_open` what checks leave open (default:
    `LocaleChecks.left_open`, with `tested_on` as the date freshness is told by). `model` and `retriever` stand in for
    the configured ones (in tests). Raises `InputError` or `UsageError` for a configuration that cannot be used.
    """
    from quilate.judge.grader import NoJudge

    judge = config.judge
    if judge is None:
        return OpenJudge(NoJudge(), JudgeTotals())  # what checks leave open, they themselves call not judged
    rubrics = left_open
    if rubrics is None:
        from quilate.checks.locale_checks import build_locale_checks

        rubrics = (build_locale_checks(config, base_dir, tested_on).left_open,)
    identity = identify(config, base_dir=base_dir)
    if judge.provider == "labels":
        from quilate.judge.labels import LabelsGrader, read_labels

        assert judge.labels is not None
        labelled = LabelsGrader(read_labels(base_dir / judge.labels), rubrics)
        return OpenJudge(labelled, labelled.totals, identity)
    assert identity is not None
    return _by_model(
        judge, config.retriever, identity, base_dir=base_dir, environ=environ, take_over=take_over, left_open=rubrics,
        model=model, retriever=retriever, run_as=run_as, remember_searches=remember_searches,
    )  # fmt: skip


def _by_model(
    judge: JudgeConfig,
    searched: RetrieverConfig | None,
    identity: JudgeIdentity,
    *,
    base_dir: Path,
    environ: Mapping[str, str],
    take_over: TakeOver | None,
    left_open: Sequence[LeftOpen],
    model: Model | None,
    retriever: Retriever | None,
    run_as: RunAs | None,
    remember_searches: bool,
) -> OpenJudge:
    from quilate.judge.cache import AnswerCache
    from quilate.judge.client import JudgeClient
    from quilate.judge.grader import JudgeGrader
    from quilate.retrieval.open import open_retriever
    from quilate.retrieval.searching import Searching

    price = judge_price(judge)
    opened = model or open_model(judge, environ)
    searching = Searching(
        retriever or open_retriever(searched, base_dir=base_dir, environ=environ, run_as=run_as),
        non_evidence_tools=judge.non_evidence_tools,
        remember=remember_searches,
    )
    client = JudgeClient(
        opened, JudgeTotals(), retries=judge.retries, concurrency=judge.concurrency, max_usd=judge.max_usd, price=price
    )
    grader = JudgeGrader(
        client,
        load_prompts(base_dir / judge.prompts if judge.prompts else None),
        fingerprint=identity.fingerprint,
        searching=searching,
        votes=judge.votes,
        cache=AnswerCache(base_dir / judge.cache) if judge.cache else None,
        take_over=take_over,
        left_open=left_open,
    )
    return OpenJudge(grader, grader.totals, identity, model=opened, searching=searching)


def open_model(judge: JudgeConfig, environ: Mapping[str, str]) -> Model:
    """The judge's model over HTTP, with the key from `environ`."""
    from quilate.providers.client import WIRES, HttpModel

    assert judge.model is not None
    key_env = judge.api_key_env or WIRES[judge.provider].default_key_env
    return HttpModel(
        judge.provider,
        judge.model,
        key=environ.get(key_env) or None,
        key_env=key_env,
        base_url=judge.base_url,
        max_tokens=judge.max_tokens,
        timeout_s=judge.timeout_s,
        extra=judge.extra,
    )


def judge_price(judge: JudgeConfig) -> Price | None:
    """What the judge's tokens cost: as configured, else by the price list, else None.

    Raises `UsageError` where a budget is set that nothing could count towards.
    """
    if judge.price is not None:
        return Price(input_usd=judge.price.input, output_usd=judge.price.output)
    price = price_of(judge.model)
    if price is None and judge.max_usd is not None:
        message = (
            f"judge.max_usd: found a budget, and no price for the model {judge.model!r}; "
            "write judge.price (input and output, USD per million tokens), or leave max_usd out"
        )
        raise UsageError(message)
    return price
