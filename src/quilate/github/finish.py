"""The end of a step: annotations, job summary, outputs, the last line, the exit code."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quilate.github import annotating, publish, turn
from quilate.github.commands import Annotation, write_outputs
from quilate.github.turn import Step, Turn
from quilate.redaction import Redactor
from quilate.report.escape import fenced
from quilate.report.ladder import SUMMARY_BYTES


def finish(step: Step, turns: Sequence[Turn]) -> int:
    """Tells what the suites came to; gives the worst exit code."""
    notes = [step.redactor.text(note) for one in turns for note in one.notes]
    warnings = [Annotation("warning", note, "quilate") for note in notes]
    step.console.annotate(annotating.of_step([*warnings, *(found for one in turns for found in one.annotations)]))
    if step.settings.summary_file is not None:
        with step.settings.summary_file.open("a", encoding="utf-8") as file:
            file.write(summary(turns, step.redactor))
    write_outputs(step.settings.output_file, outputs(turns))
    for one in turns:
        step.console.say(f"{one.suite}: {publish.description_of(one)}")
    return turn.worst([one.exit_code for one in turns])


def summary(turns: Sequence[Turn], redactor: Redactor) -> str:
    """Every suite's report and notes below GitHub's 1 MiB, above which it drops a summary whole.

    A report that does not fit beside the others gives way to its verdict.
    """
    parts: list[str] = []
    left = SUMMARY_BYTES
    for one in turns:
        notes = "".join(f"{fenced(redactor.text(note), 2000).rstrip()}\n\n" for note in one.notes)
        report = one.markdown
        if len((notes + report).encode("utf-8", "surrogatepass")) > left:
            report = f"## {one.suite}: {one.verdict}\n\nThe report does not fit here; it is in the output folder.\n"
        parts.append(f"{report}\n{notes}")
        left -= len(parts[-1].encode("utf-8", "surrogatepass"))
    return "\n".join(parts)


def outputs(turns: Sequence[Turn]) -> dict[str, str]:
    """One suite's outputs as they are; of several the worst verdict, and the others as one-line JSON by suite."""
    every = {one.suite: turn.outputs_of(one) for one in turns}
    if len(turns) == 1:
        return every[turns[0].suite]
    code = turn.worst([one.exit_code for one in turns])
    verdict = next((one.verdict for one in turns if one.exit_code == code), "")
    names = [name for name in turn.OUTPUTS if name != "verdict"]
    by_suite = {name: json.dumps({suite: values[name] for suite, values in every.items()}) for name in names}
    return {"verdict": verdict, **by_suite}
