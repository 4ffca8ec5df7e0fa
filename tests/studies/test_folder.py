"""A study's folder is read into values, and whatever is wrong in it is one line that says where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gatewalk_studies
from gatewalk.campaign import read
from gatewalk.errors import InputError
from gatewalk.studies import Request, names, read_study, run_study
from gatewalk.studies.folder import (
    MOST_WORDS,
    QUICK_BUDGET,
    QUICK_RUNS,
    blamed_on,
    campaign_of,
    cells_of,
    find,
    package_of,
    read_code,
)

HOME = Path(gatewalk_studies.__file__).parent
HEADER = '[study]\ntitle = "T"\nquestion = "Q"\n'
GRID = '[grid]\ntarget = ["and:2"]\n'
RUNS = "target,time,solved\nand:2,3,true\n"


def test_a_folder_with_a_spec_alone_is_a_study(folder):
    study = read_study(folder())
    assert (study.name, study.title, study.question) == ("mine", "Mine <b>", "Do spare nodes help?")
    assert (study.minutes, study.x, study.time, study.published) == (0.1, "n", "iterations", None)
    assert len(cells_of(study)) == 6
    assert {cell.seed for cell in cells_of(study, seed=9)} == {9}


def test_a_quick_run_without_words_of_its_own_is_short(folder):
    cells = cells_of(read_study(folder(HEADER.join(["", GRID]))), quick=True)
    assert {(cell.replications, cell.search.budget) for cell in cells} == {(QUICK_RUNS, QUICK_BUDGET)}


def test_keys_of_quick_replace_those_above(folder):
    quick = '\n[quick]\nreplications = 2\nbudget = 7\ngrid = { target = "xor:2" }\n'
    (cell,) = cells_of(read_study(folder("replications = 50\n" + HEADER + GRID + quick)), quick=True)
    assert (cell.search.target.name, cell.search.budget, cell.replications) == ("xor:2", 7, 2)


def test_the_spec_of_a_study_is_a_campaign(folder):
    campaign = read(folder() / "spec.toml")
    assert campaign.seed == 3


def test_published_runs_are_grouped_by_their_settings(folder):
    text = "target,nodes,time,solved\nand:3,2n,5,true\nand:3,2n,9,0\nand:4,8,2,yes\n"
    grid = '[published]\nsource = "S"\n[grid]\ntarget = ["and:3", "and:4"]\nnodes = "2n"\n'
    study = read_study(folder(HEADER + grid, published_csv=text))
    assert study.published is not None
    assert [cell.label for cell in study.published.cells] == ["and:3, nodes 2n", "and:4, nodes 8"]
    assert study.published.cells[0].runs.successes == 1


@pytest.mark.parametrize(
    ("spec", "files", "words"),
    [
        (GRID, {}, "no table [study]"),
        ("study = 3\n" + GRID, {}, "no table [study]"),
        ('[study]\ntitle = "T"\n' + GRID, {}, "spec.toml:1: [study] has no question"),
        ("[study]\ntitle = 3\nquestion = 'Q'\n" + GRID, {}, "spec.toml:2: title = 3: must be text"),
        (
            HEADER + 'titel = "x"\n' + GRID,
            {},
            "spec.toml:4: unknown key 'titel' in [study]; did you mean",
        ),
        (HEADER + "minutes = 0\n" + GRID, {}, "minutes = 0: must be a number above 0"),
        (HEADER + "minutes = true\n" + GRID, {}, "minutes = True"),
        (HEADER + "minutes = nan\n" + GRID, {}, "minutes = nan"),
        (HEADER + 'x = "gates"\n' + GRID, {}, "x = 'gates': must be one of n, nodes"),
        (HEADER + "x = []\n" + GRID, {}, "x = []"),
        (HEADER + 'time = "seconds"\n' + GRID, {}, "iterations, evaluations"),
        (HEADER + 'citations = "one"\n' + GRID, {}, "citations must be a list"),
        (HEADER + "citations = [1]\n" + GRID, {}, "citations = 1: must be text"),
        (HEADER + f'answer = "{"a" * (MOST_WORDS + 1)}"\n' + GRID, {}, "more than 20,000 characters"),
        (HEADER + '[grid]\ntarget = ["nand"]\nfoo = 1\n', {}, "spec.toml:6: unknown key foo"),
        (HEADER + '[grid]\ntarget = ["band:2"]\n', {}, "spec.toml:5: target: "),
        (HEADER + GRID + "[quick]\nbudgets = 3\n", {}, "spec.toml:7: unknown key budgets"),
        (HEADER + GRID + '[quick]\ntarget = "and:2"\nnodes = "2m"\n', {}, "in [quick]: "),
        (HEADER + GRID + "[quick]\nseed = 3\n", {}, "not allowed in [quick]"),
        ("quick = 3\n" + HEADER + GRID, {}, "quick must be a table"),
        (HEADER + "[quick]\nbudget = 3\n", {}, "there is none; add a [grid]"),
        (HEADER + GRID, {"published_csv": RUNS}, "no source given"),
        (HEADER + '[published]\nsource = "S"\n' + GRID, {}, "published.csv: cannot be read"),
        (HEADER + "[published]\n" + GRID, {"published_csv": RUNS}, "has no source"),
        (
            HEADER + '[published]\nsource = "S"\nurl = "U"\n' + GRID,
            {"published_csv": RUNS},
            "unknown key 'url'",
        ),
        ("published = 1\n" + HEADER + GRID, {}, "published must be a table"),
        (HEADER + "answer = 2030-02-31\n" + GRID, {}, "spec.toml: "),
    ],
)
def test_bad_folders_are_refused_in_a_line(folder, spec, files, words):
    with pytest.raises(InputError) as refused:
        read_study(folder(spec, **files))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_folders_without_a_spec_and_notes_that_are_no_text(folder, tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        read_study(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no spec\.toml"):
        read_study(tmp_path / "empty")
    home = folder()
    (home / "README.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"README\.md: not valid UTF-8"):
        read_study(home)
    (home / "README.md").write_text("a" * (10 * MOST_WORDS + 1))
    with pytest.raises(InputError, match="shorten the notes"):
        read_study(home)


@pytest.mark.parametrize("name", names())
def test_studies_of_the_package_say_what_they_ask_and_how_long_they_take(name):
    study = read_study(name)
    assert study.title
    assert study.answer
    assert study.minutes is not None
    assert study.minutes <= 30
    if study.campaign is not None:
        assert study.notes or name == "paper"
        quick, whole = cells_of(study, quick=True), cells_of(study)
        assert sum(cell.replications for cell in quick) < sum(cell.replications for cell in whole)


def test_names_are_found_and_the_paper_is_the_first():
    assert names()[0] == "paper"
    assert list(names()[1:]) == sorted(names()[1:])
    assert find("nodes") == HOME / "nodes"
    assert package_of(find("nodes")) == "gatewalk_studies.nodes"


def test_a_path_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert find("mine") == Path("mine")
    assert find("./nodes") == Path("nodes")
    assert package_of(find("./nodes")) is None
    with pytest.raises(InputError, match="did you mean nodes"):
        find("node")


DOCS = Path(__file__).parents[2] / "docs" / "studies" / "README.md"


@pytest.mark.parametrize("name", [name for name in names() if name != "paper"])
def test_the_gallery_of_the_documents_shows_every_study(name):
    text = DOCS.read_text(encoding="utf-8")
    study = read_study(name)
    assert f"## {study.title}\n" in text
    minutes = study.minutes or 0
    assert f"`gatewalk study run {name}`, {minutes:g} minute" in text
    assert f"../../src/gatewalk_studies/{name}/figure.svg" in text


@pytest.mark.parametrize("page", [DOCS, *HOME.glob("*/README.md")], ids=lambda page: page.parent.name)
def test_links_and_pictures_of_the_notes_lead_somewhere(page):
    named = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert any(name.endswith(".svg") for name in named)
    assert [name for name in named if not name.startswith("http") and not (page.parent / name).exists()] == []


def request(home, out, **options):
    return Request(study=read_study(home), out=out, jobs=1, **options)


def test_a_folder_without_code_has_no_functions(folder):
    code = read_code(folder())
    assert (code.observe, code.findings, code.run, code.chosen) == (None, None, None, None)
    assert (code.choices, code.text) == ({}, "")


@pytest.mark.parametrize("name", names())
def test_studies_of_the_package_say_what_they_found(name):
    code = read_code(find(name))
    assert code.findings is not None
    assert code.run is None
    assert code.findings.__module__ == f"gatewalk_studies.{name}.study"


def test_a_folder_is_a_package_of_several_files(folder, tmp_path):
    home = folder(study_py="from .sizes import Size\ndef findings(measured):\n    return Size\n")
    (home / "sizes.py").write_text("from . import UNIT\nclass Size:\n    unit = UNIT\n")
    (home / "__init__.py").write_text('"""Mine."""\nUNIT = 3\n')
    code = read_code(home)
    assert code.findings(None).unit == 3
    assert "class Size" in code.text
    assert not (home / "__pycache__").exists()
    (home / "sizes.py").write_text("class Size:\n    unit = 4000\n")
    assert read_code(home).findings(None).unit == 4000
    other = tmp_path / "elsewhere" / "mine"
    other.mkdir(parents=True)
    (other / "study.py").write_text("from .sizes import Size\ndef findings(measured):\n    return Size\n")
    with pytest.raises(InputError, match=r"study\.py:1: ModuleNotFoundError"):
        read_code(other)
    (home / "sizes.py").write_text("\nclass Size:\n    unit = 1 / 0\n")
    with pytest.raises(InputError, match=r"sizes\.py:3: ZeroDivisionError"):
        read_code(home)
    (home / "sizes.py").write_text("\nclass Size\n")
    with pytest.raises(InputError, match=r"sizes\.py:2: SyntaxError"):
        read_code(home)


@pytest.mark.parametrize(
    "code", ["CHOICES = {'only': ('a',)}\n", "def chosen(cell, choices):\n    return True\n"]
)
def test_choices_and_the_function_that_obeys_them_need_each_other(folder, code):
    with pytest.raises(InputError, match="need each other"):
        read_code(folder(study_py=code + "def findings(measured):\n    return None\n"))


def test_a_mistake_of_the_package_is_a_bug_and_no_bad_input():
    with pytest.raises(ZeroDivisionError), blamed_on(find("nodes")):
        raise ZeroDivisionError


REPLICATED = """
seed = 3
replications = 30
[study]
title = "T"
question = "Q"
[[grid]]
target = "and:2"
[[grid]]
target = "and:3"
replications = 120
[quick]
budget = 100
"""


@pytest.mark.parametrize(("asked", "runs"), [(None, (30, 120)), (5, (5, 120)), (200, (200, 200))])
def test_grids_keep_their_own_number_of_runs_if_it_is_larger(folder, asked, runs):
    study = read_study(folder(REPLICATED))
    for quick in (False, True):
        campaign = campaign_of(study, quick=quick, replications=asked)
        assert tuple(grid.replications for grid in campaign.grids) == runs
        assert campaign.seed == 3
    short = read_study(folder(REPLICATED.partition("[quick]")[0]))
    campaign = campaign_of(short, quick=True, replications=asked, seed=4)
    assert {grid.replications for grid in campaign.grids} == {QUICK_RUNS}
    assert campaign.seed == 4


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def findings(measured:\n", "study.py:1: SyntaxError"),
        ("import no_such_module\n", "study.py:1: ModuleNotFoundError"),
        ("x = 1\n", "defines none of observe, findings, run"),
        ("findings = 3\n", "findings is not a function"),
        ("def findings(measured):\n    return 1 / 0\n", "study.py:2: ZeroDivisionError"),
        ("def findings(measured):\n    return None\n", "must return a Findings"),
        ("def observe(cell, *, jobs):\n    return [1]\n", "must return a dictionary"),
        ("def observe(cell, *, jobs):\n    return {'x': float('nan')}\n", "what JSON cannot hold"),
        ("def observe(cell, *, jobs):\n    return {'x': {1, 2}}\n", "what JSON cannot hold"),
        ("def run(request):\n    return None\n", "must return a Report"),
        (
            "from gatewalk.studies import Drawing, Findings\n"
            "def findings(measured):\n"
            "    return Findings(figures=(Drawing(name='a', caption='c', draw=lambda: 1 / 0),))\n",
            "study.py:3: ZeroDivisionError",
        ),
    ],
)
def test_mistakes_in_the_code_of_a_folder_are_a_line(folder, tmp_path, code, words):
    with pytest.raises(InputError) as refused:
        run_study(request(folder(study_py=code), tmp_path / "out", quick=True))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
