"""Pages as readers see them, in Chromium: clicked, pointed at, typed at, reloaded and printed."""

from __future__ import annotations

import base64
import csv
import json
import time
from itertools import accumulate

import numpy as np
import pytest
from live_browser import live_browser
from processes import LIMIT
from report_stores import everything, nothing, sampled, unsolved

from gatewalk.boolean.gates import gate
from gatewalk.campaign import run
from gatewalk.campaign.spec import parse
from gatewalk.cgp.drawing import SIGNS
from gatewalk.cgp.genotype import active_nodes
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.own_targets import target
from gatewalk.report import page as markup
from gatewalk.report import store_tables
from gatewalk.report.animation import animation_svg
from gatewalk.report.replay import replay_page
from gatewalk.report.scenes import scenes_of
from gatewalk.report.store_page import page_data, page_of, report, write_page
from gatewalk.search.options import search_for
from gatewalk.search.recording import Triggers, parents, record

MARKUP = '<img src=x onerror="alert(1)">'
NASTY = ['<b id="x">&amp;', "</script><img src=x onerror=alert(1)>", "'\"`"]
WIDTHS = (360, 768, 1280, 1920)
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
    && one.getClientRects().length && !["SCRIPT", "STYLE", "NOSCRIPT", "title"].includes(one.tagName)
    && [...one.childNodes].some(child => child.nodeType === 3 && child.textContent.trim()));
  const found = texts.map(one => {
    const isSvg = one.namespaceURI.endsWith("svg");
    const group = isSvg && !one.classList.contains("number") && one.closest(".source, .part");
    const shape = group && group.querySelector(".shape, .gate");
    const box = isSvg ? one.ownerSVGElement.parentElement : one;
    const back = shape ? getComputedStyle(shape).fill : behind(box);
    const front = getComputedStyle(one)[isSvg ? "fill" : "color"];
    return [ratio(light(front), light(back)), one.textContent.slice(0, 40), front, back];
  });
  return [found.length, found.filter(([ratio]) => !(ratio >= 4.5))];
})()
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with live_browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab
        assert [line[:500] for line in tab.complaints] == []


