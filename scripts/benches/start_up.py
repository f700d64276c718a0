"""Start-up against the bare interpreter's: `--version`, `run --help`, and a run of one case that answers at once."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measuring import QUILATE, seconds, server, typical, write_suite

TIMES = 9


def main() -> None:
    bare = typical(lambda: seconds([sys.executable, "-c", "pass"]), TIMES)
    print(f"bare interpreter                 {1000 * bare:7.0f} ms")
    for words in (["--version"], ["run", "--help"]):
        took = typical(lambda words=words: seconds([QUILATE, *words]), TIMES)
        print(f"quilate {' '.join(words):<24} {1000 * took:7.0f} ms  {took / bare:5.1f} × the bare interpreter")
    with tempfile.TemporaryDirectory(prefix="quilate-bench-") as name, server(0) as url:
        write_suite(Path(name), url, 1, 1)
        took = typical(lambda: seconds([QUILATE, "run"], cwd=Path(name)), TIMES)
    print(f"quilate run, one case, 0 ms      {1000 * took:7.0f} ms  {took / bare:5.1f} × the bare interpreter")


if __name__ == "__main__":
    main()
