"""The record of a calibration: a small JSON file that later runs carry, so that comments can tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue, ValidationError

from quilate.errors import InputError, Problem
from quilate.grades import RecordModel
from quilate.judge.calibrate import Advice, Agreement, Calibration
from quilate.judge.calibrate_pairs import PairAgreement
from quilate.runs.record import Header

CALIBRATION_SCHEMA = 1
_MAX_BYTES = 1_000_000


class Figures(RecordModel):
    """An agreement as figures: counts, and kappa where the sample is large enough."""

    labels: Annotated[int, Field(ge=0)]
    agreed: Annotated[int, Field(ge=0)]
    bad: Annotated[int, Field(ge=0)]
    bad_found: Annotated[int, Field(ge=0)]
    kappa: Annotated[float, Field(ge=-1, le=1)] | None = None
    kappa_low: Annotated[float, Field(ge=-1, le=1)] | None = None
    kappa_high: Annotated[float, Field(ge=-1, le=1)] | None = None
    advice: Advice

    @classmethod
    def of(cls, agreement: Agreement) -> Figures:
        """The figures of an agreement."""
        kappa = agreement.kappa
        return cls(
            labels=agreement.labels, agreed=agreement.agreed, bad=agreement.bad, bad_found=agreement.bad_found,
            kappa=kappa.value if kappa else None, kappa_low=kappa.low if kappa else None,
            kappa_high=kappa.high if kappa else None, advice=agreement.advice,
        )  # fmt: skip


class PairFigures(RecordModel):
    """How the judge of pairs agrees with people's preferences; its fingerprint is that of `pairs.jsonl`."""

    labels: Annotated[int, Field(ge=0)]
    agreed: Annotated[int, Field(ge=0)]
    kappa: Annotated[float, Field(ge=-1, le=1)] | None = None
    judge_fingerprint: str

    @classmethod
    def of(cls, agreement: PairAgreement, judge_fingerprint: str) -> PairFigures | None:
        """The figures of an agreement; None where no pair was both rated and judged."""
        if not agreement.labels:
            return None
        kappa = agreement.kappa
        return cls(
            labels=agreement.labels, agreed=agreement.agreed, kappa=kappa.value if kappa else None,
            judge_fingerprint=judge_fingerprint,
        )  # fmt: skip


class CalibrationRecord(RecordModel):
    """`calibration.json`. `judge_fingerprint` is the judge's own: another model or other prompts are another judge."""

    kind: Literal["calibration"] = "calibration"
    schema_version: Annotated[int, Field(alias="schema")] = CALIBRATION_SCHEMA
    at: str
    suite: str
    judge: dict[str, JsonValue]
    judge_fingerprint: str
    raters: int
    overall: Figures
    criteria: dict[str, Figures]
    pairs: PairFigures | None = None

    model_config = {**RecordModel.model_config, "populate_by_name": True, "serialize_by_alias": True}


def record_of(found: Calibration, header: Header, at: str, pairs: PairFigures | None = None) -> CalibrationRecord:
    """The record of a calibration of the judge that `header` names; `at` is a date."""
    return CalibrationRecord(
        at=at,
        suite=header.suite,
        judge=header.judge or {},
        judge_fingerprint=header.judge_fingerprint or "",
        raters=found.raters,
        overall=Figures.of(found.overall),
        criteria={name: Figures.of(each) for name, each in found.criteria.items()},
        pairs=pairs,
    )


def write_record(path: Path, record: CalibrationRecord) -> None:
    """Writes the record, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(record.model_dump_json(by_alias=True, exclude_none=True, indent=2) + "\n", encoding="utf-8")
    part.replace(path)


def read_record(path: Path) -> CalibrationRecord:
    """The record at `path`. Raises `InputError`."""
    mend = "write it with `quilate calibrate`, or leave judge.calibration out"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError([Problem(str(path), None, "", f"found no readable file ({error.strerror})", mend)]) from error
    if len(data) > _MAX_BYTES:
        raise InputError([Problem(str(path), None, "", f"found {len(data)} bytes", mend)])
    try:
        record = CalibrationRecord.model_validate_json(data)
    except ValidationError as error:
        problems = [
            Problem(str(path), None, ".".join(map(str, each["loc"])), each["msg"], mend)
            for each in error.errors(include_url=False)[:10]
        ]
        raise InputError(problems) from error
    if record.schema_version != CALIBRATION_SCHEMA:
        found = f"found schema {record.schema_version}"
        raise InputError([Problem(str(path), None, "schema", found, f"this version reads {CALIBRATION_SCHEMA}")])
    return record


def for_footer(record: CalibrationRecord, judge_fingerprint: str) -> dict[str, JsonValue]:
    """What a run's footer carries of the record, and whether it is of the very judge that graded the run."""
    pairs = {} if record.pairs is None else {"pairs": record.pairs.model_dump(mode="json", exclude_none=True)}
    return {
        "at": record.at,
        "same_judge": record.judge_fingerprint == judge_fingerprint,
        **record.overall.model_dump(mode="json", exclude_none=True),
        **pairs,
    }
