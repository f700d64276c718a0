"""The bench's cases for inspect-ai."""

import os

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


@task
def bench() -> Task:
    cases = range(int(os.environ["BENCH_CASES"]))
    samples = [Sample(input=f"Q case {number}", target=f"case {number}") for number in cases]
    return Task(dataset=samples, solver=generate(), scorer=includes())
