"""What code says of a reply is said in the report's language; what people and models said stays as it is."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import a_grade_line

from quilate.agents.agent import Fault, FaultKind, Reply, ToolCall, Usage
from quilate.agents.command import result_in
from quilate.agents.decoding import BadReplyError
from quilate.agents.results import crash, parse_result
from quilate.checks.code import CodeChecks
from quilate.checks.locale.load import load_packs
from quilate.checks.locale_checks import LocaleChecks
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, Evidence, Grade
from quilate.grading import grade_trial
from quilate.judge.grader import NoJudge
from quilate.report.messages import LANGUAGES, Translator
from quilate.report.retold import criterion_in, retold
from quilate.runs.lines import decode_as, encode
from quilate.runs.record import GradeLine
from quilate.saying import again, kept, listed, one_line, say

GRADERS = (CodeChecks(), LocaleChecks(load_packs(), judged=False), NoJudge())
OTHERS = ("es", "pt-BR")


def golden(**fields: object) -> GoldenCase:
    """A golden case as a file has it; nothing but `fields` is expected."""
    return GoldenCase.model_validate_json(json.dumps({"id": "uno", "category": "pedidos", "input": "¿Qué?", **fields}))


def graded(case: GoldenCase, reply: Reply) -> tuple[CriterionGrade, ...]:
    return asyncio.run(grade_trial(case, reply, GRADERS)).criteria


def criterion(case: GoldenCase, reply: Reply, name: str) -> CriterionGrade:
    return next(each for each in graded(case, reply) if each.id == name)


def called(name: str, **args: object) -> Reply:
    return Reply(output="listo", tool_calls=(ToolCall(name=name, args=args),))


ORDER = golden(expected_tool="get_order", expected_tool_args={"order": "47821"})

SAID = [
    (
        ORDER, called("get_order", order=47821), "expected_tool",
        'get_order.order: expected "47821" (text), found 47821 (number)',
        'get_order.order: se esperaba "47821" (texto), se encontró 47821 (número)',
        'get_order.order: esperado "47821" (texto), encontrado 47821 (número)',
    ),
    (
        ORDER, called("list_orders"), "expected_tool",
        "get_order was not called; called: list_orders()",
        "no se llamó a get_order; se llamó a: list_orders()",
        "get_order não foi chamada; chamadas: list_orders()",
    ),
    (
        ORDER, Reply(output="listo"), "expected_tool",
        "get_order was not called; no tool was called",
        "no se llamó a get_order; no se llamó a ninguna herramienta",
        "get_order não foi chamada; nenhuma ferramenta foi chamada",
    ),
    (
        golden(forbidden_tools=["refund*"]), called("refund_order", id=7), "forbidden_tools",
        "a forbidden tool was called: refund_order(id: 7)",
        "se llamó a una herramienta prohibida: refund_order(id: 7)",
        "uma ferramenta proibida foi chamada: refund_order(id: 7)",
    ),
    (
        golden(forbidden_phrases=["po"]), Reply(output="listo po"), "forbidden_phrases",
        'forbidden phrase "po"', 'frase prohibida "po"', 'frase proibida "po"',
    ),
    (
        golden(required_phrases=["gracias"]), Reply(output="chao"), "required_phrases",
        'does not say "gracias"', 'no dice "gracias"', 'não diz "gracias"',
    ),
    (
        golden(max_latency_ms=5000), Reply(duration_ms=12345.6), "max_latency_ms",
        "took 12346 ms, expected less than 5000 ms",
        "tardó 12.346 ms, se esperaba menos de 5000 ms",
        "levou 12.346 ms, esperava-se menos de 5.000 ms",
    ),
    (
        golden(max_metrics={"cost": 0.25}), Reply(metrics={"cost": 1.5}), "max_metrics.cost",
        "cost is 1.5, expected at most 0.25",
        "cost es 1,5, se esperaba como máximo 0,25",
        "cost é 1,5, esperava-se no máximo 0,25",
    ),
    (
        golden(expected_output={"exact": "uno dos"}), Reply(output="uno"), "expected_output",
        'from character 4 on expected " dos", found the end',
        'desde el carácter 4 se esperaba " dos", se encontró el final',
        'a partir do caractere 4 esperava-se " dos", encontrou-se o fim',
    ),
    (
        golden(must_not_leak=["personal_data"]), Reply(output="escriba a ana@example.com"), "must_not_leak",
        "leaks an e-mail address ana@… (15 characters) in the output",
        "filtra una dirección de correo electrónico ana@… (15 caracteres) en la salida",
        "vaza um endereço de e-mail ana@… (15 caracteres) na saída",
    ),
    (
        ORDER, Reply(fault=Fault.of(FaultKind.AGENT, say("no reply within {seconds} s", seconds=30.0))), "answered",
        "the agent crashed: no reply within 30 s",
        "el agente se cayó: sin respuesta en 30 s",
        "o agente caiu: sem resposta em 30 s",
    ),
    (
        golden(expects="clarification"), Reply(output="El plazo de devolución es de diez días."), "ambiguity",
        "answers without asking what is meant",
        "responde sin preguntar a qué se refiere el pedido",
        "responde sem perguntar o que o pedido quer dizer",
    ),
    (
        golden(language="es"), Reply(output="Your order left the warehouse this morning."), "language",
        "the reply is in en, not in es (93% sure)",
        "la respuesta está en inglés, no en español (93 % de certeza)",
        "a resposta está em inglês, não em espanhol (93% de certeza)",
    ),
    (
        golden(locale="pt-BR", signal="currency"), Reply(output="Custa US$ 6."), "locale.currency",
        "another locale's currency or format: “US$ 6” (another locale's currency)",
        "la moneda o el formato de otra región: «US$ 6» (la moneda de otra región)",
        "a moeda ou o formato de outra região: “US$ 6” (a moeda de outra região)",
    ),
    (
        golden(grounded=True), Reply(output="Sí."), "grounded",
        "no judge is configured", "no hay ningún juez configurado", "nenhum juiz está configurado",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "reply", "name", "english", "spanish", "portuguese"), SAID)
def test_a_reason_in_three_languages(case, reply, name, english, spanish, portuguese):
    found = criterion(case, reply, name)
    said = {language: criterion_in(found, Translator(language)).reason for language in LANGUAGES}
    assert said == {"en": english, "es": spanish, "pt-BR": portuguese}


ENGLISH = re.compile(
    r"\b(?:a|an|and|any|asks|at|beside|but|by|called|does|expected|found|from|in|is|it|less|most|nothing|not|of|or"
    r"|characters|reply|says|than|the|took|was|were|with|within|without)\b",
    re.IGNORECASE,
)
"""Words that no sentence in Spanish or Portuguese holds; `a` is one of theirs, and is taken out below."""

MANY = {
    "calls": golden(
        expected_tools={
            "order": "exact",
            "calls": [
                {"any_of": ["ver", "leer"], "args": {"n": {"approx": 5, "tol": 1}, "x": {"any_of": [1, "dos"]}}},
                {"name": "cerrar", "args": {"y": {"contains": "z"}, "w": {"regex": "q+"}, "v": {"absent": True}}},
                {"name": "fin", "times": {"min": 2, "max": 3}, "args": {"u": {"unordered": [1, 2]}, "t": [1]}},
            ],
        }
    ),
    "metrics": golden(max_metrics={"input_tokens": 10, "ttft_ms": 5}),
    "leaks": golden(must_not_leak=["personal_data", "secrets", "código secreto"]),
    "ambiguous": golden(expects="clarification"),
    "clear": golden(expects="direct_answer"),
    "translation": golden(input="Traduce esto al inglés, por favor", locale="es-CL"),
    "date": golden(input="¿Qué día es el 5 de abril?", locale="pt-BR", signal="date"),
    "units": golden(locale="pt-BR", signal="metric_units"),
    "social": golden(locale="pt-BR", signal="social_norms"),
    "idioms": golden(locale="pt-BR", signal="idioms"),
    "register": golden(locale="es-CL", dimension="register"),
    "no pack": golden(locale="xx-YY", signal="date"),
    "no locale": golden(signal="date"),
    "undated": golden(time_sensitive={}),
    "reference": golden(expected_output="La respuesta."),
}
REPLIES = {
    "nada": Reply(),
    "herramientas": Reply(tool_calls=(ToolCall(name="ver", args={"n": 9, "x": []}), ToolCall(name="fin", args="[1]"))),
    "muchas": Reply(tool_calls=tuple(ToolCall(name="fin", args={"t": [1, 2], "u": [2, 1]}) for _ in range(9))),
    "fechas": Reply(output="Quedó para 2026-04-05, April 5, cinco de abril y 04/05/2026 a las 5 pm."),
    "medidas": Reply(output="Son 3 millas, 27 graus, 1,732.5 km y 2 xícaras, a 20 minutos."),
    "dinero": Reply(output="Cuesta R$ 1,234.56, 6 R$ o US$ 3."),
    "datos": Reply(
        output="Su RUT es 11.111.111-1, el código secreto y AKIAIOSFODNN7EXAMPLE.",
        tool_calls=(ToolCall(name="enviar", args={"a": "ana@example.com"}),),
        usage=Usage(input_tokens=12345, output_tokens=1),
        duration_ms=6000.5,
    ),
    "pregunta": Reply(output="¿Qué pedido quiere revisar? ¿El de ayer o el de hoy?"),
    "negativa": Reply(output="Lo siento, no puedo ayudar con eso."),
    "documentos": Reply(output="Lleve su CPF y el NIF al SUS, po, cachái."),
    "larga": Reply(output="No se puede saber sin más datos, pero el precio es de diez pesos. " * 12),
}


def english_in(criterion: CriterionGrade, translator: Translator) -> list[str]:
    """What code wrote and is still English, with the words that tell."""
    words = criterion_in(criterion, translator)
    texts = {name: getattr(words, name) for name in criterion.said}
    texts |= {f"{name} {at}": getattr(each, name) for at, each in enumerate(words.evidence) for name in each.said}
    return [f"{criterion.id} {name}: {text}" for name, text in texts.items() if ENGLISH.search(_ours(text))]


def _ours(text: str) -> str:
    """Without quotations, and without the words that Spanish and Portuguese share with the list."""
    return re.sub(
        r"“[^”]*”|«[^»]*»|\"[^\"]*\"|\ba\b|\be-mail\b|/[^/]*/|\b(?:es|en|pt)\b|'[^']*'|April \d",
        "",
        text,
        flags=re.IGNORECASE,
    )


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("case", MANY.values(), ids=MANY.keys())
def test_nothing_that_code_says_stays_english(case, language):
    translator = Translator(language)
    left = [text for reply in REPLIES.values() for each in graded(case, reply) for text in english_in(each, translator)]
    assert left == []


@pytest.mark.parametrize("case", MANY.values(), ids=MANY.keys())
def test_every_reason_of_code_keeps_its_parts(case):
    without = [
        (each.id, each.reason)
        for reply in REPLIES.values()
        for each in graded(case, reply)
        if "reason" not in each.said
    ]
    assert without == []


def test_words_of_people_and_models_are_not_translated():
    behaviour = "the agent answered"  # a person's words, though they are a message of ours
    case = golden(expected_behavior=[behaviour])
    found = criterion(case, Reply(output="Sí."), "expected_behavior[0]")
    assert criterion_in(found, Translator("es")).text == behaviour
    judged = CriterionGrade.of(id="x", grade=Grade.FAIL, reason="the agent answered", text=behaviour)
    assert criterion_in(judged, Translator("es")).reason == "the agent answered"


def test_a_run_file_keeps_the_parts_beside_the_english():
    case = ORDER
    made = graded(case, called("list_orders"))
    line = a_grade_line(case, Grade.FAIL).model_copy(update={"criteria": made})
    data = encode(line)
    again_read = decode_as(GradeLine, data, "run.jsonl", 1)
    assert again_read.criteria == made
    assert criterion_in(again_read.criteria[1], Translator("es")).reason.startswith("no se llamó a get_order")


def test_a_criterion_without_parts_is_shown_as_it_stands():
    old = CriterionGrade(id="expected_tool", grade=Grade.FAIL, reason="get_order was not called; no tool was called")
    assert criterion_in(old, Translator("es")) == old


FORGED = [
    {"say": "no such message"},
    {"say": "took {time}"},  # a value is missing
    {"say": "took {time}", "time": "another time"},  # says something else than the text
    {"say": ["took {time}"]},
    {"say": "took {time}", "time": {"say": "{time.__class__}", "time": 1}},
    {"say": "took {time}", "time": True},
    ["took ", "5 ms"],
    [", "],
    [],
    "took 5 ms",
    5,
    None,
    {"say": "took {time}", "time": 10**5000},
]


@pytest.mark.parametrize("parts", FORGED)
def test_parts_that_do_not_make_the_text_are_not_believed(parts):
    assert retold("took 5 milliseconds", parts, Translator("es")) == "took 5 milliseconds"


def test_parts_without_end_are_not_followed():
    parts: object = "x"
    for _ in range(200):
        parts = {"say": "took {time}", "time": parts}
    assert retold("took x", parts, Translator("es")) == "took x"
    wide: object = "x" * 4000
    for _ in range(20):
        wide = [", ", wide, wide, wide]
    assert retold("took x", wide, Translator("es")) == "took x"


@given(st.text(max_size=60))
def test_a_value_is_never_read_as_a_template(value):
    said = say("{took}, expected {expected}", took=value, expected="{x}")
    assert retold(str(said), said.data, Translator("es")) == f"{value}, se esperaba {{x}}"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["say", "a", "time"]), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(st.text(max_size=20), json_values)
def test_any_parts_give_some_text(text, parts):
    assert isinstance(retold(text, parts, Translator("pt-BR")), str)


def test_a_cut_sentence_is_cut_in_every_language():
    said = say("leaks {leaks}", leaks="x" * 900)
    cut = one_line(said, 600)
    shown = retold(str(cut), kept(reason=cut)["reason"], Translator("es"))
    assert shown.startswith("filtra xxx")
    assert len(shown) == 600


def test_a_sentence_too_long_to_keep_is_kept_in_english_alone():
    assert kept(reason=one_line(say("leaks {leaks}", leaks="x" * 9000), 600)) == {}


def test_a_stored_sentence_stands_whole_within_another():
    inner = say("no tool was called")
    outer = say("the agent crashed: {why}", why=again(str(inner), kept(why=inner)["why"]))
    assert retold(str(outer), outer.data, Translator("pt-BR")) == "o agente caiu: nenhuma ferramenta foi chamada"


def test_separators_with_a_word_are_messages():
    said = listed(["ver", "leer"], by=" or ")
    assert retold(str(said), said.data, Translator("es")) == "ver o leer"


def test_a_note_is_said_in_the_language():
    evidence = Evidence.of("hoy", say("not found in the reply"))
    found = CriterionGrade.of(id="x", grade=Grade.FAIL, reason="porque no", evidence=(evidence,))
    assert criterion_in(found, Translator("es")).evidence[0].note == "no se encontró en la respuesta"


@pytest.mark.parametrize(
    ("value", "spanish", "portuguese"),
    [(1234, "1234", "1.234"), (12345.5, "12.345,5", "12.345,5"), (-0.25, "-0,25", "-0,25"), (1e30, "1e+30", "1e+30")],
)
def test_numbers_have_the_signs_of_the_language(value, spanish, portuguese):
    assert (Translator("es").figure(value), Translator("pt-BR").figure(value)) == (spanish, portuguese)


NO_REPLIES = [
    b"", b"nada", b"\xff", b'{"output": NaN}', b'{"output": 1e999}', b'{"n": 1' + b"0" * 400 + b"}", b'"\\ud800"',
    b"[]", b"{}", b"[" * 200 + b"]" * 200, b'{"output": 5}', b'{"output": "", "tool_calls": 1}',
    b'{"output": "", "tool_calls": [1]}',
    b'{"output": "", "tool_calls": [{"name": ""}]}', b'{"output": "", "fragments": [true]}', b'{"toolCalls": []}',
    b'{"output": "", "metrics": []}', b'{"output": "", "metrics": {"a": null, "b": "c"}}',
    b'{"output": "", "usage": 1}',
    b'{"output": "", "cost_usd": -1}', b'{"output": "", "duration_ms": -1}', b'{"error": 5}', b'{"error": {}}',
    b'{"error": {"kind": "other"}}', b'{"case_id": "dos", "output": ""}',
]  # fmt: skip


def fault_of(raw: bytes) -> Fault:
    try:
        reply = parse_result(result_in(raw), case_id="uno")
    except BadReplyError as error:
        return crash(error.why).fault
    assert reply.fault is not None
    return reply.fault


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("raw", NO_REPLIES)
def test_why_there_is_no_reply_is_not_told_in_english(raw, language):
    found = graded(golden(), Reply(fault=fault_of(raw)))
    assert english_in(found[0], Translator(language)) == []


def test_what_the_agent_itself_says_of_its_failure_is_not_translated():
    fault = fault_of(b'{"error": "no reply within 30 s"}')
    found = graded(golden(), Reply(fault=fault))
    assert criterion_in(found[0], Translator("es")).reason == "el agente se cayó: no reply within 30 s"


def test_a_masked_quotation_is_told_in_the_language():
    found = criterion(golden(must_not_leak=["personal_data"]), Reply(output="es ana@example.com"), "must_not_leak")
    assert criterion_in(found, Translator("es")).evidence[0].quote == "ana@… (15 caracteres)"
