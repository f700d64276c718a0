"""What every file that people write is made of: strict models, and rules over several keys of one object."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from quilate.errors import nearest
from quilate.shown import Path

Text = Annotated[str, Field(min_length=1)]

Broken = Iterator[PydanticCustomError]
"""The refusals (`problems.refusal`) of the rules that do not hold."""


class FileModel(BaseModel):
    """Base of everything people write in a file: strict types, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class RuledModel(FileModel):
    """A model whose keys depend on one another."""

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """The rules that `given` breaks: the keys that were given, null aside, each with its value.

        A value may be of any type. Where it is wrong by itself that is told elsewhere, and the key counts as given:
        so all that is wrong with an object is told in one go, not first its values and then its rules.
        """
        raise NotImplementedError

    @model_validator(mode="after")
    def _rules_hold(self) -> typing.Self:
        given = {name: value for name in self.model_fields_set if (value := getattr(self, name)) is not None}
        for refused in self.broken(given):
            raise refused
        return self


def broken_rules(annotation: Any, written: Any, at: Path = ()) -> Iterator[tuple[Path, PydanticCustomError]]:
    """Every broken rule of a value as a person wrote it, with the place of the object whose rule it is.

    `annotation` is a model, or a field's type: only the parts of a union that have the value's shape are looked at.
    A misspelt key counts as the one it was meant to be, since its own problem says so.
    """
    if isinstance(annotation, type) and issubclass(annotation, BaseModel) and typing.get_origin(annotation) is None:
        if isinstance(written, dict):
            yield from _of_object(annotation, written, at)
        return
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        for index, item in enumerate(written if isinstance(written, list) else ()):
            yield from broken_rules(inner[0], item, (*at, index))
    elif origin is dict:
        for key, item in written.items() if isinstance(written, dict) else ():
            yield from broken_rules(inner[1], item, (*at, key))
    else:
        for part in inner:
            yield from broken_rules(part, written, at)


def _of_object(model: type[BaseModel], written: dict[str, Any], at: Path) -> Iterator[tuple[Path, PydanticCustomError]]:
    fields = model.model_fields
    if issubclass(model, RuledModel):
        given = {
            key if key in fields else nearest(key, fields) or key: value
            for key, value in written.items()
            if value is not None
        }
        yield from ((at, refused) for refused in model.broken(given))
    for name, field in fields.items():
        if name in written:
            yield from broken_rules(field.annotation, written[name], (*at, name))
