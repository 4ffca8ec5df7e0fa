"""A report, written; and its page in a real browser, clicked, hovered, typed at, printed."""

from __future__ import annotations

import base64
import csv
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_browser import Tab, live_browser
from report_stores import everything, nothing, sampled, unsolved

from gatewalk.campaign import Results, parse, run
from gatewalk.errors import InputError
from gatewalk.report import report
from gatewalk.report.report_data import report_data
from gatewalk.report.report_page import report_page
from gatewalk.report.sections import growth

NASTY = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return report_data(everything(), resamples=5)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(growth, "_RESAMPLES", 10)
        everything().report(path)
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with live_browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab
        assert [line[:500] for line in tab.complaints] == []


def opened(tab: Tab, path: Path, width: int = 1280, theme: str = "light") -> None:
    tab.show(width, prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    tab.open(path)
    ready(tab)


def ready(tab: Tab) -> None:
    while not tab.ask("document.body.dataset.ready"):
        time.sleep(0.02)


def ink(tab: Tab, chart: str) -> Any:
    """What is drawn in a chart."""
    return tab.ask(
        "new Promise(done => setTimeout(done, 60))"
        f".then(() => document.querySelector('#{chart} canvas').toDataURL())"
    )


def readout(tab: Tab, chart: str) -> list[list[str]]:
    return tab.ask(
        f"[...document.querySelectorAll('#{chart}-readout tr')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )


def test_a_store_becomes_a_file(tmp_path: Path) -> None:
    store, out = tmp_path / "runs.sqlite", tmp_path / "page.html"
    run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), store, jobs=1).close()
    report(store, out)
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {path.name for path in tmp_path.iterdir()} == {"runs.sqlite", "page.html"}
    with pytest.raises(InputError, match=r"must end in \.html"):
        report(store, tmp_path / "page.txt")
    with pytest.raises(InputError, match="cannot be written"):
        report(store, tmp_path / "nowhere" / "page.html")


def test_the_store_itself_is_not_overwritten(tmp_path: Path) -> None:
    store = tmp_path / "runs.html"
    run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), store, jobs=1).close()
    before = store.read_bytes()
    with pytest.raises(InputError, match="the store itself"):
        report(store, store)
    assert store.read_bytes() == before


def test_axes_and_models_are_switched(browser: Tab, page: Path) -> None:
    opened(browser, page)
    seen = [ink(browser, "times-chart")]
    for key in ("bound", "times-y-linear", "times-x-linear", "model-power", "exact", "intervals"):
        browser.click(f"#times-switches [data-key='{key}']")
        seen.append(ink(browser, "times-chart"))
        assert browser.ask(f"document.activeElement.dataset.key === '{key}'")
    assert len(set(seen)) == len(seen)
    assert "c nᵃ" in readout(browser, "times")[0][-1]
    browser.click("#times-switches [data-key='model-power']")
    browser.click("#times-curves [data-key='none']")
    assert "No curve is switched on" in browser.ask("document.getElementById('times-caption').textContent")
    browser.click("#times-curves [data-key='all']")
    assert len(readout(browser, "times")) == 1 + len(
        browser.ask("JSON.parse(data.textContent).times.axes[0].curves")
    )


def test_the_numbers_are_read_by_hover_and_by_keys(browser: Tab, page: Path, data: dict[str, Any]) -> None:
    opened(browser, page)
    curve = data["times"]["axes"][0]["curves"][0]
    browser.ask("document.querySelector('#times-chart').scrollIntoView({block: 'center'})")
    box = browser.ask(
        "(({left, top, width}) => [left, top, width])"
        "(document.querySelector('#times-chart .u-over').getBoundingClientRect())"
    )
    for share, place in ((0.02, 0), (0.66, 2)):  # n = 2 and n = 4 of 2 to 6, on a logarithmic axis
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + share * box[2], y=box[1] + 40)
        browser.ask("new Promise(done => setTimeout(done, 60))")
        rows = readout(browser, "times")
        assert rows[1][0] == curve["name"]
        assert float(rows[1][1].replace(",", "")) == pytest.approx(curve["ert"][place], rel=1e-3)
        assert rows[1][4] == "12 of 12"
    browser.ask("document.getElementById('times-chart').focus()")
    browser.press("Home")
    browser.ask("new Promise(done => setTimeout(done, 60))")
    caption = "document.querySelector('#times-readout caption').textContent"
    assert browser.ask(caption) == "n = 2, in iterations"
    browser.press("ArrowRight")
    browser.ask("new Promise(done => setTimeout(done, 60))")
    assert browser.ask(caption) == "n = 3, in iterations"


