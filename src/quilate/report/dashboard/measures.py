"""What is measured beside the pass rate, over time: the guide's rates, groundedness, latency, cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quilate.report import figures, visible
from quilate.report.dashboard.trends import Run, Trends
from quilate.report.escape import Inert
from quilate.report.html.assets import cost
from quilate.report.input import Ratio
from quilate.report.messages import Translator


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: a value a run (None: not measured) and how it is said; the unit of the values."""

    name: Inert
    values: tuple[tuple[float | None, str], ...]
    unit: str


def measures(trends: Trends, t: Translator) -> list[Measure]:
    """Those that any run measured."""
    found = [
        _rates(t.t("Clarification rate"), trends, lambda run: _ambiguity(run, "clarification")),
        _rates(t.t("Wrong-guess rate"), trends, lambda run: _ambiguity(run, "wrong_guess")),
        _rates(t.t("False-clarification rate"), trends, lambda run: _ambiguity(run, "false_clarification")),
        _rates(t.t("Not invented"), trends, lambda run: _grounded(run, "not_invented")),
        _rates(t.t("Invented"), trends, lambda run: _grounded(run, "invented")),
        _rates(t.t("Without evidence"), trends, lambda run: _grounded(run, "no_evidence")),
        Measure(t.t("Latency, p95"), tuple(_latency(run, t) for run in trends.runs), " s"),
        Measure(t.t("Cost of a run"), tuple(_cost(run, t) for run in trends.runs), ""),
    ]
    return [each for each in found if any(value is not None for value, _ in each.values)]


def _rates(name: Inert, trends: Trends, of: Callable[[Run], Ratio | None]) -> Measure:
    values: list[tuple[float | None, str]] = []
    for run in trends.runs:
        ratio = of(run)
        if ratio is None or not ratio.whole:
            values.append((None, "–"))
        else:
            values.append((100 * ratio.part / ratio.whole, str(figures.share(ratio.part, ratio.whole))))
    return Measure(name, tuple(values), "%")


def _ambiguity(run: Run, name: str) -> Ratio | None:
    return next((each.head for each in run.metrics.ambiguity if each.name == name), None)


def _grounded(run: Run, name: str) -> Ratio | None:
    grounded = run.metrics.groundedness
    if grounded is None:
        return None
    return Ratio(getattr(grounded, name), grounded.not_invented + grounded.invented + grounded.no_evidence)


def _latency(run: Run, t: Translator) -> tuple[float | None, str]:
    value = run.point.latency_p95_ms
    if value is None or isinstance(value, bool) or value < 0:
        return None, "–"
    return value / 1000, str(figures.milliseconds(value, t))


def _cost(run: Run, t: Translator) -> tuple[float | None, str]:
    text = run.point.cost_usd
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None, visible.line(text or "")
    if value is None or not 0 <= value < float("inf"):
        return None, "–"
    return value, cost(str(text), t)
