"""The bench's cases for deepeval, which grades replies and leaves the asking to its user."""

import asyncio
import os

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from openai import AsyncOpenAI

CONCURRENCY = int(os.environ["BENCH_CONCURRENCY"])


class Repeats(BaseMetric):
    threshold = 1.0
    async_mode = True
    strict_mode = include_reason = verbose_mode = False
    evaluation_model = None
    __name__ = "Repeats"

    def measure(self, case: LLMTestCase, *_: object, **__: object) -> float:
        self.score = float(case.expected_output in case.actual_output)
        self.success, self.reason = self.score >= self.threshold, ""
        return self.score

    async def a_measure(self, case: LLMTestCase, *_: object, **__: object) -> float:
        return self.measure(case)

    def is_successful(self) -> bool:
        return self.success


async def asked() -> list[LLMTestCase]:
    client = AsyncOpenAI(base_url=f"{os.environ['BENCH_URL']}/v1", api_key="none")
    at_once = asyncio.Semaphore(CONCURRENCY)

    async def ask(number: int) -> LLMTestCase:
        question = f"Q case {number}"
        messages = [{"role": "user", "content": question}]
        async with at_once:
            answer = await client.chat.completions.create(model="m", messages=messages)
        text = answer.choices[0].message.content
        return LLMTestCase(input=question, actual_output=text, expected_output=f"case {number}")

    return await asyncio.gather(*(ask(number) for number in range(int(os.environ["BENCH_CASES"]))))


found = evaluate(
    test_cases=asyncio.run(asked()),
    metrics=[Repeats()],
    async_config=AsyncConfig(run_async=True, max_concurrent=CONCURRENCY),
    display_config=DisplayConfig(print_results=False, show_indicator=False),
)
assert all(each.success for each in found.test_results)
