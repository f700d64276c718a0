"""Forbidden and required phrases."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.checks.patterns import MatcherError, PatternTimeoutError
from quilate.checks.phrases import Phrase, Sought, compile_phrases, grade_forbidden, grade_required
from quilate.grades import Grade


def found(phrase, text):
    return [text[hit.start : hit.end] for hit in Phrase(phrase).hits(Sought(text))]


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("po", "¿Cómo estás, po?"), ("po", "PO"), ("po", "sí-po"), ("po", "_po_ y **po**"), ("po", "ya.po"),
        ("po", "po\u00ad"),
        ("po", "«po»"), ("po", "ya po\u200b!"), ("po", "po/pos"), ("cachái", "¿CACHA\u0301I?"),
        ("cacha\u0301i", "cachái"),
        ("disculpa el inconveniente", "Disculpa\u00a0el\n  inconveniente."),
        ("disculpa el inconveniente", "disculpa el\u202finconveniente"),
        ("¿cachái?", "ya, ¿cachái?"), ("...", "bueno..."), ("¡hola!", "¡HOLA!amigo"), ("straße", "STRASSE"),
        ("STRASSE", "Straße"),
        ("don't", "I don’t know"), ("don’t", "I don't know"), ("e-mail", "e\u2011mail"), ("e\u2010mail", "E-MAIL"),
        ("👍", "listo👍🏽"), ("❤", "te ❤️ mucho"), ("❤️", "❤"), ("👨\u200d👩\u200d👧", "la 👨‍👩‍👧 feliz"),
        ("47821", "pedido 47821."), ("47821", "n°47821,"), ("5", "5, 6"), ("R$ 700,00", "custa R$\u00a0700,00."),
        ("银行", "我要去银行开户"), ("银行", "银行"),
        ("ธนาคาร", "ไปธนาคารวันนี้"), ("カード", "新しいカードです"), ("은행", "은행 계좌"),
        ("100%", "al 100%."), ("c++", "en C++ sí"), ("ÑANDÚ", "un n\u0303andu\u0301"), ("İ", "i\u0307"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("a b", "a\u3000b"), ("@team", "hola @team"), ("/po+/", "siii pooo"), ("/cach[aá]i/", "CACHA\u0301I"),
        ("/^hola$/", "Hola"),
        ("água", "um copo d'água"), ("água", "UM COPO D’ÁGUA."), ("água", "caixa-d'água"), ("acqua", "dell'acqua"),
        ("il", "qu'il vienne"), ("homme", "l'homme"), ("illa", "vora l'illa"), ("copo d'água", "um copo d’água"),
        ("Acme", "Acme's prices"), ("Acme", "como Acme’s."), ("istanbul", "İSTANBUL"), ("İstanbul", "istanbul"),
        ("ışık", "IŞIK"), ("e\u0307", "ė"), ("ya\U000e0041po", "yapo"),
    ],
)  # fmt: skip
def test_a_phrase_is_found(phrase, text):
    assert found(phrase, text)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("po", "por"), ("po", "pololo"), ("po", "tiempo"), ("po", "RIPO"), ("po", "po\u0301"), ("po", "pó"),
        ("po", "p o"),
        ("po", "po2"), ("po", "2po"), ("po", ""), ("cachái", "cachai"), ("cachai", "cachái"), ("pero", "perö"),
        ("can", "I can't"), ("don", "I don’t"), ("t", "don't"), ("col", "col·lecció"),
        ("47821", "478210"), ("47821", "147821"), ("10", "10.500"), ("10", "$10,5"), ("500", "10.500"), ("5", "2.5"),
        ("은행", "은행에서"), ("カード", "カードキー"), ("s", "ß"), ("ธ", "ธิ"), ("á", "a"),
        ("po", "d'pole"), ("ll", "we'll"), ("ve", "I've"), ("re", "you’re"), ("clock", "o'clock"), ("am", "ma'am"),
        ("gua", "d'água"), ("d", "d'água"), ("dell", "dell'acqua"), ("Acme", "Acme'sx"), ("s", "Acme's"), ("é", "e"),
        ("disculpa el inconveniente", "disculpa del inconveniente"), ("/po+$/", "poco"), ("/(?-i:PO)/", "po"),
    ],
)  # fmt: skip
def test_a_phrase_is_not_found(phrase, text):
    assert not found(phrase, text)


def test_the_offsets_are_those_of_the_text_as_it_is():
    text = "¿Cacha\u0301i?  Ya\u00a0\u00a0PO, Straße."
    assert found("cachái", text) == ["Cacha\u0301i"]
    assert found("ya po", text) == ["Ya\u00a0\u00a0PO"]
    assert found("strasse", text) == ["Straße"]
    assert found("/cachái/", text) == ["Cacha\u0301i"]


def test_hits_do_not_overlap():
    assert found("a a", "a a a a a") == ["a a", "a a"]


def test_forbidden_phrases_are_one_criterion_with_every_hit_as_evidence():
    graded = grade_forbidden(compile_phrases(["pololo", "cachái", "po"]), "Sí po, ¿cachái? Ya po.")
    assert (graded.id, graded.grade) == ("forbidden_phrases", Grade.FAIL)
    assert graded.reason == 'forbidden phrases "cachái", "po"'
    assert [(e.quote, e.start, e.end) for e in graded.evidence] == [("cachái", 8, 14), ("po", 3, 5), ("po", 19, 21)]


def test_required_phrases_name_what_is_missing():
    graded = grade_required(compile_phrases(["En reparto", "24 de junio"]), "Su pedido está en reparto.")
    assert (graded.grade, graded.reason) == (Grade.FAIL, 'does not say "24 de junio"')
    assert graded.found == '"Su pedido está en reparto."'
    assert [e.quote for e in graded.evidence] == ["en reparto"]


def test_an_empty_output_says_nothing_forbidden_and_nothing_required():
    assert grade_forbidden(compile_phrases(["po"]), "").grade is Grade.PASS
    assert grade_required(compile_phrases(["po"]), "").grade is Grade.FAIL


@pytest.mark.parametrize("phrase", [" ", "\u200b", "\n", "/(/", "/[/"])
def test_a_phrase_that_cannot_be_looked_for_is_refused_with_its_index(phrase):
    with pytest.raises(MatcherError) as refused:
        compile_phrases(["po", phrase])
    assert refused.value.path == (1,)


def test_a_catastrophic_pattern_is_cut_off():
    with pytest.raises(PatternTimeoutError):
        found("/(a+)+$/", "a" * 40_000 + "b")


@pytest.mark.parametrize(
    "text", ["\u0301" * 300_000, "po" * 150_000, "a\u200b" * 150_000, "'" * 300_000, "po" + "\u0301" * 300_000]
)
def test_hostile_texts_are_answered(text):
    assert not found("po", text)


@given(st.text(), st.text())
def test_a_phrase_between_spaces_is_found_whatever_it_is_made_of(before, after):
    phrase = "sí, po"
    assert phrase in [unicodedata.normalize("NFC", hit).lower() for hit in found(phrase, f"{before} {phrase} {after}")]


@given(st.text(), st.text(min_size=1))
def test_any_text_is_searched_for_any_phrase(text, phrase):
    try:
        compiled = Phrase(phrase)
    except MatcherError:
        return
    for hit in compiled.hits(Sought(text)):
        assert 0 <= hit.start < hit.end <= len(text)