def test_distributions_are_chosen_by_size(browser: Tab, page: Path) -> None:
    opened(browser, page)
    names = "[...document.querySelectorAll('#distributions-curves label')].map(one => one.textContent)"
    select = "document.querySelector('#distributions-switches select')"
    browser.ask(f"{select}.value = '2'; {select}.dispatchEvent(new Event('change'))")
    assert all(name.startswith("and:2") for name in browser.ask(names))
    before = ink(browser, "distributions-chart")
    browser.click("#distributions-switches [data-key='law']")
    assert ink(browser, "distributions-chart") != before
    before = ink(browser, "distributions-chart")
    browser.click("#distributions-switches [data-key='steps-x-linear']")
    assert ink(browser, "distributions-chart") != before


def test_generalisation_is_drawn_against_n(browser: Tab, page: Path, tmp_path: Path) -> None:
    path = tmp_path / "sampled.html"
    report(sampled(), path)
    opened(browser, path)
    rows = browser.ask("JSON.parse(data.textContent).generalisation.rows")
    seen = [ink(browser, "generalisation-chart")]
    assert [row[0] for row in readout(browser, "generalisation")[1:]] == ["nonstrict", "strict"]
    for key in ("unseen-perfect", "unseen-x-linear", "unseen-intervals"):
        browser.click(f"#generalisation-switches [data-key='{key}']")
        seen.append(ink(browser, "generalisation-chart"))
    assert len(set(seen)) == len(seen)
    browser.ask("document.getElementById('generalisation-chart').focus()")
    for key, n in (("Home", 4), ("End", 8)):
        browser.press(key)
        browser.ask("new Promise(done => setTimeout(done, 60))")
        caption = browser.ask("document.querySelector('#generalisation-readout caption').textContent")
        assert caption == f"n = {n}, on unseen rows"
        (first,) = [row for row in rows if (row["n"], row["curve"]) == (n, "nonstrict")]
        share = float(readout(browser, "generalisation")[1][1].removesuffix(" %"))
        assert share == pytest.approx(100 * first["mean"][0], abs=0.051)
    opened(browser, page)  # one size: a table alone
    assert browser.ask("document.getElementById('generalisation-body').hidden")
    assert "and:6" in browser.ask("document.getElementById('generalisation-table').textContent")


def test_downloads(browser: Tab, page: Path, data: dict[str, Any], tmp_path: Path) -> None:
    opened(browser, page)
    browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    for button, name in (("cells", "cells.csv"), ("runs", "runs.csv"), ("data", "report.json")):
        browser.click(f"#save-{button}")
        path = tmp_path / f"the-store-{name}"
        for _ in range(200):
            if path.exists() and path.stat().st_size:
                break
            time.sleep(0.05)
    cells = list(csv.reader((tmp_path / "the-store-cells.csv").read_text(encoding="utf-8").splitlines()))
    assert cells[0] == data["overview"]["columns"]
    assert [row[0] for row in cells[1:]] == [row[0] for row in data["overview"]["rows"]]
    runs = csv.DictReader((tmp_path / "the-store-runs.csv").read_text(encoding="utf-8").splitlines())
    assert [int(row["iterations"]) for row in runs] == everything().columns()["iterations"]
    saved = json.loads((tmp_path / "the-store-report.json").read_text(encoding="utf-8"))
    assert saved["name"] == data["name"]


