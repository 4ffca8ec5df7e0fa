"""Runs in a notebook: a table, the circuit and the course of the fitness; nothing from outside is markup."""

import re
from xml.etree import ElementTree

import pytest

import gatewalk as gw
from gatewalk.search.notebook import run_html, runs_html


def parsed(html):
    """The page as a tree: it must be well-formed."""
    return ElementTree.fromstring(html)


def rows(html):
    """The table as a dictionary."""
    cells = [
        "".join(cell.itertext()) for cell in parsed(html).find("div/table").iter() if cell.tag in ("th", "td")
    ]
    return dict(zip(cells[::2], cells[1::2], strict=True))


def courses(html):
    """The steps of each course in the chart, as the path of SVG."""
    svg = "{http://www.w3.org/2000/svg}"
    charts = [chart for chart in parsed(html).iter(f"{svg}svg") if chart.find(f"{svg}title") is not None]
    (chart,) = [chart for chart in charts if chart.find(f"{svg}title").text == "Mismatches by iterations"]
    return [path.get("d") for path in chart.findall(f"{svg}g/{svg}path")]


def test_a_run():
    run = gw.evolve("and:4", nodes=8, seed=1)
    html = run._repr_html_()
    table = rows(html)
    assert table["search"].startswith("and:4, cgp, gates and, D = 8")
    assert (table["solved"], table["iterations"], table["gates"], table["seed"]) == ("yes", "8", "3", "1")
    assert html.count("<svg") == 2
    assert run.circuit._repr_svg_() in html


def test_the_course_ends_where_the_run_did():
    run = gw.evolve("and:30", seed=1, budget=50)
    assert not run.solved
    (steps,) = courses(run_html(run))
    x, y = re.match(r"M([\d.]+) ([\d.]+)", steps).groups()
    assert (float(x), float(y)) == (64.0, 12.0)  # it begins with the most mismatches, at the left
    assert steps.count("V") == len(run.improvements) - 1
    assert steps.endswith("H332.0")  # it ends at the budget, at the right
    assert float(steps.rpartition("V")[2].partition("H")[0]) < 160.0  # above zero


def test_many_runs():
    runs = gw.run_many("and:5", nodes=10, seed=1, runs=80)
    html = runs_html(runs)
    table = rows(html)
    assert table["runs"] == "80"
    assert table["solved"].startswith("80 (95 %: ")
    assert table["ERT"] == str(runs.ert())
    assert "first 60 runs" in html
    assert len(courses(html)) == 60


def test_runs_of_which_none_was_solved():
    html = runs_html(gw.run_many("maj:5", seed=1, runs=3, budget=20))
    table = rows(html)
    assert (table["ERT"], table["median"]) == ("not solved", "not reached")
    assert "smallest circuit" not in table


def test_runs_without_traces_and_no_runs():
    runs = gw.run_many("and:3", seed=1, runs=3)
    assert "not kept" in runs_html(gw.Runs(**{**vars(runs), "improvements": [()] * 3}))
    assert rows(runs_html(runs[:0]))["runs"] == "none"


def test_numbers_of_hundreds_of_digits_are_drawn():
    html = run_html(gw.evolve("and:1500", seed=1, budget=200))
    assert "2^14" in html
    assert parsed(html) is not None


@pytest.mark.parametrize("show", [run_html, lambda run: runs_html(gw.run_many(run.search, runs=2, seed=1))])
def test_names_are_no_markup(show):
    target = gw.target(0x96, inputs=3, name="<script>&\"'")
    html = show(gw.evolve(target, seed=1, gates="xor"))
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert parsed(html) is not None
