from __future__ import annotations

import asyncio
import datetime as dt

import pytest

from quilate.agents.agent import AskFailed, Fault, FaultKind, Reply
from quilate.agents.scripted import ScriptedAgent
from quilate.agents.starting import CannotStartError
from quilate.asking import Asking, ask_all, common_crash, started
from quilate.goldens.case import GoldenCase

YES = Reply(output="yes")
CRASH = Fault(kind=FaultKind.AGENT, message="exited with 1: line 12")
OUTAGE = Fault(kind=FaultKind.INFRASTRUCTURE, message="429")


def _cases(count: int):
    return [GoldenCase(id=f"c{number}", category="a", input=f"question {number}") for number in range(count)]


def _ask(agent, cases, **options):
    answered = []
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    async def go():
        async with started(agent) as ready:
            return await ask_all(ready, cases, answered.append, **{"sleep": sleep, **options})

    result = asyncio.run(go())
    return result, answered, waits


def test_every_trial_of_every_case_is_asked_once():
    agent = ScriptedAgent({f"c{number}": YES for number in range(5)})
    result, answered, _ = _ask(agent, _cases(5), trials=3, concurrency=2)
    assert sorted((each.case.id, each.trial) for each in answered) == [(f"c{n}", t) for n in range(5) for t in range(3)]
    assert result == Asking(answered=15, not_asked=0, common=None)
    assert (agent.entered, agent.left) == (1, 1)


def test_a_request_holds_no_expectation():
    agent = ScriptedAgent({"c": YES})
    case = GoldenCase(id="c", category="a", input="hola", expected_tool="secret_tool", must_not_leak=("canary",))
    _ask(agent, [case])
    assert "secret_tool" not in repr(agent.requests[0])
    assert "canary" not in repr(agent.requests[0])


def test_what_is_recorded_already_is_not_asked():
    agent = ScriptedAgent({"c0": YES, "c1": YES})
    _, answered, _ = _ask(agent, _cases(2), trials=2, already={("c0", 0), ("c1", 1)})
    assert [(each.case.id, each.trial) for each in answered] == [("c0", 1), ("c1", 0)]


def test_the_agents_own_number_of_trials_counts():
    _, answered, _ = _ask(ScriptedAgent({"c0": YES}, trials=4), _cases(1), trials=1)
    assert [each.trial for each in answered] == [0, 1, 2, 3]


def test_a_failure_that_may_pass_is_tried_again_and_the_attempts_are_counted():
    busy = AskFailed(OUTAGE, retryable=True)
    agent = ScriptedAgent({"c0": [busy, busy, YES]})
    _, answered, waits = _ask(agent, _cases(1), retries=3)
    assert answered[0].reply == YES.model_copy(update={"attempts": 3})
    assert len(waits) == 2


def test_a_crash_is_not_tried_again():
    agent = ScriptedAgent({"c0": [AskFailed(CRASH), YES]})
    _, answered, _ = _ask(agent, _cases(1))
    assert answered[0].reply == Reply(fault=CRASH)


def test_no_reply_in_time_is_the_agents_crash_and_not_tried_again():
    class Hung(ScriptedAgent):
        async def ask(self, request):
            await super().ask(request)
            await asyncio.Event().wait()

    agent = Hung({"c0": YES})
    _, answered, _ = _ask(agent, _cases(1), timeout_s=0.01)
    fault = answered[0].reply.fault
    assert (fault.kind, fault.message) == (FaultKind.AGENT, "no reply within 0.01 s")
    assert len(agent.requests) == 1


def test_no_more_are_in_flight_than_allowed_and_cases_are_read_as_needed():
    class Counting(ScriptedAgent):
        now = most = 0

        async def ask(self, request):
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0)
            self.now -= 1
            return await super().ask(request)

    read = 0

    def cases():
        nonlocal read
        for case in _cases(50):
            read += 1
            assert read - len(agent.requests) <= 5
            yield case

    agent = Counting({f"c{number}": YES for number in range(50)})
    _ask(agent, cases(), concurrency=4)
    assert agent.most == 4


def test_an_agent_that_cannot_start_gives_every_case_the_same_fault_unasked():
    class Broken(ScriptedAgent):
        async def __aenter__(self):
            raise CannotStartError("not installed")

    agent = Broken({})
    result, answered, _ = _ask(agent, _cases(3), trials=2)
    assert {each.reply.fault.message for each in answered} == {"not installed"}
    assert len(answered) == 6
    assert agent.requests == []
    assert (result.not_asked, result.common) == (6, answered[0].reply.fault)


def test_when_nobody_answers_the_first_askings_the_rest_is_not_asked():
    refused = CannotStartError("cannot reach it")
    agent = _Each(refused)
    result, answered, _ = _ask(agent, _cases(20), concurrency=1)
    assert len(answered) == 20
    assert (len(agent.requests), result.not_asked) == (5, 15)
    assert result.common is not None


def test_an_agent_that_has_answered_once_is_asked_on():
    refused = CannotStartError("cannot reach it")
    agent = ScriptedAgent({"c0": YES, **{f"c{number}": refused for number in range(1, 20)}})
    result, _, _ = _ask(agent, _cases(20), concurrency=1)
    assert (len(agent.requests), result.not_asked, result.common) == (20, 0, None)


class _Each(ScriptedAgent):
    def __init__(self, failure):
        super().__init__({})
        self._failure = failure

    async def ask(self, request):
        self.requests.append(request)
        raise self._failure


def test_all_crashing_alike_is_said_once():
    alike = [Fault(kind=FaultKind.AGENT, message=f"exited with 1: line 12 at 0x7f{n}a, {n} ms") for n in range(3)]
    assert common_crash(alike) == alike[0]
    assert common_crash(iter([*alike, None])) is None
    assert common_crash([*alike, CRASH.model_copy(update={"message": "another"})]) is None
    assert common_crash([OUTAGE, OUTAGE]) is None
    assert common_crash([CRASH]) is None
    assert common_crash([]) is None


def test_a_failure_to_record_ends_the_asking_and_is_raised_as_it_is():
    def full(_):
        raise OSError(28, "No space left on device")

    async def go():
        async with started(agent) as ready:
            await ask_all(ready, _cases(20), full, concurrency=3)

    agent = ScriptedAgent({f"c{number}": YES for number in range(20)})
    with pytest.raises(OSError, match="No space left"):
        asyncio.run(go())
    assert agent.left == 1


def test_cancelled_it_hands_on_what_was_answered_and_leaves_the_agent():
    handed = []

    async def record(answered):
        handed.append(answered.case.id)
        await asyncio.Event().wait()  # what graders that are cancelled as well would never take

    class Last(ScriptedAgent):
        async def ask(self, request):
            if request.case_id == "c1":
                asked.set()
                await asyncio.Event().wait()
            return await super().ask(request)

    async def asking():
        async with started(agent) as ready:
            await ask_all(ready, _cases(5), record, concurrency=2)

    async def go():
        task = asyncio.create_task(asking())
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asked = asyncio.Event()
    agent = Last({f"c{number}": YES for number in range(5)})
    asyncio.run(go())
    assert handed == ["c0"]
    assert agent.left == 1


def test_the_time_of_asking_is_recorded():
    moment = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    _, answered, _ = _ask(ScriptedAgent({"c0": YES}), _cases(1), now=lambda: moment)
    assert answered[0].asked_at == moment
