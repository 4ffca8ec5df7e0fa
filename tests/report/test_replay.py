"""The page of a recorded run: what is in the file, and what a browser makes of it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from live_browser import Tab, live_browser

from gatewalk.boolean.gates import gate
from gatewalk.boolean.targets import Target
from gatewalk.cgp.genotype import active_nodes
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.own_target import target
from gatewalk.report.replay import replay_page
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.program_drawing import SIGNS
from gatewalk.search.recorder import record
from gatewalk.search.recording import Recording, parents
from gatewalk.search.settings import settings
from gatewalk.search.triggers import Triggers

NASTY = ['<b id="x">&amp;', "</script><img src=x onerror=alert(1)>", "'\"`"]
WIDTHS = (360, 768, 1280, 1920)


def held(page: str) -> dict:
    """The run in a page."""
    return json.loads(
        re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.DOTALL)[1]
    )


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record(settings("and:6", nodes=12), seed=1)


@pytest.fixture(scope="module")
def gates() -> Recording:
    """Several gates and outputs, of which one reads three inputs."""
    return record(settings("add:1", nodes=14, gates="and,xor,mux,nimply"), seed=7)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with live_browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab
        assert tab.complaints == []


def opened(tab: Tab, recording: Recording, folder: Path, width: int = 1280, **media: str) -> None:
    """Show the page of a recording, at rest."""
    page = folder / "run.html"
    page.write_text(replay_page(recording), encoding="utf-8")
    tab.show(width, **{"prefers_reduced_motion": "reduce", "prefers_color_scheme": "light", **media})
    tab.open(page)


def place(tab: Tab) -> tuple[int, int, str]:
    """The frame, the step in it, and what kind of step it is."""
    frame, step, kind = tab.ask("(({frame, step, kind}) => [frame, step, kind])(document.body.dataset)")
    return int(frame), int(step), kind


def program(tab: Tab) -> tuple[list[str], list[bool]]:
    """The texts of all genes, and which nodes are lit."""
    return tab.ask(
        "[[...document.querySelectorAll('.gene text')].map(one => one.textContent),"
        "[...document.querySelectorAll('.source.node')].map(one => one.classList.contains('lit'))]"
    )


def expected(recording: Recording, genes: np.ndarray) -> tuple[list[str], list[bool]]:
    shape = shape_of(recording.run.settings)
    texts = [str(gene) for gene in genes.tolist()]
    for first in range(0, shape.nodes * shape.block, shape.block):
        name = shape.gates.gates[genes[first]].name
        texts[first] = SIGNS.get(name, name[:4])
    return texts, active_nodes(shape, genes.astype(np.int64)).tolist()


def test_the_file_holds_every_program_of_the_run(recording: Recording) -> None:
    run = held(replay_page(recording))
    genes = list(run["start"])
    fitness = run["startFitness"]
    for (time, chosen, jump, before, *made), frame, (_, after) in zip(
        run["frames"], recording.frames, parents(recording), strict=True
    ):
        for gene, value in zip(jump[::2], jump[1::2], strict=True):
            genes[gene] = value
        assert before == fitness
        if chosen:
            fitness, picks = made[2 * (chosen - 1) : 2 * chosen]
            for gene, value in zip(picks[::2], picks[1::2], strict=True):
                genes[gene] = value
        assert (time, genes) == (frame.offspring, after.tolist())
        assert run["fitness"][fitness][0] == str(frame.fitness)


def test_the_file_fetches_nothing(recording: Recording) -> None:
    page = replay_page(recording)
    assert re.findall(r"https?://[^\s\"'<]+", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert re.findall(r"<(?:link|img|iframe)|<script[^>]*src|url\(|@import", page) == []
    assert "@style@" not in page
    assert "@run@" not in page


def test_a_long_run_is_thinned_until_its_page_is_small_enough() -> None:
    found = record(settings("xor:7", nodes=9), seed=1, triggers=Triggers(first=3000))
    whole, small = replay_page(found), replay_page(found, most_bytes=90_000)
    assert len(small.encode()) <= 90_000 < len(whole.encode())
    left_out = len(found.frames) - len(held(small)["frames"])
    assert left_out > 100
    assert f"{left_out:,} of {len(found.frames):,} recorded generations are left out" in small
    assert "left out" not in whole
    times = {frame[0] for frame in held(small)["frames"]}
    assert {offspring for offspring, _ in found.run.improvements[1:]} <= times


def nasty_target() -> Target:
    a, b = Node(gate("and"), (0, 1)), Node(gate("or"), (2, 3))
    return target(Circuit(tuple(NASTY), (a, b), (4,), ("<i>out</i>",)))


def test_steps_show_the_programs_of_the_run(browser: Tab, gates: Recording, tmp_path: Path) -> None:
    opened(browser, gates, tmp_path)
    assert place(browser) == (0, 0, "start")
    assert program(browser) == list(expected(gates, gates.start))
    states = list(parents(gates))
    assert len(states) > 70  # beyond a program that is kept whole
    kinds = set()
    for number, (frame, (_, after)) in enumerate(zip(gates.frames, states, strict=True), start=1):
        browser.press("ArrowDown")
        at, step, kind = place(browser)
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


def test_picks_are_shown_one_by_one(browser: Tab, recording: Recording, tmp_path: Path) -> None:
    opened(browser, recording, tmp_path)
    number = next(i for i, frame in enumerate(recording.frames) if len(frame.made[0].picks) >= 3)
    frame, (before, _) = recording.frames[number], list(parents(recording))[number]
    for _ in range(number):
        browser.press("ArrowDown")
    genes = before.copy()
    _, lit = expected(recording, before)
    for count, (gene, value) in enumerate(frame.made[0].picks, start=1):
        browser.press("ArrowRight")
        genes[gene] = value
        assert place(browser) == (number + 1, count - 1, "pick")
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
    assert place(browser)[2] == "evaluate"
    assert program(browser) == list(expected(recording, genes))
    assert browser.ask("document.getElementById('h-circuit').textContent") == "Circuit of the offspring"
    browser.press("ArrowLeft")
    assert place(browser) == (number + 1, len(frame.made[0].picks) - 1, "pick")


def test_buttons_do_what_they_say(browser: Tab, recording: Recording, tmp_path: Path) -> None:
    opened(browser, recording, tmp_path)
    improved = [i for i, one in enumerate(recording.frames, start=1) if one.fitness < one.before]
    for frame in improved:
        browser.click("#improvement")
        assert place(browser)[::2] == (frame, "improved")
    assert browser.ask("document.getElementById('improvement').disabled")
    assert browser.ask("document.getElementById('step').disabled")
    assert "solved" in browser.ask("document.getElementById('status').textContent")
    gates = "document.querySelectorAll('#circuit .part:not(.input):not(.output)').length"
    assert browser.ask(gates) == recording.run.gates
    browser.click("#restart")
    assert place(browser) == (0, 0, "start")
    browser.click("#step")
    assert place(browser) == (1, 0, "pick")
    browser.click("#iteration")
    assert place(browser)[::2] == (1, "rejected")
    browser.click("#back")
    assert place(browser)[::2] == (1, "evaluate")
    browser.click("#improvements tbody tr:nth-child(3) button")
    assert place(browser)[0] == improved[1]
    browser.click("#fitness .hit")  # the middle of the curve
    assert abs(place(browser)[0] - len(recording.frames) / 2) <= 2


def test_it_plays_and_pauses(browser: Tab, recording: Recording, tmp_path: Path) -> None:
    def label() -> str:
        return browser.ask("document.getElementById('play').textContent")

    opened(browser, recording, tmp_path)
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
    assert place(browser)[::2] == (len(recording.frames), "improved")
    browser.press("-")
    assert browser.ask("document.getElementById('speed-words').textContent") == "60 iterations a second"
    browser.click("#play")
    browser.press("ArrowLeft")  # a step pauses
    assert label() == "Play"
    browser.press("Home")
    assert place(browser)[0] == 0
    browser.press("n")
    assert place(browser)[2] == "improved"
    browser.press("End")
    assert place(browser)[0] == len(recording.frames)


def test_it_begins_to_play_unless_motion_is_not_wanted(
    browser: Tab, recording: Recording, tmp_path: Path
) -> None:
    opened(browser, recording, tmp_path, prefers_reduced_motion="no-preference")
    assert browser.ask("document.getElementById('play').textContent") == "Pause"


def test_keys_of_sliders_and_buttons_stay_theirs(browser: Tab, recording: Recording, tmp_path: Path) -> None:
    opened(browser, recording, tmp_path)
    browser.ask("document.getElementById('seek').focus()")
    browser.press("ArrowRight")
    assert place(browser)[0] == 1  # the slider moved by a frame, not by a pick
    assert place(browser)[2] == "rejected"
    browser.ask("document.getElementById('restart').focus()")
    browser.press("Space")
    assert place(browser) == (0, 0, "start")
    assert browser.ask("document.getElementById('play').textContent") == "Play"


def test_every_control_is_reached_with_tab_and_shows_it(
    browser: Tab, recording: Recording, tmp_path: Path
) -> None:
    opened(browser, recording, tmp_path)
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_letters_have_contrast(browser: Tab, gates: Recording, tmp_path: Path, theme: str) -> None:
    opened(browser, gates, tmp_path, prefers_color_scheme=theme)
    pages = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}
    assert browser.ask("getComputedStyle(document.documentElement).backgroundColor") == pages[theme]
    for key in ("n", "ArrowRight", "ArrowRight", "n"):
        browser.press(key)
        count, pale = browser.ask(CONTRAST)
        assert count > 100
        assert pale == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(
    browser: Tab, recording: Recording, tmp_path: Path, width: int
) -> None:
    opened(browser, recording, tmp_path, width)
    for key in ("n", "ArrowRight", "End"):
        browser.press(key)
        assert browser.ask("document.documentElement.scrollWidth") <= width
    heights = "[...document.querySelectorAll('button')].map(one => one.getBoundingClientRect().height)"
    assert min(browser.ask(heights)) >= 28


def test_in_print_it_is_light_and_without_buttons(browser: Tab, recording: Recording, tmp_path: Path) -> None:
    opened(browser, recording, tmp_path, prefers_color_scheme="dark")
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


def test_labels_are_text(browser: Tab, tmp_path: Path) -> None:
    found = record(settings(nasty_target(), nodes=9, gates="and,or"), seed=1)
    opened(browser, found, tmp_path)
    browser.press("n")
    assert browser.ask("document.querySelectorAll('b, i, img').length") == 0
    titles = browser.ask(
        "[...document.querySelectorAll('#circuit .input title, #circuit .output title')]"
        ".map(one => one.textContent)"
    )
    assert set(titles) == {*NASTY, "<i>out</i>"}


def test_many_nodes_are_cells(browser: Tab, tmp_path: Path) -> None:
    found = record(settings("and:30", nodes=1000), seed=1, triggers=Triggers(first=40, neutral=0))
    opened(browser, found, tmp_path, 360)
    browser.press("n")
    at = place(browser)[0]
    lit = browser.ask(
        "[...document.querySelectorAll('.cell.node')].map(one => one.classList.contains('lit'))"
    )
    assert lit == expected(found, list(parents(found))[at - 1][1])[1]
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    browser.click(".cell.lit")
    assert browser.ask("document.getElementById('details').textContent").startswith("node ")


def test_generations_of_several_offspring(browser: Tab, tmp_path: Path) -> None:
    found = record(settings("and:6", nodes=12, offspring=4), seed=1)
    opened(browser, found, tmp_path)
    for (_, after), frame in zip(parents(found), found.frames, strict=True):
        browser.press("ArrowDown")
        assert place(browser)[1] == sum(len(one.picks) + 1 for one in frame.made)
        assert program(browser) == list(expected(found, after))
    status = browser.ask("document.getElementById('status').textContent")
    assert f"Iterations {found.frames[-1].offspring - len(frame.made) + 1} to" in status


@pytest.mark.parametrize("text", ["and:1", "xor:7"])  # solved at the start; nothing recorded but the end
def test_runs_with_nothing_to_see(browser: Tab, tmp_path: Path, text: str) -> None:
    nothing = Triggers(first=0, neutral=0, powers=False)
    found = record(settings(text, nodes=6, budget=50), seed=1, triggers=nothing)
    opened(browser, found, tmp_path)
    browser.press("End")
    assert place(browser)[2] == "end"
    assert "The recording ends after" in browser.ask("document.getElementById('status').textContent")
    assert program(browser) == list(expected(found, found.run.program))
