"""Documents and institutions by the pack's names and check digits; register words."""

import pytest

from quilate.checks.locale.load import Packs
from quilate.checks.locale.markers import find_names, grade_register, idioms_in
from quilate.checks.locale.signals import read_signal, signal_context
from quilate.goldens.case import Signal

SOCIAL = [
    ("pt-BR", "Leve RG, CPF e comprovante de residência.", "pass"),
    ("pt-BR", "Leve um documento com foto e um comprovante de endereço.", "partial"),
    ("pt-BR", "Leve o CPF e o NIF.", "partial"),
    ("pt-BR", "Leve o passaporte e o Social Security Number.", "fail"),
    ("pt-BR", "Depende do banco.", "fail"),
    ("pt-BR", "", "fail"),
    ("pt-PT", "Leve o Cartão de Cidadão e o NIF.", "pass"),
    ("pt-PT", "Leve o RG e o CPF.", "fail"),
    ("es-CL", "Necesitas tu RUT y tu cédula de identidad.", "pass"),
    ("es-CL", "Necesitas tu rut y la clave.", "pass"),
    ("es-CL", "Emite una boleta de honorarios en el SII.", "pass"),
    ("es-CL", "El RUT se escribe 12.345.678-5.", "pass"),
    ("es-CL", "Lleva un comprobante de domicilio.", "partial"),
    ("es-CL", "Lleva tu DNI y tu CUIT.", "fail"),
    ("es-AR", "Llevá tu DNI y la constancia de CUIT.", "pass"),
    ("es-AR", "Lleva tu RUT.", "fail"),
    ("es-MX", "Necesitas tu INE y tu CURP.", "pass"),
    ("es-CO", "Necesitas la cédula de ciudadanía.", "pass"),
    ("es-PE", "Necesitas tu DNI; la SUNAT te da el RUC.", "pass"),
    ("es-ES", "Necesitas el DNI o el NIE.", "pass"),
    ("pt-BR", "Leve RG e CPF, e organize as suas finanças.", "pass"),
    ("pt-PT", "Organize as suas finanças.", "fail"),
    ("es-CO", "Lleva tu cédula de ciudadanía y el certificado de tu AFP.", "pass"),
    ("es-AR", "Llevá tu DNI; lo regula la RG 4815.", "pass"),
    ("es-CL", "Lleva tu cédula de identidad; el INE publica las cifras.", "pass"),
]


@pytest.mark.parametrize(("locale", "output", "expected"), SOCIAL)
def test_social_norms(packs: Packs, locale: str, output: str, expected: str) -> None:
    found = packs.get(locale)
    assert found is not None
    criterion = read_signal(Signal.SOCIAL_NORMS, output, "", found)
    assert criterion is not None
    assert criterion.grade.value == expected, criterion.reason


@pytest.mark.parametrize(("number", "expected"), [("12.345.678-5", "pass"), ("12.345.678-4", "fail")])
def test_an_identity_number_counts_by_its_check_digit(packs: Packs, number: str, expected: str) -> None:
    chile = packs.get("es-CL")
    assert chile is not None
    criterion = read_signal(Signal.SOCIAL_NORMS, f"Por ejemplo {number}.", "", chile)
    assert criterion is not None
    assert criterion.grade.value == expected


@pytest.mark.parametrize(
    ("locale", "output"),
    [
        ("es-CL", "Lucas, puede pagar con la máquina POS."),
        ("es-CL", "Tenemos el top negro, full equipo y la zapatilla Boss."),
        ("es-CO", "El guayabo crece en climas cálidos."),
        ("es-MX", "La pintora Remedios Varo vivió en México."),
        ("es-PE", "Buenos días, Lucas."),
    ],
)
def test_names_and_everyday_words_mark_no_register(packs: Packs, locale: str, output: str) -> None:
    found = packs.get(locale)
    assert found is not None
    finding = grade_register(output, found)
    assert finding is not None
    assert finding.grade.value == "pass", finding.reason


def test_an_abbreviation_is_looked_for_as_written() -> None:
    assert find_names("sus documentos", ["SUS"]) == []
    assert find_names("o SUS atende", ["SUS"]) == [(2, 5, "SUS")]


def test_names_are_found_without_accents_and_in_decomposed_text() -> None:
    output = "comprovante de reside\u0302ncia"
    ((start, end, _),) = find_names(output, ["comprovante de residência"])
    assert output[start:end] == output


REGISTER = [
    ("Sí, tenemos zapatos en oferta desde $ 12.990.", "pass"),
    ("Sí po, tenemos zapatos para tu pololo.", "fail"),
    ("¿Cachái? Están en oferta.", "fail"),
    ("Los zapatos están full rebajados, bro.", "fail"),
    ("Usted puede pedirlos por el puerto de Pollolo.", "pass"),
    ("", "fail"),
]


@pytest.mark.parametrize(("output", "expected"), REGISTER)
def test_the_chilean_register_of_the_seeds_third_case(packs: Packs, output: str, expected: str) -> None:
    chile = packs.get("es-CL")
    assert chile is not None
    finding = grade_register(output, chile)
    assert finding is not None
    assert finding.grade.value == expected, finding.reason


def test_a_pack_without_register_words_grades_no_register(packs: Packs) -> None:
    brazil = packs.get("pt-BR")
    assert brazil is not None
    assert grade_register("Beleza, mano!", brazil) is None


@pytest.mark.parametrize("signal", [Signal.IDIOMS, Signal.REGIONALISM])
def test_meaning_is_left_to_the_judge_and_an_empty_reply_fails(packs: Packs, signal: Signal) -> None:
    brazil = packs.get("pt-BR")
    assert brazil is not None
    assert read_signal(signal, "Quer dizer ficar tranquilo.", 'O que é "ficar de boa"?', brazil) is None
    empty = read_signal(signal, " ", "", brazil)
    assert empty is not None
    assert empty.grade == "fail"


def test_the_judge_is_told_what_the_idiom_means_and_what_code_saw(packs: Packs) -> None:
    brazil = packs.get("pt-BR")
    assert brazil is not None
    prompt = 'Me explique o que quer dizer "ficar de boa".'
    rubric = signal_context(Signal.IDIOMS, "Fica de boa, é coisa de São Paulo.", prompt, brazil)
    assert rubric.criterion_id == "locale.idioms"
    assert rubric.fails == "misinterprets or flattens the idiom"
    assert any("relaxed" in line for line in rubric.context)
    assert any("São Paulo" in line for line in rubric.context)
    assert idioms_in("Nada disso", brazil) == []
