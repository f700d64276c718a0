"""The document of `quilate calibrate`: for a terminal, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quilate.judge.calibrate import GRADES, MIN_KAPPA, MIN_LABELS, MIN_MINORITY, OVERALL, Advice, Agreement, Calibration
from quilate.judge.calibrate_pairs import PREFERENCES, PairAgreement
from quilate.judge.calibrate_record import Figures
from quilate.judge.calibrate_stats import share_interval
from quilate.report import escape, visible

SCHEMA = 1


def as_json(found: Calibration, judge: dict[str, Any], pairs: PairAgreement) -> dict[str, Any]:
    """The contract of `--format json`: counts beside every figure."""
    left = found.left_out
    return {
        "pairs": _pair_figures(pairs),
        "schema": SCHEMA,
        "judge": judge,
        "raters": found.raters,
        "overall": _figures(found.overall),
        "criteria": {name: _figures(each) for name, each in found.criteria.items()},
        "between_people": [{"raters": list(each.raters), **_figures(each.agreement)} for each in found.people],
        "left_out": {
            "other_replies": left.other_replies, "other_criteria": left.other_criteria,
            "without_verdict": left.without_verdict, "split": left.split,
        },
    }  # fmt: skip


def _pair_figures(pairs: PairAgreement) -> dict[str, Any]:
    kappa = pairs.kappa
    confusion = {
        person.value: {judge.value: pairs.counts[row][column] for column, judge in enumerate(PREFERENCES)}
        for row, person in enumerate(PREFERENCES)
    }
    return {
        "labels": pairs.labels, "agreed": pairs.agreed, "kappa": kappa.value if kappa else None,
        "kappa_low": kappa.low if kappa else None, "kappa_high": kappa.high if kappa else None,
        "confusion": confusion,
    }  # fmt: skip


def _figures(each: Agreement) -> dict[str, Any]:
    confusion = {
        person.value: {judge.value: each.counts.get((person, judge), 0) for judge in GRADES} for person in GRADES
    }
    return {**Figures.of(each).model_dump(mode="json"), "false_alarms": each.false_alarms, "confusion": confusion}


def text(found: Calibration, judge: str, pairs: PairAgreement) -> str:
    """For a terminal."""
    blocks = [f"Judge {visible.line(visible.cut(judge, 120))} against {_people(found)}."]
    for name, each in _groups(found):
        blocks.append("\n".join([visible.line(visible.cut(name, 120)), *(f"  {line}" for line in _lines(each))]))
    blocks += [*_pairs(pairs), *_between(found), *_left_out(found)]
    return "\n\n".join(blocks) + "\n"


def markdown(found: Calibration, judge: str, pairs: PairAgreement) -> str:
    """As Markdown; what others named stands in code spans only."""
    blocks = [
        "# Calibration of the judge",
        f"Judge {escape.code_span(judge, 120)} against {_people(found)}.",
        "\n".join(_table(found)),
    ]
    for name, each in _groups(found):
        heading = escape.code_span(name, 120) if name != OVERALL else OVERALL
        blocks += [f"## {heading}", "\n".join(f"- {line}" for line in _lines(each)), "\n".join(_confusion(each))]
    blocks += [*_pairs(pairs), *_between(found), *_left_out(found)]
    return "\n\n".join(blocks) + "\n"


def _groups(found: Calibration) -> list[tuple[str, Agreement]]:
    return [(OVERALL, found.overall), *found.criteria.items()]


def _people(found: Calibration) -> str:
    if not found.raters:
        return "no label of single replies"
    return "one person's labels" if found.raters == 1 else f"the labels of {found.raters} people"


def _lines(each: Agreement) -> Iterator[str]:
    yield advice(each)
    if not each.labels:
        return
    yield f"agreement {_share(each.agreed, each.labels)}"
    kappa = each.kappa
    if kappa is not None:
        yield f"Cohen's kappa {kappa.value:.2f} (95 % {kappa.low:.2f} to {kappa.high:.2f})"
    yield f"bad replies, by people: {each.bad} of {each.labels}"
    if each.bad:
        yield f"of those the judge found {_share(each.bad_found, each.bad)}"
    good = each.labels - each.bad
    if good:
        yield f"false alarms {_share(each.false_alarms, good)} of the good ones"


def advice(each: Agreement) -> str:
    """Whether the judge should gate by this, in one sentence."""
    minority = min(each.bad, each.labels - each.bad)
    match each.advice:
        case Advice.TOO_FEW_LABELS if each.enough:
            return "Kappa is not defined here, so nothing says that this judge may gate."
        case Advice.TOO_FEW_LABELS:
            return (
                f"Too few labels to say that this judge may gate: {each.labels} of at least {MIN_LABELS}, "
                f"{minority} of at least {MIN_MINORITY} in the rarer class."
            )
        case Advice.SHOULD_NOT_GATE:
            return f"This judge should not gate: {' and '.join(_weaknesses(each))}."
    return "This judge may gate."


def _weaknesses(each: Agreement) -> Iterator[str]:
    kappa = each.kappa
    if kappa is not None and kappa.value < MIN_KAPPA:
        yield f"its kappa of {kappa.value:.2f} is below {MIN_KAPPA}"
    if 2 * each.bad_found < each.bad:
        yield f"it misses {each.bad - each.bad_found} of {each.bad} bad replies"


def _share(part: int, whole: int) -> str:
    interval = share_interval(part, whole)
    return f"{part} of {whole} ({100 * part / whole:.0f} %, 95 % {100 * interval.low:.0f} to {100 * interval.high:.0f})"


def _table(found: Calibration) -> Iterator[str]:
    yield "| criterion | labels | agreement | kappa | bad | bad found | advice |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for name, each in _groups(found):
        title = escape.cell(name) if name != OVERALL else OVERALL
        kappa = "–" if each.kappa is None else f"{each.kappa.value:.2f}"
        words = each.advice.value.replace("_", " ")
        yield f"| {title} | {each.labels} | {each.agreed} | {kappa} | {each.bad} | {each.bad_found} | {words} |"


def _confusion(each: Agreement) -> Iterator[str]:
    yield "| people | judge: pass | judge: partial | judge: fail |"
    yield "| --- | ---: | ---: | ---: |"
    for person in GRADES:
        counts = " | ".join(str(each.counts.get((person, judge), 0)) for judge in GRADES)
        yield f"| {person.value} | {counts} |"


def _pairs(pairs: PairAgreement) -> list[str]:
    """The judge of pairs against people's preferences; nothing where nobody rated a pair that it judged."""
    if not pairs.labels:
        return []
    kappa = pairs.kappa
    said = (
        f"too few pairs for kappa (at least {MIN_LABELS}, each side preferred {MIN_MINORITY} times)"
        if kappa is None
        else f"Cohen's kappa {kappa.value:.2f} (95 % {kappa.low:.2f} to {kappa.high:.2f})"
    )
    return [f"Pairs: the same preference in {_share(pairs.agreed, pairs.labels)}, {said}."]


def _between(found: Calibration) -> list[str]:
    """What people come to among themselves: the most that can be asked of a judge."""
    lines = []
    for each in found.people:
        one, other = (escape.code_span(rater, 80) for rater in each.raters)
        kappa = each.agreement.kappa
        said = "too few labels for kappa" if kappa is None else f"kappa {kappa.value:.2f}"
        lines.append(f"- {one} and {other}: {_share(each.agreement.agreed, each.agreement.labels)}, {said}")
    return ["People among themselves:\n\n" + "\n".join(lines)] if lines else []


def _left_out(found: Calibration) -> list[str]:
    left = found.left_out
    said = [
        f"{count} {why}"
        for count, why in (
            (left.other_replies, "of replies that this run does not hold"),
            (left.other_criteria, "of criteria that the reply does not have"),
            (left.without_verdict, "to which the judge gave no verdict"),
            (left.split, "on which people are evenly divided"),
        )
        if count
    ]
    return [f"Labels left out: {'; '.join(said)}."] if said else []
