"""Peak memory and time of comparing two run files: `memory.py [CASES …]` (1000 100000).

Each size is compared in a process of its own, so that one peak does not hide another.
"""

from __future__ import annotations

import datetime as dt
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quilate.agents.agent import Reply
from quilate.compare.offline import compare_files
from quilate.config import Gate
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, Grade, TrialGrade
from quilate.grading import case_ruler
from quilate.runs.reader import RunReader
from quilate.runs.record import Conditions, DatasetInfo, Footer, GradeLine, Header, ReplyLine
from quilate.runs.writer import RunWriter


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] == "--compare":
        compare(Path(sys.argv[2]), Path(sys.argv[3]))
        return
    peaks = {}
    for size in [int(text) for text in sys.argv[1:]] or [1_000, 100_000]:
        with tempfile.TemporaryDirectory(prefix="quilate-bench-") as folder:
            base, head = Path(folder) / "base.jsonl", Path(folder) / "head.jsonl"
            started = time.monotonic()
            write(base, size, broken_every=50)
            write(head, size, broken_every=49)
            wrote = time.monotonic() - started
            mega = (base.stat().st_size + head.stat().st_size) / 1e6
            started = time.monotonic()
            command = [sys.executable, __file__, "--compare", str(base), str(head)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            peak_kib, verdict = said.split()
            peaks[size] = int(peak_kib) / 1024
            took = time.monotonic() - started
            print(
                f"{size:>7} cases, {mega:.0f} MB: written in {wrote:.1f} s, compared in {took:.1f} s, "
                f"peak {peaks[size]:.0f} MB, {verdict}"
            )
    if len(peaks) > 1:
        print(f"peak grows by {max(peaks.values()) - min(peaks.values()):.0f} MB (aim: less than 100)")


def compare(base: Path, head: Path) -> None:
    with RunReader(base) as old, RunReader(head) as new:
        comparison, _ = compare_files(old, new, today=dt.date(2026, 1, 1))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, comparison.verdict)


def write(path: Path, cases: int, *, broken_every: int) -> None:
    header = Header(
        suite="bench", tool_version="0", dataset=DatasetInfo(version="1", fingerprint="0" * 32, cases=cases),
        ruler="0" * 32, agent={"kind": "replay"}, agent_fingerprint="0" * 32, policy=Gate(), conditions=Conditions(),
    )  # fmt: skip
    with RunWriter(path, header) as run:
        for number in range(cases):
            case = GoldenCase(
                id=f"case-{number:06}", category=f"category-{number % 6}", input=f"Where is my order {number}?",
                expected_tool="lookup_order", expected_tool_args={"number": str(number)},
            )  # fmt: skip
            grade = Grade.FAIL if number % broken_every == 0 else Grade.PASS
            criteria = (
                CriterionGrade(id="expected_tool", grade=grade, reason="found the call", text="calls lookup_order"),
            )
            reply = Reply(output=f"Your order {number} is on its way. " * 6, duration_ms=900.0 + number % 700)
            run.reply(
                ReplyLine(
                    case_id=case.id, trial=0, input_fingerprint=case.input_fingerprint, prompt=case.messages,
                    reply=reply, asked_at="2026-01-01T00:00:00Z",
                )
            )  # fmt: skip
            run.grade(
                GradeLine(
                    case_id=case.id, category=case.category, grade=grade, criteria=criteria,
                    trials=(TrialGrade(trial=0, grade=grade, criteria=criteria),), definition=case,
                    input_fingerprint=case.input_fingerprint, ruler=case_ruler(case),
                )
            )  # fmt: skip
        run.footer(Footer(ended="complete", counts={}, replies=cases, seconds=1))


if __name__ == "__main__":
    main()
