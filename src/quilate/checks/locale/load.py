"""Locale packs from the package and from the repository, with inheritance resolved and every problem named."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quilate.canonical import canonical_json, fingerprint
from quilate.checks.locale.cldr import Forms, forms_of
from quilate.checks.locale.pack import LocalePack
from quilate.documents import Document, read_document
from quilate.errors import InputError, Problem, nearest
from quilate.problems import problems_of
from quilate.saying import listed, say

SHIPPED = Path(__file__).parents[1] / "locales"


@dataclass(frozen=True)
class Locale:
    """A pack and the forms that CLDR and the pack give it."""

    pack: LocalePack

    @cached_property
    def forms(self) -> Forms:
        """Looked up when first needed: Babel's data is large."""
        return forms_of(self.pack)

    @cached_property
    def fingerprint(self) -> str:
        """Changes when anything that can decide a grade changes: what the pack says, or what CLDR says."""
        return fingerprint([self.pack.model_dump(mode="json"), repr(self.forms)])


@dataclass
class Packs:
    """Locales by tag. The package's own are read when asked for, the repository's when this is made."""

    own: dict[str, Document] = field(default_factory=dict)
    _locales: dict[str, Locale] = field(default_factory=dict)

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Every tag there is a pack for."""
        return tuple(sorted({*self.own, *(path.stem for path in SHIPPED.glob("[!_]*.yaml"))}))

    def get(self, tag: str) -> Locale | None:
        """The locale of a tag, whatever its case (`pt_br` is `pt-BR`); None where there is no pack for it."""
        wanted = tag.replace("_", "-").casefold()
        name = next((known for known in self.known if known.casefold() == wanted), None)
        if name is None:
            return None
        if name not in self._locales:
            merged = self._merged(name, ())
            self._locales[name] = Locale(LocalePack.model_validate_json(canonical_json(merged)))
        return self._locales[name]

    def unknown(self, tag: str) -> str:
        """What to say of a tag without a pack."""
        close = nearest(tag, self.known)
        guess = say("did you mean {name}?", name=close) if close else say("there are {names}", names=listed(self.known))
        return say(
            "there is no locale pack for {tag}; {guess} (a pack of your own goes under locales: in quilate.yml)",
            tag=repr(tag), guess=guess,
        )  # fmt: skip

    def _document(self, name: str, chain: tuple[str, ...]) -> Document | None:
        """The repository's pack before the package's; one that inherits from its own name means the package's."""
        if name in self.own and name not in chain:
            return self.own[name]
        path = SHIPPED / f"{name}.yaml"
        return read_document(path) if path.is_file() else None

    def _merged(self, name: str, chain: tuple[str, ...]) -> dict[str, Any]:
        document = self._document(name, chain)
        assert document is not None
        value: dict[str, Any] = document.value
        parent = value.get("inherits")
        if parent is None:
            return value
        step = f"{document.file}:{name}"
        if step in chain or len(chain) > 8:
            raise InputError([document.problem(("inherits",), "a pack that inherits from itself", "break the circle")])
        if self._document(parent, (*chain, step, name)) is None:
            raise InputError([document.problem(("inherits",), f'text "{parent}"', self.unknown(parent))])
        return merge(self._merged(parent, (*chain, step, name)), value)


def merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """`over` on `base`: lists extended (an entry of the same name replaced), objects merged, the rest replaced."""
    merged = dict(base)
    for key, value in over.items():
        before = merged.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            merged[key] = merge(before, value)
        elif isinstance(value, list) and isinstance(before, list):
            named = {_name(item) for item in value}
            merged[key] = [*(item for item in before if _name(item) not in named), *value]
        else:
            merged[key] = value
    return merged


def _name(item: Any) -> str:
    if isinstance(item, dict):
        return str(item.get("name") or item.get("phrase")).casefold()
    return str(item).casefold()


def load_packs(paths: Sequence[str] = (), base_dir: Path = Path()) -> Packs:
    """The package's packs and those at `paths` (relative to `base_dir`). Raises `InputError` with every problem."""
    problems: list[Problem] = []
    own: dict[str, Document] = {}
    for path in paths:
        try:
            document = read_document(base_dir / path, file=path)
        except InputError as error:
            problems += error.problems
            continue
        found = check_pack(document)
        problems += found
        if found:
            continue
        tag = document.value["locale"]
        if tag in own:
            problems.append(
                document.problem(("locale",), f'text "{tag}", as in {own[tag].file}', "keep one of the two")
            )
        own[tag] = document
    if problems:
        raise InputError(problems)
    packs = Packs(own)
    for tag in own:
        packs.get(tag)
    return packs


def check_pack(document: Document) -> list[Problem]:
    """Every problem of one pack file by itself; what it inherits is looked at when it is resolved."""
    if not isinstance(document.value, dict):
        return [document.problem((), "no object", "write the keys of a locale pack: locale, source, currency …")]
    try:
        pack = LocalePack.model_validate_json(canonical_json(document.value))
    except ValidationError as error:
        return problems_of(error, document, LocalePack, written=document.value, extra_keys=("register",))
    problems = _cldr_problems(pack, document)
    for group in ("documents", "institutions", "norms"):
        for index, marker in enumerate(getattr(pack, group)):
            if marker.number and not _has_module(f"stdnum.{marker.number}"):
                mend = "write a python-stdnum module such as br.cpf, or leave it out"
                problems.append(document.problem((group, index, "number"), f'text "{marker.number}"', mend))
    return problems


def _has_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _cldr_problems(pack: LocalePack, document: Document) -> list[Problem]:
    from babel import Locale as CldrLocale
    from babel import UnknownLocaleError
    from babel.numbers import list_currencies

    problems = []
    try:
        CldrLocale.parse(pack.cldr_name)
    except (UnknownLocaleError, ValueError):
        key = "cldr" if pack.cldr else "locale"
        mend = "write a locale CLDR knows, or name the closest one under cldr:"
        problems.append(document.problem((key,), f'text "{pack.cldr or pack.locale}"', mend))
    if pack.currency and pack.currency.code not in list_currencies():
        problems.append(
            document.problem(("currency", "code"), f'text "{pack.currency.code}"', "write an ISO 4217 code such as BRL")
        )
    return problems
