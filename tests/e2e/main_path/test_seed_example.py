"""The three cases this format grew from, pasted into a file, with a replay of three replies."""

from __future__ import annotations

from pathlib import Path

import pytest

SEED = Path(__file__).parents[2] / "unit/goldens/data/orders-example.json"
ORDER, RETURNS, REGISTER = "consulta-pedido-positivo-001", "fuera-alcance-derivacion-001", "chileno-correcto-001"
REPLIES = [
    {
        "case_id": ORDER,
        "output": "Su pedido 47821 está en reparto y llega el miércoles 24 de junio.",
        "tool_calls": [{"name": "consultarPedido", "args": {"numero": "47821"}}],
        "duration_ms": 900,
    },
    {
        "case_id": RETURNS,
        "output": "Le paso con una persona del equipo, que ya sabe que quiere devolver un pedido recibido.",
        "tool_calls": [],
        "duration_ms": 700,
    },
    {
        "case_id": REGISTER,
        "output": "¡Sí, po! Hay zapatos con descuento para su pareja.",
        "tool_calls": [{"name": "buscarProducto", "args": {"texto": "zapatos"}}],
        "duration_ms": 800,
    },
]


@pytest.fixture
def seeded(suite):
    suite.config()
    suite.write("goldens.json", SEED.read_text("utf-8"))
    suite.replies(REPLIES)
    return suite


def test_the_three_grades(seeded):
    ran = seeded.run()
    assert ran.code == 0, ran.err
    assert ran.grades() == {ORDER: "pass", RETURNS: "pass", REGISTER: "fail"}
    assert ran.headline == "⚪ orders: 2 of 3 approved, not compared"


def test_what_failed_is_the_forbidden_word_and_nothing_like_it(seeded):
    failed = seeded.run().criteria(REGISTER)
    assert [name for name, each in failed.items() if each["grade"] == "fail"] == ["forbidden_phrases"]
    assert "po" in failed["forbidden_phrases"]["reason"]


def test_expected_behavior_is_shown_as_not_judged(seeded):
    ran = seeded.run()
    for case_id, count in ((ORDER, 3), (RETURNS, 3), (REGISTER, 2)):
        judged = [each for each in ran.criteria(case_id).values() if each["grade"] == "not_judged"]
        assert len(judged) == count
    assert "3 of 3 cases graded by code only: no judge is configured." in ran.comment


def test_a_number_where_text_was_expected_fails_and_says_so(seeded):
    called = {"tool_calls": [{"name": "consultarPedido", "args": {"numero": 47821}}]}
    seeded.replies([REPLIES[0] | called, *REPLIES[1:]])
    ran = seeded.run()
    assert ran.grades()[ORDER] == "fail"
    reason = ran.criteria(ORDER)["expected_tool"]["reason"]
    assert '"47821"' in reason
    assert "47821 (number)" in reason


@pytest.mark.parametrize(
    ("calls", "grade"),
    [
        ([{"name": "consultarPedido", "args": {"numero": "4782"}}, REPLIES[0]["tool_calls"][0]], "pass"),
        ([REPLIES[0]["tool_calls"][0], {"name": "agendarRetiro", "args": {}}], "pass"),
        ([], "fail"),
    ],
    ids=["a retried call with a corrected argument", "an extra call after the right one", "no call"],
)
def test_any_call_may_be_the_expected_one(seeded, calls, grade):
    seeded.replies([REPLIES[0] | {"tool_calls": calls}, *REPLIES[1:]])
    assert seeded.run().grades()[ORDER] == grade


def test_a_forbidden_tool_fails_even_after_all_else_is_right(seeded):
    called = {"tool_calls": [{"name": "buscarProducto", "args": {}}, {"name": "agendarRetiro", "args": {}}]}
    seeded.replies([REPLIES[0], REPLIES[1] | called, REPLIES[2]])
    ran = seeded.run()
    assert ran.grades()[RETURNS] == "fail"
    assert "agendarRetiro" in ran.comment or "agendarRetiro" in ran.out


@pytest.mark.parametrize(
    "broken",
    [{"error": "KeyError: 'numero'"}, {"error": {"kind": "agent", "message": "boom"}}],
    ids=["an error in words", "an error with its kind"],
)
def test_a_crash_never_passes(seeded, broken):
    seeded.replies([REPLIES[0], {"case_id": RETURNS, **broken}, REPLIES[2]])
    assert seeded.run().grades()[RETURNS] == "fail"


def test_a_case_without_a_line_has_crashed(seeded):
    seeded.replies([REPLIES[0], REPLIES[2]])
    ran = seeded.run()
    assert ran.grades()[RETURNS] == "fail"
    assert "the replay has no reply for this case" in ran.criteria(RETURNS)["answered"]["reason"]