def wait_for(tab, expression):
    """Wait until an expression is true; a page that is loaded in the meantime is asked again."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            if tab.ask(expression):
                return
        except AssertionError:
            pass
        time.sleep(0.02)
    raise AssertionError(f"waited {LIMIT} seconds for {expression}")


def test_a_page_is_read_as_it_is_meant(browser, tmp_path):
    path = tmp_path / "page.html"
    sections = [markup.Section("a", "A", "<p>one</p>")]
    path.write_text(markup.page(title="T", heading="H", lead="", sections=sections), encoding="utf-8")
    browser.open(path)
    read = browser.ask("document.documentElement.outerHTML")
    assert '<section id="a"><h2>A</h2><p>one</p></section>' in read
    assert "prefers-color-scheme: dark" in read


SEEN = """
(() => {
  const seen = (one) => getComputedStyle(one).visibility === "visible";
  return [[...document.querySelectorAll("circle.gw-lit")].filter(seen).length,
          [...document.querySelectorAll("text.gw-note")].filter(seen).map(one => one.textContent)];
})()
"""


def test_an_animation_shows_its_scenes_one_after_the_other(browser, tmp_path):
    recording = record(search_for("and:5", nodes=8), seed=4)
    file = tmp_path / "run.svg"
    file.write_text(animation_svg(recording), encoding="utf-8")
    scenes = scenes_of(recording)
    ends = list(accumulate(scene.milliseconds for scene in scenes))
    browser.show(900, prefers_reduced_motion="no-preference")
    browser.open(file)
    for scene, end in zip(scenes, ends, strict=True):
        moment = end - scene.milliseconds / 2
        browser.ask(
            f"document.getAnimations().forEach(one => {{ one.pause(); one.currentTime = {moment}; }})"
        )
        lit, words = browser.ask(SEEN)
        assert lit == sum(scene.lit)
        assert scene.words in words
    browser.show(900, prefers_reduced_motion="reduce")
    browser.open(file)
    assert browser.ask("document.getAnimations().length") == 0
    assert browser.ask(SEEN)[0] == sum(scenes[-1].lit)
    assert scenes[-1].words in browser.ask(SEEN)[1]


@pytest.fixture(scope="module")
def data():
    return page_data(everything(), resamples=5)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store_tables, "_RESAMPLES", 10)
        everything().report(path)
    return path


def open_report(tab, path, width=1280, theme="light"):
    tab.show(width, prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    tab.open(path)
    wait_for(tab, "document.body.dataset.ready")


def ink(tab, chart):
    """What is drawn in a chart."""
    return tab.ask(
        "new Promise(done => setTimeout(done, 60))"
        f".then(() => document.querySelector('#{chart} canvas').toDataURL())"
    )


def readout(tab, chart):
    return tab.ask(
        f"[...document.querySelectorAll('#{chart}-readout tr')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )


def test_axes_and_models_are_switched(browser, page):
    open_report(browser, page)
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


def test_the_numbers_are_read_by_hover_and_by_keys(browser, page, data):
    open_report(browser, page)
    curve = data["times"]["axes"][0]["curves"][0]
    browser.ask("document.querySelector('#times-chart').scrollIntoView({block: 'center'})")
    box = browser.ask(
        "(({left, top, width}) => [left, top, width])"
        "(document.querySelector('#times-chart .u-over').getBoundingClientRect())"
    )
    for share, index in ((0.02, 0), (0.66, 2)):  # n = 2 and n = 4 of 2 to 6, on a logarithmic axis
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + share * box[2], y=box[1] + 40)
        browser.ask("new Promise(done => setTimeout(done, 60))")
        rows = readout(browser, "times")
        assert rows[1][0] == curve["name"]
        assert float(rows[1][1].replace(",", "")) == pytest.approx(curve["ert"][index], rel=1e-3)
        assert rows[1][4] == "12 of 12"
    browser.ask("document.getElementById('times-chart').focus()")
    browser.press("Home")
    browser.ask("new Promise(done => setTimeout(done, 60))")
    caption = "document.querySelector('#times-readout caption').textContent"
    assert browser.ask(caption) == "n = 2, in iterations"
    browser.press("ArrowRight")
    browser.ask("new Promise(done => setTimeout(done, 60))")
    assert browser.ask(caption) == "n = 3, in iterations"


def test_distributions_are_chosen_by_size(browser, page):
    open_report(browser, page)
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


def test_runs_are_compared_with_their_chains_in_a_table(browser, page):
    open_report(browser, page)
    rows = browser.ask(
        "[...document.querySelectorAll('#distributions-fits tbody tr')].map(row => row.textContent)"
    )
    assert len(rows) >= 4
    assert all(row.startswith("and:") and row.endswith("no difference shown") for row in rows)
    words = browser.ask("document.getElementById('distributions-fits').textContent")
    assert "below 0.05 they differ." in words
    assert "without an exact distribution: a page solves only chains that take a moment." in words


def test_generalisation_is_drawn_against_n(browser, page, tmp_path):
    path = tmp_path / "sampled.html"
    report(sampled(), path)
    open_report(browser, path)
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
    open_report(browser, page)  # one size: a table alone
    assert browser.ask("document.getElementById('generalisation-body').hidden")
    assert "and:6" in browser.ask("document.getElementById('generalisation-table').textContent")


def test_downloads(browser, page, data, tmp_path):
    open_report(browser, page)
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


def test_labels_of_a_report_are_text(browser, data, tmp_path):
    def spoilt(value, key=""):
        if isinstance(value, dict):
            return {name: spoilt(item, name) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [spoilt(item, key) for item in value]
        unspoilt = ("svg", "x", "model", "made", "columns", "reason")
        return value + MARKUP if isinstance(value, str) and value and key not in unspoilt else value

    path = tmp_path / "nasty.html"
    path.write_text(page_of(spoilt(data)), encoding="utf-8")
    open_report(browser, path)
    assert browser.ask("[...document.images].filter(one => !one.src.startsWith('data:')).length") == 0
    assert MARKUP in browser.ask("document.getElementById('name').textContent")
    for part in (
        "cells",
        "times-curves",
        "distributions-curves",
        "distributions-fits",
        "growth-body",
        "comparisons-body",
        "origin-body",
    ):
        assert MARKUP in browser.ask(f"document.getElementById('{part}').textContent")
    assert browser.ask("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (360, "dark"), (768, "light"), (1920, "dark")])
def test_a_report_fits_the_window_and_can_be_read(browser, page, width, theme):
    open_report(browser, page, width, theme)
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


def test_every_switch_is_reached_with_tab_and_shows_it(browser, page):
    open_report(browser, page)
    switches = "[...document.querySelectorAll('.switches [data-key]')].filter(one => one.type !== 'radio')"
    keys = set(browser.ask(f"{switches}.map(one => one.dataset.key)"))
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
    assert keys <= reached
    assert {"times-chart", "times-y-log", "steps-x-log"} <= reached
    unnamed = (
        "[...document.querySelectorAll('button, input, select, img, [tabindex]')].filter(one => !one.alt"
        " && !one.textContent.trim() && !one.getAttribute('aria-label') && !one.closest('label')).length"
    )
    assert browser.ask(unnamed) == 0


def test_a_report_can_be_printed(browser, page):
    open_report(browser, page, theme="dark")
    browser.ask("addEventListener('beforeprint', () => { window.printed = "
                "[...document.querySelectorAll('.uplot')].map(one => one.offsetWidth); })")  # fmt: skip
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF")
    assert browser.ask("window.printed") == [640, 640]
    assert browser.ask("'print' in document.documentElement.dataset") is False


@pytest.mark.parametrize("results", [nothing(), unsolved()], ids=["nothing", "unsolved"])
def test_poor_stores_say_what_is_missing(browser, tmp_path, results):
    path = tmp_path / "poor.html"
    report(results, path)
    open_report(browser, path, 360)
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    text = browser.ask("document.body.innerText")
    assert ("There is no finished run yet." in text) is (results is nothing())
    assert ("Arrows: no run was solved" in text) is (results is unsolved())


FOLLOWED = """
[grid]
target = "and"
n = [2, 3]
selection = ["strict", "nonstrict"]
replications = {}
"""
COUNTS = "document.querySelector('#counts').textContent"


def checked(tab, selector):
    return tab.ask(f"document.querySelector({json.dumps(selector)}).checked")


def test_a_page_that_follows_a_campaign_stays_as_the_reader_left_it(browser, tmp_path):
    """Whatever is switched, opened and scrolled to survives a reload; the last page is not loaded again."""
    store, path = tmp_path / "runs.sqlite", tmp_path / "runs.html"

    def write(replications, **options):
        with run(parse(FOLLOWED.format(replications)), store, jobs=1) as results:
            data = page_data(results, resamples=5)
        write_page(page_of(data, **options), path)

    write_page(page_of(None, reload_seconds=0.3), path)
    browser.show(1280, 500, prefers_color_scheme="light", prefers_reduced_motion="reduce")
    browser.open(path)
    assert "about to begin" in browser.ask("document.getElementById('state').textContent")
    write(3, reload_seconds=1.0)
    wait_for(browser, f"document.body.dataset.ready && {COUNTS}.includes('of 12 requested')")
    browser.click("#times-switches [data-key='times-y-linear']")
    browser.click("#times-curves input")
    browser.click("#comparisons summary")
    browser.ask("document.getElementById('times-chart').scrollIntoView({behavior: 'instant'})")
    is_open = browser.ask("document.querySelector('#comparisons details').open")
    top = browser.ask("scrollY")
    assert top > 200
    for replications, options in ((6, {"reload_seconds": 1.0}), (9, {})):
        write(replications, **options)
        wait_for(browser, f"document.body.dataset.ready && {COUNTS}.includes('{4 * replications} requested')")
        assert checked(browser, "#times-switches [data-key=times-y-linear]")
        assert not checked(browser, "#times-curves input")
        assert browser.ask("document.querySelector('#comparisons details').open") is is_open
        assert abs(browser.ask("scrollY") - top) < 100  # tables above may have grown
    browser.ask("window.stays = true")
    time.sleep(1.5)
    assert browser.ask("window.stays")


def test_a_page_that_is_no_longer_renewed_says_so(browser, data, tmp_path):
    path = tmp_path / "old.html"
    old = {**data, "made": "2024-01-02 03:04:05 UTC", "state": {"running": True, "words": "running: 1 of 2"}}
    path.write_text(page_of(old, reload_seconds=60.0), encoding="utf-8")
    open_report(browser, path, 360)
    state = "[document.getElementById('state').className, document.getElementById('state').textContent]"
    kind, words = browser.ask(state)
    assert kind == "gone"
    assert "not been renewed since 2024-01-02 03:04:05 UTC" in words
    assert browser.ask("document.documentElement.scrollWidth") <= 360


@pytest.fixture(scope="module")
def recording():
    return record(search_for("and:6", nodes=12), seed=1)


@pytest.fixture(scope="module")
def gates():
    """Several gates and outputs, of which one reads three inputs."""
    return record(search_for("add:1", nodes=14, gates="and,xor,mux,nimply"), seed=7)


def open_replay(tab, recording, folder, width=1280, **media):
    """Show the page of a recording, at rest."""
    page = folder / "run.html"
    page.write_text(replay_page(recording), encoding="utf-8")
    tab.show(width, **{"prefers_reduced_motion": "reduce", "prefers_color_scheme": "light", **media})
    tab.open(page)


def position(tab):
    """The frame, the step in it, and what kind of step it is."""
    frame, step, kind = tab.ask("(({frame, step, kind}) => [frame, step, kind])(document.body.dataset)")
    return int(frame), int(step), kind


def program(tab):
    """The texts of all genes, and which nodes are lit."""
    return tab.ask(
        "[[...document.querySelectorAll('.gene text')].map(one => one.textContent),"
        "[...document.querySelectorAll('.source.node')].map(one => one.classList.contains('lit'))]"
    )


def expected(recording, genes):
    shape = recording.run.search.shape
    texts = [str(gene) for gene in genes.tolist()]
    for first in range(0, shape.nodes * shape.block, shape.block):
        name = shape.gates.gates[genes[first]].name
        texts[first] = SIGNS.get(name, name[:4])
    return texts, active_nodes(shape, genes.astype(np.int64)).tolist()


def nasty_target():
    a, b = Node(gate("and"), (0, 1)), Node(gate("or"), (2, 3))
    return target(Circuit(tuple(NASTY), (a, b), (4,), ("<i>out</i>",)))


def test_steps_show_the_programs_of_the_run(browser, gates, tmp_path):
    open_replay(browser, gates, tmp_path)
    assert position(browser) == (0, 0, "start")
    assert program(browser) == list(expected(gates, gates.start))
    states = list(parents(gates))
    assert len(states) > 70  # beyond a program that is kept whole
    kinds = set()
    for number, (frame, (_, after)) in enumerate(zip(gates.frames, states, strict=True), start=1):
        browser.press("ArrowDown")
        at, step, kind = position(browser)
        kinds.add(kind)
        assert (at, step) == (number, len(frame.made[0].picks) + 1)
        assert kind == (
            "rejected" if frame.chosen is None else "improved" if frame.fitness < frame.before else "neutral"
        )
        assert program(browser) == list(expected(gates, after))
    assert kinds == {"rejected", "neutral", "improved"}
    for number in (len(states) - 1, 40, 3):
        browser.ask(f"document.getElementById('seek').value = {number};"
                    "document.getElementById('seek').dispatchEvent(new Event('input'))")  # fmt: skip
        assert program(browser) == list(expected(gates, states[number - 1][1]))


def test_picks_are_shown_one_by_one(browser, recording, tmp_path):
    open_replay(browser, recording, tmp_path)
    number = next(i for i, frame in enumerate(recording.frames) if len(frame.made[0].picks) >= 3)
    frame, (before, _) = recording.frames[number], list(parents(recording))[number]
    for _ in range(number):
        browser.press("ArrowDown")
    genes = before.copy()
    _, lit = expected(recording, before)
    for count, (gene, value) in enumerate(frame.made[0].picks, start=1):
        browser.press("ArrowRight")
        genes[gene] = value
        assert position(browser) == (number + 1, count - 1, "pick")
        assert program(browser) == [expected(recording, genes)[0], lit]  # lit is what is active in the parent
        picked = "[...document.querySelectorAll('.gene')].findIndex(one => one.classList.contains('picked'))"
        assert browser.ask(picked) == gene
        changed = (
            "[...document.querySelectorAll('.gene')]"
            ".flatMap((one, i) => one.classList.contains('changed') ? [i] : [])"
        )
        assert browser.ask(changed) == np.flatnonzero(genes != before).tolist()
        assert browser.ask("document.querySelectorAll('#picks tbody tr').length") == count
        cells = "[...document.querySelectorAll('#picks tbody tr:last-child td')].map(one => one.textContent)"
        is_active = gene >= len(lit) * 3 or lit[gene // 3]
        assert browser.ask(cells)[::4] == [str(count), "active" if is_active else "inactive"]
        status = browser.ask("document.getElementById('status').textContent")
        assert ("SAM ends here" if count == len(frame.made[0].picks) else "SAM goes on") in status
    browser.press("ArrowRight")
    assert position(browser)[2] == "evaluate"
    assert program(browser) == list(expected(recording, genes))
    assert browser.ask("document.getElementById('h-circuit').textContent") == "Circuit of the offspring"
    browser.press("ArrowLeft")
    assert position(browser) == (number + 1, len(frame.made[0].picks) - 1, "pick")


def test_buttons_do_what_they_say(browser, recording, tmp_path):
    open_replay(browser, recording, tmp_path)
    improved = [i for i, frame in enumerate(recording.frames, start=1) if frame.fitness < frame.before]
    for frame in improved:
        browser.click("#improvement")
        assert position(browser)[::2] == (frame, "improved")
    assert browser.ask("document.getElementById('improvement').disabled")
    assert browser.ask("document.getElementById('step').disabled")
    assert "solved" in browser.ask("document.getElementById('status').textContent")
    gates = "document.querySelectorAll('#circuit .part:not(.input):not(.output)').length"
    assert browser.ask(gates) == recording.run.gates
    browser.click("#restart")
    assert position(browser) == (0, 0, "start")
    browser.click("#step")
    assert position(browser) == (1, 0, "pick")
    browser.click("#iteration")
    assert position(browser)[::2] == (1, "rejected")
    browser.click("#back")
    assert position(browser)[::2] == (1, "evaluate")
    browser.click("#improvements tbody tr:nth-child(3) button")
    assert position(browser)[0] == improved[1]
    browser.click("#fitness .hit")  # the middle of the curve
    assert abs(position(browser)[0] - len(recording.frames) / 2) <= 2


def test_a_replay_plays_and_pauses(browser, recording, tmp_path):
    def label():
        return browser.ask("document.getElementById('play').textContent")

    open_replay(browser, recording, tmp_path)
    assert label() == "Play"
    browser.press("+")
    browser.press("+")
    assert browser.ask("document.getElementById('speed-words').textContent") == "4 iterations a second"
    for _ in range(3):
        browser.press("+")
    assert browser.ask("document.getElementById('speed-words').textContent") == "600 iterations a second"
    browser.press("Space")
    assert label() == "Pause"
    browser.ask(
        "new Promise(done => { const look = () => document.getElementById('play').textContent === 'Play'"
        " ? done() : setTimeout(look, 5); look(); })"
    )
    assert position(browser)[::2] == (len(recording.frames), "improved")
    browser.press("-")
    assert browser.ask("document.getElementById('speed-words').textContent") == "60 iterations a second"
    browser.click("#play")
    browser.press("ArrowLeft")  # a step pauses
    assert label() == "Play"
    browser.press("Home")
    assert position(browser)[0] == 0
    browser.press("n")
    assert position(browser)[2] == "improved"
    browser.press("End")
    assert position(browser)[0] == len(recording.frames)


def test_a_replay_begins_to_play_unless_motion_is_not_wanted(browser, recording, tmp_path):
    open_replay(browser, recording, tmp_path, prefers_reduced_motion="no-preference")
    assert browser.ask("document.getElementById('play').textContent") == "Pause"


def test_keys_of_sliders_and_buttons_stay_theirs(browser, recording, tmp_path):
    open_replay(browser, recording, tmp_path)
    browser.ask("document.getElementById('seek').focus()")
    browser.press("ArrowRight")
    assert position(browser)[0] == 1  # the slider moved by a frame, not by a pick
    assert position(browser)[2] == "rejected"
    browser.ask("document.getElementById('restart').focus()")
    browser.press("Space")
    assert position(browser) == (0, 0, "start")
    assert browser.ask("document.getElementById('play').textContent") == "Play"


def test_every_control_is_reached_with_tab_and_shows_it(browser, recording, tmp_path):
    open_replay(browser, recording, tmp_path)
    browser.press("ArrowRight")
    reached = []
    for _ in range(9):
        browser.press("Tab")
        reached.append(browser.ask("document.activeElement.id"))
        assert browser.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert reached[:8] == ["play", "back", "step", "iteration", "improvement", "restart", "speed", "seek"]
    unnamed = (
        "[...document.querySelectorAll('button, input, [role=img], [tabindex]')].filter(one =>"
        " !one.textContent.trim() && !one.getAttribute('aria-label') && !one.closest('label')).length"
    )
    assert browser.ask(unnamed) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_letters_of_a_replay_have_contrast(browser, gates, tmp_path, theme):
    open_replay(browser, gates, tmp_path, prefers_color_scheme=theme)
    pages = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}
    assert browser.ask("getComputedStyle(document.documentElement).backgroundColor") == pages[theme]
    for key in ("n", "ArrowRight", "ArrowRight", "n"):
        browser.press(key)
        count, pale = browser.ask(CONTRAST)
        assert count > 100
        assert pale == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_replay_is_wider_than_the_window(browser, recording, tmp_path, width):
    open_replay(browser, recording, tmp_path, width)
    for key in ("n", "ArrowRight", "End"):
        browser.press(key)
        assert browser.ask("document.documentElement.scrollWidth") <= width
    heights = "[...document.querySelectorAll('button')].map(one => one.getBoundingClientRect().height)"
    assert min(browser.ask(heights)) >= 28


def test_in_print_a_replay_is_light_and_without_buttons(browser, recording, tmp_path):
    open_replay(browser, recording, tmp_path, prefers_color_scheme="dark")
    browser.press("n")
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert (
            browser.ask("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        )
        assert browser.ask("document.getElementById('play').getClientRects().length") == 0
        assert browser.ask("document.querySelectorAll('#circuit .part').length") > 6
        assert len(browser.call("Page.printToPDF")["data"]) > 10_000
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")


def test_labels_of_a_replay_are_text(browser, tmp_path):
    recording = record(search_for(nasty_target(), nodes=9, gates="and,or"), seed=1)
    open_replay(browser, recording, tmp_path)
    browser.press("n")
    assert browser.ask("document.querySelectorAll('b, i, img').length") == 0
    titles = browser.ask(
        "[...document.querySelectorAll('#circuit .input title, #circuit .output title')]"
        ".map(one => one.textContent)"
    )
    assert set(titles) == {*NASTY, "<i>out</i>"}


def test_many_nodes_are_cells(browser, tmp_path):
    recording = record(search_for("and:30", nodes=1000), seed=1, triggers=Triggers(first=40, neutral=0))
    open_replay(browser, recording, tmp_path, 360)
    browser.press("n")
    at = position(browser)[0]
    lit = browser.ask(
        "[...document.querySelectorAll('.cell.node')].map(one => one.classList.contains('lit'))"
    )
    assert lit == expected(recording, list(parents(recording))[at - 1][1])[1]
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    browser.click(".cell.lit")
    assert browser.ask("document.getElementById('details').textContent").startswith("node ")


def test_generations_of_several_offspring(browser, tmp_path):
    recording = record(search_for("and:6", nodes=12, offspring=4), seed=1)
    open_replay(browser, recording, tmp_path)
    for (_, after), frame in zip(parents(recording), recording.frames, strict=True):
        browser.press("ArrowDown")
        assert position(browser)[1] == sum(len(offspring.picks) + 1 for offspring in frame.made)
        assert program(browser) == list(expected(recording, after))
    status = browser.ask("document.getElementById('status').textContent")
    assert f"Iterations {recording.frames[-1].offspring - len(frame.made) + 1} to" in status


@pytest.mark.parametrize("text", ["and:1", "xor:7"])  # solved at the start; nothing recorded but the end
def test_runs_with_nothing_to_see(browser, tmp_path, text):
    nothing = Triggers(first=0, neutral=0, powers=False)
    recording = record(search_for(text, nodes=6, budget=50), seed=1, triggers=nothing)
    open_replay(browser, recording, tmp_path)
    browser.press("End")
    assert position(browser)[2] == "end"
    assert "The recording ends after" in browser.ask("document.getElementById('status').textContent")
    assert program(browser) == list(expected(recording, recording.run.program))
