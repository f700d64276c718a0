"""Locale packs: shipped ones hold together, the repository's own need no code, mistakes are named."""

import asyncio
from pathlib import Path

import pytest

from quilate.agents.agent import Reply
from quilate.checks.locale.load import SHIPPED, Packs, load_packs, merge
from quilate.checks.locale_checks import build_locale_checks
from quilate.config import Config
from quilate.errors import InputError
from quilate.goldens.case import GoldenCase, Signal

URUGUAY = """\
locale: es-UY
inherits: es-419
source: written for this test, from public names of Uruguayan institutions
currency: {code: UYU, words: [peso, pesos], symbols: ["$U"], qualifiers: [uruguayo, uruguayos], units_of_account: [UR]}
documents:
  - {name: cédula de identidad}
  - {name: RUT, number: uy.rut}
institutions: [{name: BPS}, {name: DGI}]
idioms: [{phrase: hacer la cola, meaning: to queue}]
regions: [Montevideo, Salto]
register: {marked: [bo, gurí]}
conflicts: {documents: [DNI]}
"""
CONFIG = '{"suite": "s", "goldens": ["g.yaml"], "agent": {"replay": "r.jsonl"}, "locales": ["./es-UY.yaml"]}'


def test_every_locale_of_the_guide_and_its_neighbours_ships(packs: Packs) -> None:
    assert set(packs.known) == {
        "pt-BR", "es-CL", "es-MX", "es-AR", "es-CO", "es-PE", "es-419", "es-ES", "pt-PT", "en-US",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.stem for path in SHIPPED.glob("[!_]*.yaml")))
def test_a_shipped_pack_is_valid_and_says_its_source(packs: Packs, name: str) -> None:
    locale = packs.get(name)
    assert locale is not None
    assert locale.pack.locale == name
    assert len(locale.pack.source) > 40
    assert locale.forms.decimal in ".,"
    load_packs([f"{name}.yaml"], SHIPPED)


@pytest.mark.parametrize("name", ["es-CL", "es-MX", "es-AR", "es-CO", "es-PE"])
def test_what_is_common_is_inherited(packs: Packs, name: str) -> None:
    locale, common = packs.get(name), packs.get("es-419")
    assert locale is not None
    assert common is not None
    assert locale.pack.inherits == "es-419"
    assert set(common.pack.register_words.slang_anglicisms) <= set(locale.pack.register_words.slang_anglicisms)
    assert set(common.pack.regions) < set(locale.pack.regions)


def test_no_pack_calls_its_own_document_another_locales(packs: Packs) -> None:
    for name in packs.known:
        locale = packs.get(name)
        assert locale is not None
        own = {one.casefold() for marker in locale.pack.markers for one in marker.names}
        curated = [one for one in locale.pack.conflicts.documents if one.casefold() in own]
        assert not curated or locale.pack.inherits, (name, curated)


def test_a_tag_is_found_whatever_its_case(packs: Packs) -> None:
    assert packs.get("pt_br") is packs.get("pt-BR")
    assert packs.get("xx-XX") is None
    assert "did you mean pt-BR" in packs.unknown("pt-RB")


def grade(tmp_path: Path, signal: Signal, output: str) -> str:
    (tmp_path / "es-UY.yaml").write_text(URUGUAY, encoding="utf-8")
    checks = build_locale_checks(Config.model_validate_json(CONFIG), tmp_path)
    case = GoldenCase(id="c", category="x", input="¿Cuánto sale?", signal=signal, locale="es-UY")
    criteria = asyncio.run(checks.grade(case, Reply(output=output), 0))
    return next(one.grade.value for one in criteria if one.id == f"locale.{signal.value}")


