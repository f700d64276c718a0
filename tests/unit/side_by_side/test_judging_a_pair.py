"""One pair: blind, both orders, strict answers, and what code makes of them."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import a_case

from quilate.agents.agent import Fragment, Reply, ToolCall
from quilate.errors import InputError
from quilate.grades import ErrorKind
from quilate.judge.cache import AnswerCache
from quilate.judge.client import JudgeClient
from quilate.judge.pairs import (
    OrderAnswer,
    PairResult,
    PairsFooter,
    PairsHeader,
    Preference,
    Rating,
    RunRef,
    Side,
    better_on_the_dimensions,
    count_of,
    lower,
)
from quilate.judge.pairs_file import PairsWriter, earlier_answers, read_pairs
from quilate.judge.prompts import PLACEHOLDERS, SIDE_BY_SIDE, load_prompts
from quilate.judge.side_by_side import PairJudge
from quilate.judge.side_by_side_sheet import TwoReplies, first_side, make_pair_sheet
from quilate.judge.totals import JudgeTotals
from quilate.providers.model import Failure, Prompt, ProviderError
from quilate.providers.scripted import ScriptedModel, first_of_schema

DATA = [{"status": "shipped"}]


def a_reply(text: str, *outputs: Any) -> Reply:
    calls = tuple(ToolCall(name="lookup", args={}, output=output) for output in outputs or (DATA,))
    return Reply(output=text, tool_calls=calls)


def two(base: Reply | None = None, head: Reply | None = None, case_id: str = "c") -> TwoReplies:
    case = a_case(case_id, input="¿Dónde está mi pedido?")
    return TwoReplies(case, case_id, 0, base or a_reply("viejo"), head or a_reply("nuevo"))


def block_of(prompt: Prompt, response: str) -> int | None:
    rows = json.loads(prompt.turns[0].text.split(f" {response}_tools>\n")[1].split("\n")[0])
    return next((row["block"] for row in rows if "block" in row), None)


def answer(prompt: Prompt, preferred: str = "tie", **changes: Any) -> dict[str, Any]:
    """A valid answer; `changes` are `response_1=("yes", "3", "3")` and so on."""
    given: dict[str, Any] = first_of_schema(prompt.schema or {})
    for response in ("response_1", "response_2"):
        language, fulfilment, factuality = changes.get(response, ("yes", "3", "3"))
        given[response]["target_language"]["verdict"] = language
        given[response]["fulfilment"]["rating"] = fulfilment
        if "factuality" in given[response]:
            given[response]["factuality"] |= {"evidence_blocks": [block_of(prompt, response)], "rating": factuality}
    given["overall"] = {"justification": "Because of fulfilment.", "preferred": preferred}
    return given


def prefers(text: str) -> Any:
    """A judge that goes by what a reply says, wherever it stands."""

    def script(prompt: Prompt) -> dict[str, Any]:
        first = prompt.turns[0].text.split(" response_1>\n")[1].split("\n")[0]
        return answer(prompt, "response_1" if text in first else "response_2")

    return script


def judged(script: Any, pair: TwoReplies | None = None, **more: Any) -> tuple[PairResult, ScriptedModel, JudgeTotals]:
    async def no_wait(_seconds: float) -> None:
        return None

    model, totals = ScriptedModel(script), JudgeTotals()
    budget = more.pop("max_usd", None)
    client = JudgeClient(
        model, totals, retries=0, concurrency=4, random=Random(0), sleep=no_wait,
        max_usd=None if budget is None else Decimal(budget),
    )  # fmt: skip
    judge = PairJudge(client, load_prompts(None, SIDE_BY_SIDE), judge="judge-1", **more)
    return asyncio.run(judge.judge(pair or two())), model, totals


def test_both_orders_for_the_same_reply_make_a_preference() -> None:
    pair, model, totals = judged(prefers("nuevo"))
    assert (pair.preferred, pair.orders_agree, pair.decided_by) == (Preference.HEAD, True, "judge")
    assert pair.reason == "Because of fulfilment."
    assert [each.first for each in pair.answers] == [first_side("c"), first_side("c").other]
    assert (len(model.prompts), totals.pairs) == (2, 1)


@pytest.mark.parametrize("place", ["response_1", "response_2"])
def test_a_judge_that_goes_by_the_place_makes_a_tie(place: str) -> None:
    pair, _, _ = judged(lambda prompt: answer(prompt, place))
    assert (pair.preferred, pair.orders_agree) == (Preference.TIE, False)
    assert {each.preferred for each in pair.answers} == {Preference.BASE, Preference.HEAD}


def test_a_tie_in_one_order_alone_is_a_disagreement() -> None:
    pair, _, _ = judged(iter([answer_for_any("tie"), answer_for_any("response_1")]))
    assert (pair.preferred, pair.orders_agree) == (Preference.TIE, False)


def answer_for_any(preferred: str) -> dict[str, Any]:
    case = two()
    sheet = make_pair_sheet(case, Side.BASE, load_prompts(None, SIDE_BY_SIDE))
    return answer(sheet.prompt, preferred)


def test_the_first_order_is_a_hash_of_the_case_and_both_occur() -> None:
    sides = [first_side(f"case-{number}") for number in range(40)]
    assert sides == [first_side(f"case-{number}") for number in range(40)]
    assert 10 < sides.count(Side.BASE) < 30


def test_the_prompt_carries_no_name_of_a_side() -> None:
    _, model, _ = judged(prefers("nuevo"), two(case_id="base-head"))
    for prompt in model.prompts:
        sent = prompt.system + prompt.turns[0].text + json.dumps(prompt.schema)
        assert not any(word in sent.casefold() for word in ("base", "head", "old ", "new "))


def test_blocks_are_numbered_across_both_and_failed_outputs_have_none() -> None:
    base = Reply(output="x", tool_calls=(
        ToolCall(name="a", output="Error: down"), ToolCall(name="b", output=[]), ToolCall(name="c", args={}),
        ToolCall(name="think", output="hm"),
    ), fragments=(Fragment(text="a passage"), Fragment(text=" ")))  # fmt: skip
    sheet = make_pair_sheet(two(base), Side.BASE, load_prompts(None, SIDE_BY_SIDE), non_evidence_tools=("think",))
    assert [(block.number, block.origin) for block in sheet.blocks["response_1"]] == [(1, "b"), (2, "search")]
    assert [block.number for block in sheet.blocks["response_2"]] == [3]
    assert '"error": "Error: down"' in sheet.prompt.turns[0].text


def test_factuality_is_not_asked_where_no_tool_gave_anything() -> None:
    pair, model, _ = judged(prefers("nuevo"), two(base=Reply(output="viejo")))
    assert pair.base is not None
    assert pair.head is not None
    assert (pair.base.factuality, pair.head.factuality) == (None, 3)
    asked = {tuple(key in (prompt.schema or {})["properties"][response]["properties"] for key in ["factuality"])
             for prompt in model.prompts for response in ("response_1", "response_2")}  # fmt: skip
    assert asked == {(True,), (False,)}


def broken(change: Any) -> Any:
    def script(prompt: Prompt) -> Any:
        given = answer(prompt, "tie")
        return change(given) or given

    return script


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a: a["response_1"]["factuality"].update(evidence_blocks=[]), "names no block"),
        (lambda a: a["response_2"]["factuality"].update(evidence_blocks=[1, 99]), "has no block 99"),
        (lambda a: a["response_1"]["factuality"].update(evidence_blocks=[2]), "has no block 2"),
        (lambda a: a["response_1"]["fulfilment"].update(rating="4"), "not one of 1, 2, 3"),
        (lambda a: a["response_1"]["fulfilment"].update(rating=3), "not text"),
        (lambda a: a["response_1"]["target_language"].update(verdict=True), "not text"),
        (lambda a: a["overall"].update(preferred="response_3"), "not one of"),
        (lambda a: a["overall"].update(justification=" "), "justification is empty"),
        (lambda a: a.pop("overall") and None, "overall is missing"),
        (lambda a: a.update(score=1), "was not asked for"),
        (lambda _a: "tie", "no JSON object"),
        (lambda _a: {"x": 1}, "is missing"),
    ],
)
def test_an_answer_that_is_not_exactly_right_is_repaired_once_and_then_no_verdict(change: Any, said: str) -> None:
    pair, model, totals = judged(broken(change))
    assert (pair.preferred, pair.error) == (None, ErrorKind.JUDGE)
    assert said in pair.reason
    assert (len(model.prompts), totals.repairs, totals.pairs) == (4, 2, 0)


def test_a_judge_out_of_order_leaves_the_pair_without_a_verdict() -> None:
    pair, _, _ = judged(lambda _prompt: ProviderError(Failure.UNAVAILABLE, "503"))
    assert (pair.preferred, pair.error) == (None, ErrorKind.INFRASTRUCTURE)


NOTHING_SAID = a_reply("No encontré su pedido.", [])
MADE_UP = a_reply("Su pedido llega el viernes.", [])


def test_what_code_sees_lowers_the_ratings_and_turns_a_preference_that_they_contradict() -> None:
    pair, _, _ = judged(prefers("viernes"), two(base=NOTHING_SAID, head=MADE_UP))
    assert pair.base == Rating(target_language=True, fulfilment=2, factuality=3)
    assert pair.head == Rating(target_language=True, fulfilment=1, factuality=1)
    assert (pair.preferred, pair.decided_by, pair.orders_agree) == (Preference.BASE, "code", True)
    assert "the reply gives data anyway" in pair.reason


def test_orders_that_disagree_are_a_tie_whatever_code_sees() -> None:
    pair, _, _ = judged(lambda prompt: answer(prompt, "response_1"), two(base=NOTHING_SAID, head=MADE_UP))
    assert (pair.preferred, pair.orders_agree, pair.decided_by) == (Preference.TIE, False, "judge")


def test_a_ruling_that_touches_both_alike_leaves_the_preference_to_the_judge() -> None:
    pair, _, _ = judged(prefers("nuevo"), two(base=a_reply("viejo", ""), head=a_reply("nuevo", "")))
    assert (pair.preferred, pair.decided_by) == (Preference.HEAD, "judge")
    assert set(pair.rulings) == {Side.BASE, Side.HEAD}


def test_the_lower_of_both_orders_is_told() -> None:
    first = answer_for_any("tie")
    first["response_1"]["fulfilment"]["rating"] = "2"
    pair, _, _ = judged(iter([first, answer_for_any("tie")]))
    assert pair.base is not None
    assert pair.head is not None
    assert {pair.base.fulfilment, pair.head.fulfilment} == {2, 3}


@pytest.mark.parametrize(
    ("base", "head", "better"),
    [
        ((True, 2, 3), (True, 3, 3), Preference.HEAD),
        ((True, 3, 3), (False, 3, 3), Preference.BASE),
        ((True, 3, 2), (True, 2, 3), Preference.TIE),
        ((True, 3, None), (True, 3, 1), Preference.TIE),
        ((True, 3, 3), (True, 3, 3), Preference.TIE),
    ],
)
def test_better_on_the_dimensions_is_nowhere_worse_and_somewhere_better(base: Any, head: Any, better: Any) -> None:
    def rating(values: Any) -> Rating:
        return Rating(target_language=values[0], fulfilment=values[1], factuality=values[2])

    assert better_on_the_dimensions(rating(base), rating(head)) is better


RATINGS = st.builds(
    Rating, target_language=st.booleans(), fulfilment=st.sampled_from([1, 2, 3]),
    factuality=st.sampled_from([1, 2, 3, None]),
)  # fmt: skip


@given(RATINGS, RATINGS)
def test_swapping_sides_swaps_the_better(one: Rating, other: Rating) -> None:
    swapped = {Preference.BASE: Preference.HEAD, Preference.HEAD: Preference.BASE, Preference.TIE: Preference.TIE}
    assert better_on_the_dimensions(one, other) is swapped[better_on_the_dimensions(other, one)]
    assert lower([one, other]) == lower([other, one])


@pytest.mark.parametrize(("flips", "of", "unreliable"), [(3, 10, False), (4, 10, True), (10, 10, True), (0, 1, False)])
def test_a_judge_that_flips_in_more_than_30_percent_is_unreliable(flips: int, of: int, *, unreliable: bool) -> None:
    about = {"base_id": "c", "category": "k", "trial": 0, "base_reply_sha256": "", "head_reply_sha256": "",
             "reason": "", "preferred": Preference.TIE}  # fmt: skip
    count = count_of(PairResult(case_id=str(each), orders_agree=each >= flips, **about) for each in range(of))
    assert (count.flip_rate, count.unreliable, count.tied) == (Fraction(flips, of), unreliable, of)


def test_an_answer_that_is_known_is_not_asked_for_again(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    first, _, _ = judged(prefers("nuevo"), cache=cache)
    again, model, totals = judged(prefers("viejo"), cache=cache)
    assert again.preferred is first.preferred is Preference.HEAD
    assert (model.prompts, totals.pair_answers_kept) == ([], 2)
    known = {each.key: (each.raw, each.model) for each in first.answers}
    assert judged(prefers("viejo"), known=known)[0].answers == first.answers


def test_a_known_answer_that_was_tampered_with_is_asked_for_again() -> None:
    first, _, _ = judged(prefers("nuevo"))
    known = {each.key: ({**each.raw, "overall": {"preferred": "response_1"}}, None) for each in first.answers}
    _, model, _ = judged(prefers("nuevo"), known=known)
    assert len(model.prompts) == 2


def test_the_prompts_of_pairs_may_be_the_repositorys_own_and_are_no_ruler(tmp_path: Path) -> None:
    (tmp_path / "side_by_side_task.md").write_text("{{data}} {{shape}} {{nonce}} mine")
    assert load_prompts(tmp_path, SIDE_BY_SIDE).texts["side_by_side_task"].endswith("mine")
    assert load_prompts(tmp_path, PLACEHOLDERS).fingerprint == load_prompts().fingerprint
    (tmp_path / "side_by_side_tsk.md").write_text("x")
    with pytest.raises(InputError, match=r"did you mean side_by_side_task\.md"):
        load_prompts(tmp_path, SIDE_BY_SIDE)


HEADER = PairsHeader(
    tool_version="0", base=RunRef(suite="s", started_at="1"), head=RunRef(suite="s", started_at="2"), mode="changed",
    judge={"model": "m"}, judge_fingerprint="f",
)  # fmt: skip


def test_a_pairs_file_reads_as_it_was_written_and_an_interrupted_one_keeps_its_answers(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    pair, _, _ = judged(prefers("nuevo"), two(base=NOTHING_SAID, head=MADE_UP))
    with PairsWriter(path, HEADER) as writer:
        writer.pair(pair)
    assert not path.exists()
    assert set(earlier_answers(path)) == {each.key for each in pair.answers}
    with PairsWriter(path, HEADER) as writer:
        writer.pair(pair)
        writer.finish(PairsFooter(identical=1, without_reply=("x",)))
    found = read_pairs(path)
    assert (found.header, found.pairs, found.footer) == (
        HEADER,
        (pair,),
        PairsFooter(identical=1, without_reply=("x",)),
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "ends before its last line"),
        (lambda lines: lines[1:], "begin a pairs file"),
        (lambda lines: [*lines, lines[1]], "after the last"),
        (lambda lines: [lines[0].replace('"schema": 1', '"schema": 2'), *lines[1:]], "schema"),
        (lambda lines: [lines[0], "{", *lines[1:]], ":2:"),
        (lambda lines: [lines[0], '{"kind": "pair"}', *lines[1:]], ":2: case_id"),
        (lambda _lines: [], "ends before"),
    ],
)
def test_a_pairs_file_that_is_not_whole_names_the_place(tmp_path: Path, change: Any, said: str) -> None:
    path = tmp_path / "pairs.jsonl"
    with PairsWriter(path, HEADER) as writer:
        writer.pair(judged(prefers("nuevo"))[0])
        writer.finish(PairsFooter())
    path.write_text("".join(f"{line}\n" for line in change(path.read_text().splitlines())))
    with pytest.raises(InputError, match=said):
        read_pairs(path)


@given(st.binary(max_size=200))
def test_hostile_bytes_are_refused_and_never_taken_for_answers(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("p") / "pairs.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError):
        read_pairs(path)
    assert earlier_answers(path) == {}


def test_an_order_answer_keeps_what_the_judge_said() -> None:
    pair, _, _ = judged(prefers("nuevo"))
    each: OrderAnswer = pair.answers[0]
    assert each.raw["overall"] == {
        "justification": "Because of fulfilment.",
        "preferred": "response_1" if each.first is Side.HEAD else "response_2",
    }
