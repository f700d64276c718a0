"""What GitHub's own parser makes of a comment full of hostile text: code, and nothing but code."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.report_factories import comparison, criterion, delta, noise, provenance, reason, record, report, run

from quilate.agents.agent import Fault, FaultKind, Reply, ToolCall
from quilate.compare.comparison import Confirmation, Delta, Quarantined, Tally
from quilate.grades import Evidence, Grade, Verdict
from quilate.report.cases import TITLE_BYTES
from quilate.report.comment import at_rung, render, render_broken
from quilate.report.input import (
    Acceptance,
    BaseCommit,
    Groundedness,
    JudgeUse,
    MetricChange,
    Metrics,
    Ratio,
    ReportInput,
    SideBySide,
)
from quilate.report.ladder import RUNGS
from quilate.report.story import rerun_command

CMARK = shutil.which("cmark-gfm")
pytestmark = pytest.mark.skipif(CMARK is None, reason="cmark-gfm is not installed (Debian: apt-get install cmark-gfm)")

EXTENSIONS = [part for name in ("table", "strikethrough", "autolink", "tagfilter", "tasklist") for part in ("-e", name)]
NAMESPACE = "{http://commonmark.org/xml/1.0}"

HOSTILE = [
    "|", r"\|", r"\\|", "a|b|c", "```", "````\n```", "~~~", "@team", "<img src=x onerror=alert(1)>", "</details>",
    "</code></summary><script>alert(1)</script>", "::error::", "##[error]", "[x](javascript:alert(1))", "#1", "GH-1",
    "https://evil.example", "www.evil.example", "a@evil.example",
    "<!-- quilate suite=orders run=9 attempt=9 head=abcdef0 -->",
    "\u202eevil", "\0", "`", "``", "` `", " `", "` ", "\\`", "\\", "a\\", "\n\n# heading", "\n- item\n- item", "\r\rx",
    "> quote", "    indented", "\tindented", "***", "---", "===", "&lt;", "&#60;", "&amp;nbsp;", "- [ ] task",
    "| a | b |\n| - | - |\n| c | d |", "~~gone~~", "**bold**", "_it_", "$x^2$", ":tada:",
    "\u2028line\u2029para\u0085nel\x0b\x0c",
    "\U000e0041\U000e0042", "\u200b\u200d\ufeff", "a" + "\u0301" * 500, "\ufe0f" * 9, "<details>\n\n<summary>",
    "{singular}", "{0}", "%s", "{name!r}", "\x1b[31mred\x1b[0m", "<sub>", "</sub>", "<!--", "-->", "]]>",
    "<?php", "<![CDATA[",
    "`" * 300_000, "|" * 5_000, "\\|" * 5_000, "x" * 300_000, "é" * 150_000, "\n" * 2_000 + "x", "🏳️‍🌈" * 9,
]  # fmt: skip

hostile_text = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from([*HOSTILE[:-7], "x", " ", "\n"]), min_size=1, max_size=6).map("".join),
    st.text(min_size=1, max_size=60),
    st.text(alphabet="`|\\ \n~<>[]()!-#@*_", min_size=1, max_size=40),
)


def full_of(text: str, *, lines: str | None = None) -> ReportInput:
    """A report with `text` in every untrusted place; `lines` is the reply's, where its number of lines matters."""
    reply = lines if lines is not None else text
    criteria = (
        criterion(
            id=text, text=text, reason=text, expected=text + "1", found=text + "2", evidence=(Evidence(quote=text),)
        ),
        criterion(id=text, reason=text, grade=Grade.PARTIAL, evidence=(Evidence(quote=text + "3", start=0, end=1),)),
    )
    crash = Reply(fault=Fault(kind=FaultKind.AGENT, message=text))
    head = run(
        record(
            text,
            grade=Grade.FAIL,
            category=text,
            asked=text,
            output=reply,
            criteria=criteria,
            calls=(ToolCall(name=text, args={text: text}),),
            trials=(Grade.FAIL, Grade.PASS, Grade.FAIL),
        ),
        record("crash", grade=Grade.FAIL, category=text, asked=text, criteria=criteria, reply=crash),
    )
    base = run(record(text, category=text, output=reply), record("crash", category=text, output=reply))
    changed = comparison(
        reasons=(reason(), reason("drop", category=text), reason("unknown_code", text)),
        overall=Delta(Tally(46, 50), Tally(42, 50, errors=1, partial=2), noise()),
        categories={text: delta(10, 7, 10)},
        broke=(text, "crash"),
        fixed=(text,),
        added=(text,),
        removed=(text,),
        removed_passing=(),
        renamed={text: text},
        edited=(text,),
        approved_only_by_edit=(text,),
        critical=(text,),
        quarantined=(text,),
        flaky=(text,),
        errors={text: text},
        base_errors=(text,),
        not_judged=(text,),
        warnings=(reason("unknown_code", text),),
        policy_changes={text: (text, text)},
        outside={text: text},
        partial=(text,),
        rescored=(text,),
        confirmed={text: Confirmation(Grade.FAIL, Grade.PASS, 2, 3)},
        ruler=delta(40, 41, 50),
        trials=(3, 3),
        quarantine=(Quarantined(text, text, text, "2026-01-01", True, text, None, None),),
    )
    where = provenance(
        dataset_version=text,
        selection=text,
        base=BaseCommit(text),
        judge=JudgeUse(text, 1, 2, "0.1"),
        trials=3,
        judge_changed=(text, text),
        fork=True,
        tool_version="0.1.0",
        accepted=Acceptance(text, text),
        code_only=3,
    )
    metrics = Metrics(
        ambiguity=(MetricChange("clarification", Ratio(1, 2), Ratio(2, 2)),),
        groundedness=Groundedness(1, 2, 3, (text,), (text,)),
        side_by_side=SideBySide(1, 2, 3, Fraction(1)),
    )
    return report(head, base, comparison=changed, provenance=where, metrics=metrics)