def test_labels_are_text_never_markup(browser: Tab, data: dict[str, Any], tmp_path: Path) -> None:
    def spoilt(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: spoilt(one, name) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [spoilt(one, key) for one in value]
        kept = ("svg", "x", "model", "made", "columns", "reason")
        return value + NASTY if isinstance(value, str) and value and key not in kept else value

    path = tmp_path / "nasty.html"
    path.write_text(report_page(spoilt(data)), encoding="utf-8")
    opened(browser, path)
    assert browser.ask("[...document.images].filter(one => !one.src.startsWith('data:')).length") == 0
    assert NASTY in browser.ask("document.getElementById('name').textContent")
    for place in (
        "cells",
        "times-curves",
        "distributions-curves",
        "growth-body",
        "comparisons-body",
        "origin-body",
    ):
        assert NASTY in browser.ask(f"document.getElementById('{place}').textContent")
    assert browser.ask("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (360, "dark"), (768, "light"), (1920, "dark")])
def test_it_fits_the_window_and_can_be_read(browser: Tab, page: Path, width: int, theme: str) -> None:
    opened(browser, page, width, theme)
    assert browser.ask("document.documentElement.scrollWidth") <= width
    count, pale = browser.ask(CONTRAST)
    assert count > 200
    assert pale == []
    canvases = browser.ask(
        "[...document.querySelectorAll('.uplot')].map(one => one.getBoundingClientRect().width)"
    )
    assert len(canvases) == 2
    assert all(0.6 * width * (width < 1000) < wide <= width for wide in canvases)
    browser.show(360, prefers_color_scheme=theme)  # charts follow the window
    browser.ask("new Promise(done => setTimeout(done, 200))")
    assert browser.ask("document.documentElement.scrollWidth") <= 360


def test_every_switch_is_reached_with_tab_and_shows_it(browser: Tab, page: Path) -> None:
    opened(browser, page)
    switches = "[...document.querySelectorAll('.switches [data-key]')].filter(one => one.type !== 'radio')"
    wanted = set(browser.ask(f"{switches}.map(one => one.dataset.key)"))
    reached = set()
    for _ in range(90):
        browser.press("Tab")
        key, outline = browser.ask(
            "[document.activeElement.dataset.key || document.activeElement.id,"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        assert outline == "solid", key
        reached.add(key)
        if key == "distributions-chart":
            break
    assert wanted <= reached
    assert {"times-chart", "times-y-log", "steps-x-log"} <= reached
    unnamed = (
        "[...document.querySelectorAll('button, input, select, img, [tabindex]')].filter(one => !one.alt"
        " && !one.textContent.trim() && !one.getAttribute('aria-label') && !one.closest('label')).length"
    )
    assert browser.ask(unnamed) == 0


def test_it_can_be_printed(browser: Tab, page: Path) -> None:
    opened(browser, page, theme="dark")
    browser.ask("addEventListener('beforeprint', () => { window.printed = "
                "[...document.querySelectorAll('.uplot')].map(one => one.offsetWidth); })")  # fmt: skip
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF")
    assert browser.ask("window.printed") == [640, 640]
    assert browser.ask("'print' in document.documentElement.dataset") is False


@pytest.mark.parametrize("results", [nothing(), unsolved()], ids=["nothing", "unsolved"])
def test_poor_stores_say_what_is_missing(browser: Tab, tmp_path: Path, results: Results) -> None:
    path = tmp_path / "poor.html"
    report(results, path)
    opened(browser, path, 360)
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    text = browser.ask("document.body.innerText")
    assert ("There is no finished run yet." in text) is (results is nothing())
    assert ("Arrows: no run was solved" in text) is (results is unsolved())


CONTRAST = """
(() => {
  const parts = (colour) => (colour.match(/[0-9.]+/g) || []).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [...document.querySelectorAll("body *")].filter(one => !one.disabled
    && one.getClientRects().length && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(one.tagName)
    && [...one.childNodes].some(child => child.nodeType === 3 && child.textContent.trim()));
  const found = texts.map(one =>
    [ratio(light(getComputedStyle(one).color), light(behind(one))), one.textContent]);
  return [found.length, found.filter(([ratio]) => !(ratio >= 4.5))];
})()
"""
