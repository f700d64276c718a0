"""How the judge of pairs agrees with people who rated the same pairs. Pure, but for reading their labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quilate.documents import read_document
from quilate.errors import InputError, Problem
from quilate.judge.calibrate import MIN_LABELS, MIN_MINORITY
from quilate.judge.calibrate_stats import Kappa, cohens_kappa, observed
from quilate.judge.pairs import PairResult, Preference

PREFERENCES = (Preference.HEAD, Preference.TIE, Preference.BASE)
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PairLabel(BaseModel):
    """One person's preference between two replies: a line of a labels file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["pair_label"]
    case_id: str
    base_reply_sha256: Digest
    head_reply_sha256: Digest
    preferred: Preference
    rater: str


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Preferences of people (rows) and of the judge (columns), in the order head, tie, base."""

    counts: Sequence[Sequence[int]]

    @property
    def labels(self) -> int:
        """How many pairs both gave a preference on."""
        return observed(self.counts)[1]

    @property
    def agreed(self) -> int:
        """On how many it is the same."""
        return observed(self.counts)[0]

    @property
    def kappa(self) -> Kappa | None:
        """Cohen's kappa; None below 30 pairs, or where people prefer one of the sides fewer than 10 times."""
        least = min(sum(self.counts[0]), sum(self.counts[2]))
        return cohens_kappa(self.counts) if self.labels >= MIN_LABELS and least >= MIN_MINORITY else None


def read_pair_labels(path: Path) -> list[PairLabel]:
    """The pair labels of a JSON Lines file; lines of another `kind` are passed over. Raises `InputError`."""
    document = read_document(path)
    found: list[PairLabel] = []
    problems: list[Problem] = []
    for index, line in enumerate(document.value if isinstance(document.value, list) else []):
        if isinstance(line, dict) and line.get("kind") == "pair_label":
            try:
                found.append(PairLabel.model_validate(line))
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(str(part) for part in first["loc"])
                problems.append(document.problem((index,), f"{place}: {first['msg']}", "rate it with `quilate rate`"))
    if problems:
        raise InputError(problems)
    return found


def calibrate_pairs(labels: Iterable[PairLabel], pairs: Iterable[PairResult]) -> PairAgreement:
    """Puts people's preferences beside the judge's on the same pairs; evenly divided people say nothing."""
    said: dict[tuple[str, str, str], dict[str, Preference]] = defaultdict(dict)
    for label in labels:
        said[label.case_id, label.base_reply_sha256, label.head_reply_sha256][label.rater] = label.preferred
    counts = [[0] * len(PREFERENCES) for _ in PREFERENCES]
    for pair in pairs:
        people = _majority(said.get((pair.case_id, pair.base_reply_sha256, pair.head_reply_sha256), {}))
        if people is not None and pair.preferred is not None:
            counts[PREFERENCES.index(people)][PREFERENCES.index(pair.preferred)] += 1
    return PairAgreement(counts)


def _majority(by_rater: Mapping[str, Preference]) -> Preference | None:
    if not by_rater:
        return None
    preferred, times = Counter(by_rater.values()).most_common(1)[0]
    return preferred if 2 * times > len(by_rater) else None
