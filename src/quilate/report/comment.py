"""The comment on a pull request: for a reviewer with ten seconds, then for one with ten minutes."""

from __future__ import annotations

from collections.abc import Iterable

from quilate.report import asides, escape, measures, table
from quilate.report.cases import told_cases
from quilate.report.escape import Inert
from quilate.report.guard import Allowed, problems
from quilate.report.input import Acceptance, ReportInput, RunIdentity, Site
from quilate.report.ladder import COMMENT_BYTES, RUNGS, Rung, first_that_fits
from quilate.report.medium import MarkdownMedium
from quilate.report.messages import Language, Translator
from quilate.report.origin import no_baseline, provenance
from quilate.report.reasons import reason_text
from quilate.report.sentences import SYMBOLS, decision, headline, state
from quilate.report.voice import Voice


def render(report: ReportInput, budget_bytes: int = COMMENT_BYTES) -> str:
    """The comment as Markdown of at most `budget_bytes` of UTF-8.

    The fullest rendering that fits is taken. It is parsed once more before it leaves; should anything untrusted have
    found a way out of its code span, the verdict and a link are all that is posted, and the comment says so.
    """
    voice = _voice(report.language)
    text = first_that_fits(RUNGS, lambda rung: at_rung(report, rung), budget_bytes, len(report.comparison.broke))
    notice = voice.t.t("The rest of this comment is left out: it did not pass its own check for safe Markdown.")
    least = _assembled([*_head(report, voice), *([notice] if text is not None else []), *_links(report, voice)])
    return guarded(text, report.provenance.site, least) if text is not None else least


def guarded(text: str, site: Site, least: str) -> str:
    """`text` where it passes the last guard, else `least`."""
    return least if problems(text, _allowed(site)) else text


def render_broken(
    suite: str,
    error: str,
    *,
    identity: RunIdentity | None = None,
    site: Site | None = None,
    language: Language = "en",
) -> str:
    """The comment of an evaluation that itself broke: what broke, that nothing was measured, where the log is."""
    voice = _voice(language)
    t = voice.t
    title = t.t("the evaluation broke, nothing was measured")
    heading = Inert(f"## {SYMBOLS['broken']} {escape.suite_name(suite)}: {title}")
    blocks = [
        Inert("\n\n".join([*_marker(suite, identity), heading])),
        t.t("**This is neither a pass nor a failure of the change.** What broke:"),
        Inert(escape.fenced(error, 4000).rstrip("\n")),
    ]
    url = site.run_url if site else None
    if url:
        blocks.append(t.t("The log is on the {page}.", page=escape.link(t.t("run's page"), url)))
    return guarded(_assembled(blocks), site or Site(), _assembled(blocks[:2]))


def at_rung(report: ReportInput, rung: Rung) -> str:
    """The comment with one rung's limits."""
    voice = _voice(report.language)
    if rung.categories == 0:
        return _assembled([*_head(report, voice), *_links(report, voice)])
    blocks = [
        *_head(report, voice),
        *_explained(report, voice, rung),
        *_table(report, voice, rung),
        *_alerts(report, voice, rung),
        *(told_cases(report, voice, rung) if report.provenance.common_crash is None else []),
        *_short_of(report, voice, rung),
        *_lists(report, voice, rung),
        _small(report, voice),
    ]
    return _assembled(blocks)


def _voice(language: Language) -> Voice:
    return Voice(Translator(language), MarkdownMedium())


def _assembled(blocks: Iterable[Inert]) -> str:
    return "\n\n".join(block.rstrip("\n") for block in blocks if block) + "\n"


def _marker(suite: str, identity: RunIdentity | None) -> list[Inert]:
    if identity is None:
        return []
    return [escape.marker(suite, identity.run_id, identity.attempt, identity.head_sha)]


def _head(report: ReportInput, voice: Voice) -> list[Inert]:
    blocks = _marker(report.comparison.suite, report.provenance.identity)
    blocks.append(Inert(f"## {headline(report, voice)}"))
    said = decision(report, voice)
    if said:
        blocks.append(Inert(" ".join(said)))
    return blocks


