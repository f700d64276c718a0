"""`results.json` as a published shape: what `quilate schema results` prints and other programs may rely on."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quilate.grades import Grade, RecordModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Row(RecordModel):
    """One golden case of the run."""

    case_id: Annotated[str, Field(description="As in the golden file.")]
    category: Annotated[str, Field(description="As in the golden file.")]
    grade: Annotated[Grade, Field(description="What the case came to.")]
    base_grade: Annotated[
        Grade | None, Field(description="The base's grade of the same id, by the base's own ruler; null without one.")
    ]
    approved_trials: Annotated[int, Field(ge=0, description="How many askings were approved.")]
    graded_trials: Annotated[int, Field(ge=0, description="How many askings were graded.")]
    duration_ms: Annotated[
        float | None, Field(description="The mean of the askings' times in milliseconds; null where none was recorded.")
    ]
    failed_criteria: Annotated[list[str], Field(description="Ids of the criteria that are not approved.")]
    reason: Annotated[str | None, Field(description="The first of them, in one line; null where all are approved.")]
    file: Annotated[str | None, Field(description="Where the golden case stands.")]
    line: Annotated[int | None, Field(description="On which line, from 1.")]


class Results(RecordModel):
    """A run, in the order of its file. Numbers are not rounded."""

    schema_version: Annotated[
        Literal[1], Field(alias="schema", description="Changed when a key changes its meaning or goes.")
    ]
    suite: Annotated[str, Field(description="As in quilate.yml.")]
    commit: Annotated[str | None, Field(description="The commit that was tested; null where none was given.")]
    dataset: Annotated[str, Field(description="The dataset's version.")]
    trials: Annotated[int, Field(ge=1, description="How often every case was asked.")]
    cases: Annotated[list[Row], Field(description="Every graded case.")]


def results_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `results.json`."""
    schema = Results.model_json_schema(by_alias=True)
    return {"$schema": DIALECT, **schema, "title": "quilate results"}
