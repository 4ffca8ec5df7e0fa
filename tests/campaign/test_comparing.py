"""`compare`: a campaign in memory, whose runs are those of `run_many` and of a stored campaign."""

import pytest

import gatewalk as gw
from gatewalk.campaign import Results, campaign, run
from gatewalk.campaign.comparing import words_of
from gatewalk.errors import InputError

WORDS = {"nodes": ["n", "2n"], "mutation": ["sam", "point:1"], "selection": ["strict", "nonstrict"]}


def without_seconds(results):
    columns = results.columns()
    del columns["seconds"]
    return columns


@pytest.fixture(scope="module")
def results():
    with gw.compare("and:5", **WORDS, runs=12, seed=3, jobs=2) as compared:
        yield compared


def test_it_is_the_campaign_of_these_words(results):
    with run(campaign(target="and:5", **WORDS, replications=12, seed=3), jobs=1) as stored:
        assert type(results) is type(stored) is Results
        assert without_seconds(results) == without_seconds(stored)


def test_its_runs_are_those_of_run_many(results):
    for cell, columns in results.by_cell():
        runs = gw.run_many(cell.search, seed=3, runs=12)
        assert runs.iterations.tolist() == columns["iterations"]
    assert len(results.cells()) == 8


def test_it_has_what_every_campaign_has(results, tmp_path):
    assert "nonstrict is faster than strict" in str(results.where(mutation="sam").compare("selection"))
    assert len(results.to_frame()) == 96
    assert len(results.to_frame("improvements")) > 96
    assert results.plot("ecdf").axes
    assert results.plot("fixed-target").axes
    results.report(tmp_path / "page.html")
    assert "and:5" in (tmp_path / "page.html").read_text()
    results.export("csv", tmp_path / "runs.csv")
    assert len((tmp_path / "runs.csv").read_text().splitlines()) == 97
    grown = gw.compare("and", n=[2, 3, 4, 5], runs=20, seed=1).growth(resamples=5)
    assert list(grown) == ["and"]


def test_values_may_stand_for_their_texts():
    by_text = gw.compare(
        "and:4", mutation=["sam", "point:2"], gates=["and", "and,or"], training="sample:9", runs=2
    )
    by_value = gw.compare(
        gw.target("and:4"),
        mutation=[gw.Sam(), gw.Point(2)],
        gates=[gw.gate_set("and"), gw.gate_set("and,or")],
        training=gw.Sample(9),
        runs=2,
    )
    assert without_seconds(by_text) == without_seconds(by_value)


def test_targets_of_ones_own():
    results = gw.compare([lambda a, b: a ^ b, "and:2"], runs=3)
    assert [cell.values["target"] for cell in results.cells()] == ["table:2:0x6:a,b:y", "and:2"]


def test_options_of_the_law_are_crossed_too():
    results = gw.compare("and:3", ties=["accept", "coin"], options={"starts": [1, 2]}, runs=2)
    assert len(results.cells()) == 4


SEARCHES = {
    "paper": {"target": "maj:3"},
    "own gates": {"target": "maj:3", "gates": gw.gate_set(["and", gw.gate("mine", 3, 0x17)]), "nodes": 9},
    "own target": {"target": lambda a, b, c: a + b + c == 1},
    "tinyverse": {"target": "and:4", "profile": "tinyverse", "mutation": "point:3", "offspring": 4},
    "options": {"target": "and:4", "ties": "coin", "rows": 2, "levels_back": 3, "budget": 77},
    "drawn": {"target": "and:4", "waiting": "drawn", "selection": "strict"},
    "start": {"target": "and:4", "nodes": "n-1", "start": "penultimate"},
    "sample": {"target": "and:9", "training": "sample", "evaluation": "table"},
    "trees": {"target": "and:9", "algorithm": "tgp-multi", "size_limit": 20, "terminals": "inputs+negated"},
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_is_made_again_from_its_words(name):
    search = gw.search_for(**SEARCHES[name])
    assert gw.search_for(**words_of(search)) == search
    (cell,) = gw.compare(search, runs=2, seed=5).cells()
    assert cell.search == search


def test_searches_are_compared_with_each_other():
    searches = [gw.search_for("and:5", nodes=nodes) for nodes in (5, 20)]
    results = gw.compare(searches, runs=5, seed=1)
    assert [cell.search for cell in results.cells()] == searches
    assert [cell.finished for cell in results.cells()] == [5, 5]


@pytest.mark.parametrize(
    ("target", "words", "message"),
    [
        ([gw.search_for("and:2"), "and:3"], {}, "either searches only or none"),
        (gw.search_for("and:2"), {"nodes": [3, 4]}, "a search takes no further words; remove nodes"),
        ("and:2", {"node": [3, 4]}, "unknown setting 'node'; did you mean nodes"),
        ("and:2", {"options": [3, 4]}, "options are .*; they must be names with values"),
        ("and:2", {"options": 3, "ties": "coin"}, "options are 3; they must be names with values"),
        ("and:2", {"runs": 0}, "runs is 0; it must be at least 1"),
        ("and:2", {"runs": range(3)}, "runs must be a whole number"),
        ([], {}, "an empty list makes no cells"),
        ("and:2", {"mutation": ["sam", "flip"]}, "mutation"),
    ],
)
def test_mistakes_are_told(target, words, message):
    with pytest.raises(InputError, match=message):
        gw.compare(target, **words)


def test_progress_is_told():
    told = []
    gw.compare("and:3", runs=5, on_progress=lambda *state: told.append(state))
    assert told[-1] == (1.0, "5 of 5 runs")


def test_a_search_without_hope_is_warned_of():
    with pytest.warns(UserWarning, match="and:5 needs at least 4 two-input gates") as told:
        gw.compare("and:5", nodes=[2, 3], runs=2, budget=10)
    assert told[0].filename == __file__


def test_a_file_keeps_the_runs(tmp_path):
    store = tmp_path / "runs.sqlite"
    gw.compare("and:3", runs=5, seed=1, store=store).close()
    with gw.compare("and:3", runs=8, seed=1, store=store) as results:
        assert len(results) == 8
        assert results.name == str(store)
        assert store.exists()