@pytest.mark.parametrize(
    ("signal", "output", "expected"),
    [
        (Signal.CURRENCY, "El boleto sale $U 1.250,50.", "pass"),
        (Signal.CURRENCY, "Sale 60 pesos uruguayos.", "pass"),
        (Signal.CURRENCY, "El alquiler son 12 UR.", "pass"),
        (Signal.CURRENCY, "Sale 60 pesos argentinos.", "fail"),
        (Signal.DATE, "Vence el 5/4/2026.", "pass"),
        (Signal.METRIC_UNITS, "Son 30 km.", "pass"),
        (Signal.SOCIAL_NORMS, "Llevá la cédula de identidad al BPS.", "pass"),
        (Signal.SOCIAL_NORMS, "Llevá el comprobante de domicilio.", "partial"),
        (Signal.SOCIAL_NORMS, "Llevá el DNI.", "fail"),
    ],
)
def test_a_pack_of_the_repositorys_own_works_without_code(
    tmp_path: Path, signal: Signal, output: str, expected: str
) -> None:
    assert grade(tmp_path, signal, output) == expected


def problems(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_packs(["p.yaml"], tmp_path)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("locale: es-UY\nsource: s\ncurency: {}\n", "did you mean currency?"),
        ("locale: es-UY\n", "source"),
        ("locale: uruguay!\nsource: s\n", "p.yaml:1: locale"),
        ("locale: xq-XQ\nsource: s\n", "write a locale CLDR knows"),
        ("locale: es-UY\nsource: s\ncurrency: {code: XQX, words: [peso]}\n", "write an ISO 4217 code"),
        ("locale: es-UY\nsource: s\ndocuments: [{name: RUT, number: uy.nada}]\n", "write a python-stdnum module"),
        ("locale: es-UY\nsource: s\ndocuments: [{name: RUT, number: zz.nada}]\n", "write a python-stdnum module"),
        ("locale: es-UY\nsource: s\ninherits: es-999\n", "there is no locale pack for 'es-999'"),
        ("locale: es-UY\nsource: s\ninherits: es-UY\n", "there is no locale pack for 'es-UY'"),
        ("- a\n", "write the keys of a locale pack"),
    ],
)
def test_a_mistake_in_a_pack_is_named_with_its_mend(tmp_path: Path, text: str, told: str) -> None:
    assert told in "\n".join(problems(tmp_path, text))


def test_packs_that_inherit_from_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("locale: es-UY\nsource: s\ninherits: es-PY\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text("locale: es-PY\nsource: s\ninherits: es-UY\n", encoding="utf-8")
    with pytest.raises(InputError):
        load_packs(["a.yaml", "b.yaml"], tmp_path)


def test_every_bad_pack_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("locale: es-UY\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_packs(["a.yaml", "missing.yaml"], tmp_path)
    assert {problem.file for problem in caught.value.problems} == {"a.yaml", "missing.yaml"}


def test_a_repositorys_pack_may_extend_a_shipped_one_of_the_same_name(tmp_path: Path) -> None:
    text = "locale: es-CL\nsource: s\ninherits: es-CL\nregister: {marked: [brígido]}\n"
    (tmp_path / "es-CL.yaml").write_text(text, encoding="utf-8")
    locale = load_packs(["es-CL.yaml"], tmp_path).get("es-CL")
    assert locale is not None
    assert {"brígido", "po", "cringe"} <= {
        *locale.pack.register_words.marked, *locale.pack.register_words.slang_anglicisms,
    }  # fmt: skip


def test_merging_extends_lists_and_replaces_what_has_the_same_name() -> None:
    base = {"documents": [{"name": "RUT", "strength": "usual"}], "units": {"system": "metric"}, "source": "a"}
    over = {"documents": [{"name": "rut", "strength": "strong"}, {"name": "RUN"}], "source": "b"}
    assert merge(base, over) == {
        "documents": [{"name": "rut", "strength": "strong"}, {"name": "RUN"}],
        "units": {"system": "metric"}, "source": "b",
    }  # fmt: skip


def test_a_fingerprint_changes_with_what_the_pack_says(tmp_path: Path, packs: Packs) -> None:
    text = "locale: es-CL\nsource: s\ninherits: es-CL\nregions: [Quilpué]\n"
    (tmp_path / "es-CL.yaml").write_text(text, encoding="utf-8")
    own, shipped = load_packs(["es-CL.yaml"], tmp_path).get("es-CL"), load_packs().get("es-CL")
    before = packs.get("es-CL")
    assert own is not None
    assert shipped is not None
    assert before is not None
    assert shipped.fingerprint == before.fingerprint
    assert own.fingerprint != shipped.fingerprint
