"""Small plots as SVG, drawn here: no script, no style attribute (the page's policy forbids both), text for readers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

_BINS = 28


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the ends of its interval, all in the plot's unit."""

    value: float
    low: float
    high: float


def _svg(width: int, height: int, kind: str, label: str, parts: Iterable[Markup]) -> Markup:
    opening = Markup('<svg class="plot {}" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">')
    return opening.format(kind, width, height, width, height, label) + Markup("").join(parts) + Markup("</svg>")


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return Markup('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>').format(kind, x1, y1, x2, y2)


def _dot(kind: str, x: float, y: float, radius: float = 3.2) -> Markup:
    return Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>').format(kind, x, y, radius)


def _text(kind: str, x: float, y: float, said: str, anchor: str = "middle") -> Markup:
    shape = Markup('<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>')
    return shape.format(kind, x, y, anchor, said)


def rates(base: Estimate | None, head: Estimate | None, label: str) -> Markup:
    """Two pass rates on one axis from 0 to 100, base above head, each with its interval."""
    width, height, edge = 170, 24, 5

    def x(value: float) -> float:
        return edge + (width - 2 * edge) * min(100.0, max(0.0, value)) / 100

    parts = [_line("axis", x(0), height - 2, x(100), height - 2)]
    parts += [_line("tick", x(at), height - 4, x(at), height) for at in (0, 50, 100)]
    for kind, y, each in (("base", 6.0, base), ("head", 15.0, head)):
        if each is not None:
            parts += [_line(f"span {kind}", x(each.low), y, x(each.high), y), _dot(f"dot {kind}", x(each.value), y)]
    return _svg(width, height, "rates", label, parts)


def difference(points: Estimate, limit: float, labels: tuple[str, str], label: str) -> Markup:
    """A move in points with its interval, against no move and against the limit; `labels` name those two lines."""
    width, height, edge = 460, 56, 30
    reach = 1.1 * max(abs(points.low), abs(points.high), limit, 1.0)

    def x(value: float) -> float:
        return width / 2 + (width / 2 - edge) * value / reach

    parts = [
        Markup('<rect class="beyond" x="{:.1f}" y="16" width="{:.1f}" height="26"/>').format(
            x(-reach), x(-limit) - x(-reach)
        ),
        _line("axis", x(-reach), 42, x(reach), 42),
        _line("zero", x(0), 14, x(0), 46),
        _line("limit", x(-limit), 14, x(-limit), 46),
        _line("span head", x(points.low), 29, x(points.high), 29),
        _dot("dot head", x(points.value), 29, 5),
        _text("name", x(0), 10, labels[0], "start"),
        _text("name", x(-limit), 10, labels[1], "end"),
    ]
    return _svg(width, height, "difference", label, parts)


@dataclass(frozen=True, slots=True)
class Times:
    """One side's recorded times, and what to call it; `marks` are (value, what it is)."""

    kind: str
    name: str
    values_ms: Sequence[float]
    marks: Sequence[tuple[float, str]] = ()


def distribution(sides: Sequence[Times], ends: tuple[str, str], label: str) -> Markup:
    """Histograms one below the other on one axis; times spread widely get a logarithmic one."""
    every = [value for side in sides for value in side.values_ms]
    if not every:
        return Markup("")
    low, high = min(every), max(every)
    spread = low > 0 and high / low > 30
    if not spread:
        low = 0.0
    width, band, left, right = 640, 66, 92, 16

    def share(value: float) -> float:
        if high <= low:
            return 0.5
        if spread:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    def x(value: float) -> float:
        return left + (width - left - right) * share(value)

    parts: list[Markup] = []
    for row, side in enumerate(sides):
        floor = (row + 1) * band
        counts = [0] * _BINS
        for value in side.values_ms:
            counts[min(_BINS - 1, int(share(value) * _BINS))] += 1
        step = (width - left - right) / _BINS
        tallest = max(counts, default=0) or 1
        bar = Markup('<rect class="bar {}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>')
        for at, count in enumerate(counts):
            if count:
                size = max(1.5, (band - 28) * count / tallest)
                parts.append(bar.format(side.kind, left + at * step + 0.5, floor - size, step - 1, size))
        parts.append(_line("axis", left, floor, width - right, floor))
        parts.append(_text("name", left - 8, floor - 4, side.name, "end"))
        for value, what in side.marks:
            parts.append(_line("mark", x(value), floor - band + 14, x(value), floor))
            # The first mark's name stands before it and the last one's after it, so that they never meet.
            before = x(value) > width - 90 or (
                value is side.marks[0][0] and len(side.marks) > 1 and x(value) > left + 60
            )
            parts.append(
                _text("name", x(value) + (-4 if before else 4), floor - band + 22, what, "end" if before else "start")
            )
    bottom = len(sides) * band + 14
    parts.append(_text("name", left, bottom, ends[0] if spread else "0", "start"))
    parts.append(_text("name", width - right, bottom, ends[1], "end"))
    return _svg(width, bottom + 6, "distribution", label, parts)


