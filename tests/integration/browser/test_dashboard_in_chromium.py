"""The dashboard in a browser: no script, nothing fetched, readable by everybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.dashboard_factories import a_checkout, a_directory

from quilate.cli import main


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    data = a_checkout(folder / "data", 70)
    done = CliRunner().invoke(
        main, ["dashboard", str(data), "--out", str(folder / "out"), "--repository", "example/shop"]
    )
    assert done.exit_code == 0, done.output
    return folder / "out" / "index.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_and_nothing_overflows(open_page, site, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    tab = open_page(site, scheme=scheme, width=width)
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in axe.run(tab.page).response["violations"]] == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.said == []


def test_it_needs_no_script_and_asks_nobody(open_page, site):
    tab = open_page(site, script=False)
    assert tab.page.locator("script").count() == 0
    assert tab.page.locator("svg.over-time").count() >= 5
    assert len(tab.page.locator("table.runs tbody tr").all()) == 70
    assert all(url.startswith("file:") for url in tab.requested)


def test_a_run_links_to_its_workflow_run_and_its_commit(open_page, site):
    tab = open_page(site)
    links = tab.page.eval_on_selector_all("table.runs a", "all => all.map(each => each.href)")
    assert "https://github.com/example/shop/actions/runs/7069" in links
    assert any(link.startswith("https://github.com/example/shop/commit/") for link in links)


def test_several_suites_have_an_index_that_leads_to_each(open_page, tmp_path):
    for suite in ("orders", "billing"):
        a_directory(tmp_path / "baselines", 3, suite)
    done = CliRunner().invoke(main, ["dashboard", str(tmp_path / "baselines"), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    tab = open_page(tmp_path / "out" / "index.html")
    tab.page.click("text=billing")
    assert tab.page.inner_text(".suite") == "billing"
    assert tab.page.get_attribute("nav [aria-current=page]", "href") == "billing.html"