def _accepted(accepted: Acceptance, voice: Voice) -> Inert:
    login, label = voice.medium.code(accepted.login, 80), voice.medium.code(accepted.label, 80)
    if accepted.queued is not None:
        return voice.t.t(
            "{login} accepted it on pull request {number} with the label {label}; this is its run in the merge queue.",
            login=login, number=voice.medium.code(f"#{accepted.queued}", 20), label=label,
        )  # fmt: skip
    return voice.t.t(
        "{login} accepted it for this commit with the label {label}; the next push asks again.",
        login=login, label=label,
    )  # fmt: skip


def _explained(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    """What the state needs said: why nothing was compared, what to do about errors, further reasons."""
    comparison, t = report.comparison, voice.t
    kind = state(report)
    blocks: list[Inert] = []
    if not comparison.compared and report.provenance.base is None:
        blocks.append(no_baseline(report.provenance.no_baseline, voice))
    accepted = report.provenance.accepted
    if accepted is not None:
        blocks.append(_accepted(accepted, voice))
    if kind == "inconclusive":
        crashed = report.provenance.common_crash is not None
        said = [
            t.t("**This is not a pass: nothing was measured.**") if crashed
            else t.t("**This is not a pass, and it is not the change's failure.**")
        ]  # fmt: skip
        if comparison.errors:
            said.append(t.t("Run the job again: replies already given are kept, only what has no grade is asked for."))
        if comparison.acceptable and report.provenance.accept_label:
            said.append(t.t(
                "Another run would say the same: people's edits leave it open, and someone with write permission may "
                "accept them with the label {label}.", label=voice.medium.code(report.provenance.accept_label, 80),
            ))  # fmt: skip
        blocks.append(Inert(" ".join(said)))
    others = comparison.reasons[1:] if kind in ("fail", "inconclusive", "accepted") else ()
    if others:
        blocks.append(
            t.t("Also: {reasons}.", reasons=Inert("; ".join(reason_text(each, report, voice) for each in others)))
        )
    return blocks + (asides.errors(report, voice, rung.names) if comparison.errors else [])


def _table(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    rest = table.rest_line(report, voice.t, rung.categories)
    return [table.markdown_table(report, voice.t, rung.categories), *([rest] if rest else [])]


def _alerts(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    said = asides.warnings(report, voice, rung.names)
    return [Inert("> [!WARNING]\n" + "\n>\n".join(f"> {each}" for each in said))] if said else []


def _short_of(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    blocks = asides.not_judged(report, voice, rung.names)
    if state(report) == "inconclusive" and report.comparison.compared and not report.comparison.broke:
        blocks.append(voice.t.t("No case that could be graded broke."))
    return blocks


def _lists(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    """Few and short: said at once. Otherwise the counts, and the rest in a fold."""
    if not rung.asides:
        return []
    found = asides.lists(report, voice, rung.names) + measures.metrics(report, voice, rung.names)
    if not found:
        return []
    if len(found) == 1 and not report.comparison.broke:
        return [asides.capital(found[0][1])]
    counts = asides.capital(Inert(" · ".join(short for short, _ in found)))
    lines = "\n".join(f"- {asides.capital(sentence)}" for _, sentence in found)
    return [Inert(f"<details><summary>{counts}</summary>\n\n{lines}\n\n</details>")]


def _links(report: ReportInput, voice: Voice) -> list[Inert]:
    site = report.provenance.site
    url = site.report_url or site.run_url
    return [voice.t.t("Everything is in the {report}.", report=escape.link(voice.t.t("report"), url))] if url else []


def _small(report: ReportInput, voice: Voice) -> Inert:
    site, t = report.provenance.site, voice.t
    parts = provenance(report, voice)
    if site.report_url:
        parts.append(escape.link(t.t("report"), site.report_url))
    if site.run_url:
        parts.append(escape.link(t.t("run"), site.run_url))
    return Inert(f"<sub>{' · '.join(parts)}</sub>")


def _allowed(site: Site) -> Allowed:
    return Allowed.of(url for url in (site.server_url, site.run_url, site.report_url) if url)
