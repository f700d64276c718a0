"""`quilate run` over HTTP against the ideal of cases × latency ÷ concurrency, start-up apart.

`asking.py [CASES LATENCY_MS CONCURRENCY]` (1000 50 50). Start-up is what a run of one case takes beyond its latency;
everything else counts: reading the goldens, asking, grading, the journal, the reports.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from measuring import QUILATE, load, processor_seconds, seconds, server, typical, write_suite

AIM = 1.15


def main() -> None:
    cases, latency_ms, concurrency = (int(each) for each in sys.argv[1:] or ("1000", "50", "50"))
    ideal = cases * latency_ms / concurrency / 1000
    print(f"{cases} cases of {latency_ms} ms, {concurrency} at once ({load()})")
    with tempfile.TemporaryDirectory(prefix="quilate-bench-") as name, server(latency_ms) as url:
        one, many = Path(name) / "one", Path(name) / "many"
        write_suite(one, url, 1, concurrency)
        write_suite(many, url, cases, concurrency)
        start_up = typical(lambda: seconds([QUILATE, "run", "-q"], cwd=one), 5) - latency_ms / 1000
        whole = typical(lambda: seconds([QUILATE, "run", "-q"], cwd=many), 5)
        own = [typical(lambda f=folder: processor_seconds([QUILATE, "run", "-q"], cwd=f), 3) for folder in (one, many)]
        footer = json.loads((many / ".quilate/run.jsonl").read_bytes().splitlines()[-1])
    apart = whole - start_up
    print(f"ideal {ideal:.2f} s; asked and graded in {footer['seconds']:.2f} s ({footer['seconds'] / ideal:.2f} ×)")
    print(f"then compared, and the reports written, in {apart - footer['seconds']:.2f} s")
    each_ms = 1000 * (own[1] - own[0]) / cases
    pace_ms = latency_ms / concurrency
    print(f"processor time: start-up {own[0]:.2f} s, then {each_ms:.2f} ms a case (the ideal's pace: {pace_ms:g} ms)")
    print(
        f"whole process {whole:.2f} s, start-up {start_up:.2f} s, apart from it {apart:.2f} s: "
        f"{apart / ideal:.2f} × the ideal (aim: {AIM})"
    )


if __name__ == "__main__":
    main()
