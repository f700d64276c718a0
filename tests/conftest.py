"""For every test: no example is left to chance or to the clock, and with CI=true a skip is a failure."""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

# The same examples in every run, however slow the machine is.
settings.register_profile("quilate", derandomize=True, deadline=None, database=None)
settings.load_profile("quilate")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {reason}"
    return report
