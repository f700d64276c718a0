"""Small factories for judging: a case, a reply, a judge with a scripted model, and what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

from quilate.agents.agent import Fragment, Reply, ToolCall, Usage
from quilate.config import Config, JudgeConfig
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade
from quilate.judge.cache import AnswerCache
from quilate.judge.client import JudgeClient
from quilate.judge.grader import JudgeGrader
from quilate.judge.prompts import load_prompts
from quilate.judge.takeover import TakeOver
from quilate.judge.totals import JudgeTotals
from quilate.providers.prices import Price
from quilate.providers.scripted import ScriptedModel, agreeing
from quilate.retrieval.scripted import ScriptedRetriever
from quilate.retrieval.searching import Searching


def a_judged_case(*behavior: str, case_id: str = "c-1", **fields: Any) -> GoldenCase:
    fields.setdefault("category", "orders")
    fields.setdefault("input", "¿En qué estado está mi pedido 47821?")
    return GoldenCase(id=case_id, expected_behavior=behavior, **fields)


def a_reply(output: str = "Su pedido 47821 llega el viernes.", **fields: Any) -> Reply:
    return Reply(output=output, **fields)


def a_call(name: str = "consultarPedido", **fields: Any) -> ToolCall:
    return ToolCall(name=name, **fields)


def fragments(*texts: str) -> tuple[Fragment, ...]:
    return tuple(Fragment(text=text) for text in texts)


def met(value: Any = True, evidence: str = "", justification: str = "It does.") -> dict[str, Any]:
    return {"evidence": evidence, "justification": justification, "met": value}


def invented(*quotes: str, verdict: str = "invented", blocks: Iterable[int] = ()) -> dict[str, Any]:
    claims = [{"quote": quote, "why": "no block says so"} for quote in quotes]
    return {"unsupported_claims": claims, "supporting_blocks": list(blocks), "verdict": verdict}


def supported(*blocks: int) -> dict[str, Any]:
    return invented(verdict="not_invented", blocks=blocks)


def a_grader(
    script: Any = agreeing,
    *,
    search: Callable[..., Any] | ScriptedRetriever | None = None,
    name: str = "scripted",
    usage: Usage | None = None,
    votes: int = 1,
    cache: Path | None = None,
    take_over: TakeOver | None = None,
    max_usd: str | None = None,
    price: Price | None = None,
    retries: int = 0,
    fingerprint: str = "judge-1",
    **more: Any,
) -> tuple[JudgeGrader, ScriptedModel]:
    model = ScriptedModel(script, name=name, usage=usage)
    retriever = ScriptedRetriever(search) if callable(search) else search

    async def no_wait(_seconds: float) -> None:
        return None

    client = JudgeClient(
        model, JudgeTotals(), retries=retries, concurrency=4, random=Random(0), sleep=no_wait, price=price,
        max_usd=None if max_usd is None else Decimal(max_usd),
    )  # fmt: skip
    grader = JudgeGrader(
        client, load_prompts(), fingerprint=fingerprint, votes=votes, take_over=take_over,
        searching=Searching(retriever, non_evidence_tools=more.pop("non_evidence_tools", ())),
        cache=None if cache is None else AnswerCache(cache), **more,
    )  # fmt: skip
    return grader, model


def graded(grader: Any, case: GoldenCase, reply: Reply | None = None, trial: int = 0) -> dict[str, CriterionGrade]:
    criteria = asyncio.run(grader.grade(case, a_reply() if reply is None else reply, trial))
    assert len({criterion.id for criterion in criteria}) == len(criteria)
    return {criterion.id: criterion for criterion in criteria}


def judge_config(**judge: Any) -> JudgeConfig:
    return JudgeConfig.model_validate_json(json.dumps({"provider": "openai", "model": "gpt-6-luna", **judge}))


def suite_config(judge: Mapping[str, Any] | None = None, **fields: Any) -> Config:
    written: dict[str, Any] = {"suite": "orders", "goldens": ["g.yaml"], "agent": {"replay": "r.jsonl"}, **fields}
    if judge is not None:
        written["judge"] = {"provider": "openai", "model": "gpt-6-luna", **judge}
    return Config.model_validate_json(json.dumps(written))