@dataclass(frozen=True, slots=True)
class Dot:
    """One run on a line: its value (None: there is none), what to say of it, what to mark it as."""

    value: float | None
    title: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened between two runs: before the run at `at`."""

    at: int
    kind: str
    title: str
    short: str


def over_time(
    dots: Sequence[Dot], events: Sequence[Event], ends: tuple[str, str], label: str, *, tall: bool, top: float = 100,
    bottom: float = 0, unit: str = "%", number: Callable[[float], str],
) -> Markup:  # fmt: skip
    """A line of values from `bottom` to `top`, one step a run, with what happened between runs as vertical lines.

    `number` writes a value of the axis in the reader's language.
    """
    width, height = (860, 260) if tall else (400, 110)
    left, right, above, below = 40, 14, 26 if tall else 10, 24
    floor = height - below

    def x(at: float) -> float:
        return left + (width - left - right) * (at / (len(dots) - 1) if len(dots) > 1 else 0.5)

    def y(value: float) -> float:
        return floor - (floor - above) * (min(top, max(bottom, value)) - bottom) / (top - bottom)

    parts: list[Markup] = []
    for value in (bottom, (bottom + top) / 2, top):
        parts.append(_line("grid", left, y(value), width - right, y(value)))
        parts.append(
            _text("tick-name", left - 5, y(value) + 4, f"{number(value)}{unit if value == top else ''}", "end")
        )
    for event in events:
        at = x(event.at - 0.5) if event.at else x(0)
        shape = Markup('<g class="event {}"><title>{}</title>{}{}</g>')
        name = _text("event-name", at, above - 8, event.short) if tall else Markup("")
        parts.append(shape.format(event.kind, event.title, _line("event-line", at, above - 4, at, floor), name))
    runs: list[list[str]] = [[]]
    for at, dot in enumerate(dots):
        if dot.value is None:
            runs.append([])
        else:
            runs[-1].append(f"{x(at):.1f},{y(dot.value):.1f}")
    parts += [Markup('<polyline class="trend" points="{}"/>').format(" ".join(run)) for run in runs if len(run) > 1]
    radius = 3.4 if len(dots) <= 80 else 2.2
    for at, dot in enumerate(dots):
        if dot.value is not None:
            parts.append(_titled(dot, x(at), y(dot.value), radius if tall else radius - 0.8))
    parts.append(_text("tick-name", left, height - 6, ends[0], "start"))
    parts.append(_text("tick-name", width - right, height - 6, ends[1], "end"))
    return _svg(width, height, "over-time", label, parts)


def _titled(dot: Dot, x: float, y: float, radius: float) -> Markup:
    if dot.kind == "accepted":
        size = radius + 2.5
        points = f"{x:.1f},{y - size:.1f} {x + size:.1f},{y:.1f} {x:.1f},{y + size:.1f} {x - size:.1f},{y:.1f}"
        return Markup('<polygon class="dot accepted" points="{}"><title>{}</title></polygon>').format(points, dot.title)
    shape = Markup('<circle class="dot {}" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"><title>{}</title></circle>')
    return shape.format(dot.kind, x, y, radius, dot.title)