def like(text: str, *, of_lines: bool = False) -> str:
    """A harmless text of the same shape: as many lines as matter, a shell's argument or not, fit for a title or not."""
    long = len(text.encode("utf-8", "surrogatepass")) > TITLE_BYTES
    shape = ("" if rerun_command(text) else "\0") + "a" * (TITLE_BYTES + 1 if long else 1)
    return "a\nb" if of_lines and re.search(r"[\r\n]", text.strip("\r\n")) else shape


def tree(markdown: str) -> ET.Element:
    assert CMARK
    raw = markdown.encode()
    done = subprocess.run([CMARK, "--unsafe", "-t", "xml", *EXTENSIONS], input=raw, capture_output=True, check=True)
    return ET.fromstring(done.stdout.replace(b'<!DOCTYPE document SYSTEM "CommonMark.dtd">', b""))


def skeleton(element: ET.Element) -> object:
    """The tree without what may be untrusted: contents of code, and of `<code>` in the line of our own summary."""
    name = element.tag.removeprefix(NAMESPACE)
    text = element.text or ""
    if name in ("code", "code_block"):
        text = ""
    if name == "html_block":
        text = re.sub(r"(?<=<code>)[^<>\n]*(?=</code>)", "", text)
    attributes = {key: value for key, value in element.attrib.items() if not key.startswith("{http")}
    return name, attributes, text, [skeleton(child) for child in element]


def assert_like_benign(hostile: ReportInput, benign: ReportInput) -> None:
    for rung in RUNGS:
        assert skeleton(tree(at_rung(hostile, rung))) == skeleton(tree(at_rung(benign, rung))), rung.name


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_every_listed_hostile_text_is_code_in_every_place_and_on_every_rung(text):
    lines = like(text, of_lines=True)
    assert_like_benign(full_of(text), full_of(like(text), lines=lines))


@settings(max_examples=120, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=hostile_text)
@example("\n")
def test_any_hostile_text_is_code_in_every_place(text):
    hostile, benign = full_of(text), full_of(like(text), lines=like(text, of_lines=True))
    assert skeleton(tree(at_rung(hostile, RUNGS[0]))) == skeleton(tree(at_rung(benign, RUNGS[0])))


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=hostile_text)
@example("\u202e")
def test_nothing_hidden_is_left_in_the_comment(text):
    rendered = render(full_of(text))
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\U000e0000-\U000e0fff]", rendered
    )
    rendered.encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_the_comment_fits_and_is_more_than_its_verdict(text):
    rendered = render(full_of(text))
    assert len(rendered.encode()) <= 60_000
    assert "safe Markdown" not in rendered
    assert "| :--" in rendered


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_a_broken_evaluation_shows_its_error_as_code(text):
    hostile, benign = render_broken("orders", text), render_broken("orders", "a")
    assert skeleton(tree(hostile)) == skeleton(tree(benign))


@pytest.mark.parametrize(
    "path", ["a b.yaml", "a)](javascript:x).yaml", "x|y`z.yaml", "é.yaml", "#.yaml", '?q&<>".yaml', "a\nb\u202e"]
)
def test_a_hostile_path_is_percent_encoded_in_its_link(path):
    hostile = report(run(record(grade=Grade.FAIL, criteria=(criterion(),), file=path)))
    links = [each.get("destination") for each in tree(render(hostile)).iter(f"{NAMESPACE}link")]
    assert len(links) == 2
    assert re.fullmatch(r"https://github\.com/example/shop/blob/3f9c2ab/[A-Za-z0-9_.~%-]+#L12", links[0] or "")


def test_a_pass_verdict_is_whole_too():
    passing = report(
        comparison=comparison(verdict=Verdict.PASS, exit_code=0, reasons=(), overall=delta(50, 50, 50), broke=())
    )
    headings = list(tree(render(passing)).iter(f"{NAMESPACE}heading"))
    assert len(headings) == 1
