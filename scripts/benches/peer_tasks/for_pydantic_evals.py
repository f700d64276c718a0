"""The bench's cases for pydantic-evals."""

import asyncio
import os

from openai import AsyncOpenAI
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext


class Repeats(Evaluator):
    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return str(ctx.expected_output) in ctx.output


async def main() -> None:
    client = AsyncOpenAI(base_url=f"{os.environ['BENCH_URL']}/v1", api_key="none")

    async def ask(question: str) -> str:
        messages = [{"role": "user", "content": question}]
        answer = await client.chat.completions.create(model="m", messages=messages)
        return answer.choices[0].message.content

    numbers = range(int(os.environ["BENCH_CASES"]))
    cases = [Case(name=f"c{n}", inputs=f"Q case {n}", expected_output=f"case {n}") for n in numbers]
    dataset = Dataset(name="bench", cases=cases, evaluators=[Repeats()])
    report = await dataset.evaluate(ask, max_concurrency=int(os.environ["BENCH_CONCURRENCY"]), progress=False)
    assert report.averages().assertions == 1


asyncio.run(main())
