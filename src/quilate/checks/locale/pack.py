"""What a locale pack says. Forms that CLDR knows are derived from it and written only where usage is wider."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quilate.file_model import FileModel, Text

LocaleTag = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$")]


class CurrencyForms(FileModel):
    """The local currency. Its symbol, the symbol's place and the minor units come from CLDR."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    words: Annotated[tuple[Text, ...], Field(min_length=1)]
    """What people write after the number, its parts and everyday names too: `reais`, `centavos`, `lucas`."""
    symbols: tuple[Text, ...] = ()
    """Further symbols in use, beside CLDR's and the ISO code."""
    qualifiers: tuple[Text, ...] = ()
    """Adjectives that keep the word local (`chilenos`); another country's makes it foreign."""
    units_of_account: tuple[Text, ...] = ()
    """Local units that prices are stated in (`UF`)."""


class NumberForms(FileModel):
    """Separators in use; what is absent is CLDR's."""

    decimal: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    groups: tuple[Annotated[str, Field(min_length=1, max_length=1)], ...] = ()
    """Further group separators in use, beside CLDR's."""


class DateForms(FileModel):
    """Dates and times in use; what is absent is CLDR's."""

    order: Literal["dmy", "mdy", "ymd"] | None = None
    separators: tuple[Annotated[str, Field(min_length=1, max_length=1)], ...] = ()
    clock: Literal["24", "either"] | None = None
    """`24`: an AM or PM is another locale's."""


class Units(FileModel):
    """Which measures are expected."""

    system: Literal["metric", "us"] = "metric"


class Marker(FileModel):
    """A local document, institution or norm by its names."""

    name: Text
    also: tuple[Text, ...] = ()
    strength: Literal["strong", "usual"] = "strong"
    """`strong`: by itself it shows the locale (CPF); `usual`: expected there, and elsewhere too."""
    number: Annotated[str, Field(pattern=r"^[a-z]{2}\.[a-z_]+$")] | None = None
    """The python-stdnum module whose check digits such a number has (`br.cpf`)."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it goes by."""
        return (self.name, *self.also)


class Idiom(FileModel):
    """An expression, what it means locally, and its tone."""

    phrase: Text
    meaning: Text
    also: tuple[Text, ...] = ()
    """Inflected forms that are the same expression."""


class Register(FileModel):
    """Words that mark a register an agent is not to use."""

    marked: tuple[Text, ...] = ()
    """Marked local colloquialisms (for es-CL: chilenisms)."""
    slang_anglicisms: tuple[Text, ...] = ()


class Conflicts(FileModel):
    """What belongs to another locale; what the locale itself has is never a conflict."""

    documents: tuple[Text, ...] = ()


class LocalePack(FileModel):
    """One locale, with what it inherits already in it."""

    locale: LocaleTag
    inherits: LocaleTag | None = None
    cldr: LocaleTag | None = None
    """The CLDR locale, where it is not `locale` itself."""
    source: Text
    """Where the curated parts come from, and who checked them."""
    currency: CurrencyForms | None = None
    numbers: NumberForms = NumberForms()
    dates: DateForms = DateForms()
    units: Units = Units()
    documents: tuple[Marker, ...] = ()
    institutions: tuple[Marker, ...] = ()
    norms: tuple[Marker, ...] = ()
    idioms: tuple[Idiom, ...] = ()
    regions: tuple[Text, ...] = ()
    register_words: Annotated[Register, Field(alias="register")] = Register()
    conflicts: Conflicts = Conflicts()

    model_config = {**FileModel.model_config, "validate_by_name": True, "validate_by_alias": True}

    @property
    def cldr_name(self) -> str:
        """The CLDR locale as Babel spells it."""
        return (self.cldr or self.locale).replace("-", "_")

    @property
    def language(self) -> str:
        """The language's ISO 639 code."""
        return self.locale.split("-")[0]

    @property
    def markers(self) -> tuple[Marker, ...]:
        """Documents, institutions and norms."""
        return self.documents + self.institutions + self.norms
