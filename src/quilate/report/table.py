"""The comment's table: overall and per category, narrow enough for a phone, a mark only where something moved."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from quilate.compare.comparison import Delta
from quilate.report import escape, figures
from quilate.report.escape import Inert
from quilate.report.input import ReportInput
from quilate.report.messages import Translator
from quilate.report.sentences import state

_LISTED_WHEN_STILL = 12
"""A failing comment lists the categories that did not move too, up to this many in all."""


def moved(delta: Delta) -> bool:
    """Whether a category has something to show: points, or an error or a missing grade of its own."""
    return bool(delta.points) or delta.head.errors > 0 or delta.base.approved != delta.head.approved


def shown_categories(report: ReportInput, most: int | None) -> list[str]:
    """The categories that get a row: those that fell most first, then the rest that moved, then the still ones.

    The still ones have rows only where the reader needs the whole picture (nothing to compare with, or a failure with
    few categories). `most` limits the rows in any case.
    """
    categories = report.comparison.categories
    order = sorted((name for name in categories if moved(categories[name])), key=lambda name: _points(categories[name]))
    still = [name for name in categories if not moved(categories[name])]
    if not report.comparison.compared:
        order = list(categories)
    elif state(report) in ("fail", "accepted") and len(categories) <= _LISTED_WHEN_STILL:
        order += still
    return order if most is None else order[:most]


def _points(delta: Delta) -> Fraction:
    return delta.points if delta.points is not None else Fraction(0)


def in_error_column(report: ReportInput) -> bool:
    """Whether head has cases in error, which then get a column."""
    return report.comparison.overall.head.errors > 0


def markdown_table(report: ReportInput, t: Translator, most: int | None) -> Inert:
    """The table, and a line on the categories without a row."""
    names = shown_categories(report, most)
    comparison = report.comparison
    heads = titles(report, t)
    overall = [f"**{each}**" for each in (t.t("All"), *_unbroken(comparison.overall, report, t))]
    rows = [_line(heads), _line([":--", *["--:"] * (len(heads) - 1)]), _line(overall)]
    rows += [_line([escape.cell(name, 80), *_unbroken(comparison.categories[name], report, t)]) for name in names]
    return Inert("\n".join(rows) + "\n")


def _unbroken(delta: Delta, report: ReportInput, t: Translator) -> list[Inert]:
    """On a phone a cell's mark and its number stay on one line."""
    return [Inert(each.replace(" ", "\u00a0")) for each in values(delta, report, t)]


def rest_line(report: ReportInput, t: Translator, most: int | None) -> Inert | None:
    """What the table leaves out: categories that did not move, or those that had no room."""
    categories = report.comparison.categories
    names = shown_categories(report, most)
    left = len(categories) - len(names)
    if not left:
        return None
    if any(moved(categories[name]) for name in set(categories) - set(names)) or not report.comparison.compared:
        return t.t("Showing {shown} of {all} categories.", shown=len(names), all=len(categories))
    return t.tn("{n} more category did not move.", "{n} more categories did not move.", left)


def titles(report: ReportInput, t: Translator) -> list[Inert]:
    """The columns' titles, the category's first."""
    found = [t.t("Category")]
    if report.comparison.compared:
        found += [t.t("Base"), t.t("This change"), t.t("Points")]
    else:
        found += [t.t("This change")]
    return [*found, t.t("In error")] if in_error_column(report) else found


def values(delta: Delta, report: ReportInput, t: Translator) -> list[Inert]:
    """A row's cells after the category."""
    found = [figures.share(*figures.counted(delta.head))]
    if report.comparison.compared:
        found = [figures.share(*figures.counted(delta.base)), *found, change(delta, t)]
    return [*found, t.number(delta.head.errors)] if in_error_column(report) else found


def change(delta: Delta, t: Translator) -> Inert:
    """The move: in points, or in cases where they are too few for a rate to mean anything."""
    points = delta.points
    if not points or delta.head.graded >= figures.SMALL_SAMPLE:
        return figures.move(points, t)
    cases = points * delta.head.graded / 100
    mark = figures.DOWN if points < 0 else figures.UP
    if cases.denominator == 1:
        return t.tn("{mark} {n} case", "{mark} {n} cases", abs(int(cases)), mark=Inert(mark))
    return t.t("{mark} {cases} cases", mark=Inert(mark), cases=figures.magnitude(cases, t))


def _line(cells: Sequence[str]) -> Inert:
    return Inert(f"| {' | '.join(cells)} |")
