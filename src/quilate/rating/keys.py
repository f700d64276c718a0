"""The page's single keys, by the reader's language: each is a letter of the word it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from quilate.report.messages import Language


@dataclass(frozen=True, slots=True)
class Keys:
    """One letter an answer or an act; no answer shares its letter with an act, or with another of its question."""

    passed: str
    partial: str
    failed: str
    cannot_tell: str
    yes: str
    no: str
    neither: str
    write: str
    later: str
    back: str
    stop: str

    @property
    def acts(self) -> dict[str, str]:
        """What the page does by itself → the key."""
        return {"write": self.write, "later": self.later, "back": self.back, "stop": self.stop}


KEYS: dict[Language, Keys] = {
    "en": Keys("p", "h", "f", "c", yes="y", no="n", neither="t", write="w", later="s", back="b", stop="q"),
    "es": Keys("a", "p", "f", "n", yes="s", no="n", neither="n", write="e", later="d", back="v", stop="t"),
    "pt-BR": Keys("a", "p", "f", "n", yes="s", no="n", neither="n", write="e", later="d", back="v", stop="t"),
}
"""aprobado, parcial, falla, no sé decir, sí, no, ninguna; escribir, después, volver, terminar. In Portuguese alike."""
