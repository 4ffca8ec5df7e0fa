"""The campaigns are those of Table 1, are read back where they belong, and go on where they stopped."""

from __future__ import annotations

from pathlib import Path

from gatewalk.campaign import plan
from gatewalk.studies.paper.experiments import Place, Request, conjunctions, line, measure
from gatewalk.studies.paper.models import CGP, MODELS, PROFILES, SELECTIONS, XOR_MODELS

SMALL = Request(
    replications=6, comparison=9, budget=3000, complete=(3, 4), incomplete=(3, 12), xor=(2, 3), seed=2
)


def test_all_cells_of_table_1_are_planned() -> None:
    cells = plan(conjunctions(Request(parts=("complete", "incomplete"))))
    complete = [cell for cell in cells if cell.settings.training == "complete"]
    sampled = [cell for cell in cells if cell.settings.training == "sample"]
    assert len(complete) == 2 * 130
    assert len(sampled) == 2 * 480
    assert {cell.settings.budget for cell in cells} == {1_000_000}
    assert {cell.replications for cell in sampled} == {30}
    for cell in cells:
        made, n = cell.settings, int(cell.settings.target.removeprefix("and:"))
        if made.algorithm == "cgp":
            assert made.nodes is not None
            scale, more = divmod(made.nodes, n)
            assert scale in (1, 2, 3)
            assert more == (1 if made.profile == "tinyverse" else 0)


def test_labels_name_the_nodes_that_were_used() -> None:
    assert [model.label("tinyverse") for model in CGP] == ["CGP, D = n+1", "CGP, D = 2n+1", "CGP, D = 3n+1"]
    assert [model.label() for model in XOR_MODELS][:2] == ["CGP, D = n−1", "CGP, D = n"]


def test_runs_are_read_back_where_they_belong_and_only_once(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    done = []
    first = measure(SMALL, store, jobs=1, watch=lambda stage, progress: done.append(progress.done_now))
    assert sum(done) > 0
    expected = {
        Place(part, profile, selection, model.name, n)
        for profile in PROFILES
        for selection in SELECTIONS
        for model in MODELS
        for part, sizes in (("complete", (3, 4)), ("incomplete", (3, 12)))
        for n in sizes
    }
    assert {place for place in first if place.part != "xor"} == expected
    assert {cell.runs.runs for cell in first.values()} == {6}
    often = first[Place("complete", "tinyverse", "nonstrict", "cgp-2n", 3)]
    assert (often.nodes, often.all_runs.runs) == (7, 9)
    assert first[Place("complete", "tinyverse", "strict", "cgp-2n", 3)].all_runs.runs == 6
    assert list(line(first, "incomplete", "paper", "strict", "tgp-multi")) == [3, 12]
    assert line(first, "incomplete", "paper", "strict", "tgp-multi")[12].generalisation.size == 6
    assert first[Place("complete", "paper", "nonstrict", "cgp-1n", 3)].generalisation.size == 0

    again: list[int] = []
    second = measure(SMALL, store, jobs=1, watch=lambda stage, progress: again.append(progress.done_now))
    assert sum(again) == 0
    for place, cell in first.items():
        assert (second[place].all_runs.iterations == cell.all_runs.iterations).all()


def test_more_replications_keep_the_runs_there_are(tmp_path: Path) -> None:
    few = Request(parts=("complete",), profiles=("paper",), complete=(3,), replications=3, comparison=0)
    more = Request(parts=("complete",), profiles=("paper",), complete=(3,), replications=5, comparison=0)
    store = tmp_path / "runs.sqlite"
    before, after = measure(few, store, jobs=1), measure(more, store, jobs=1)
    for place, cell in before.items():
        assert (after[place].runs.iterations[:3] == cell.runs.iterations).all()
        assert after[place].runs.runs == 5


def test_a_model_of_xor_is_followed_while_half_of_its_runs_succeed(tmp_path: Path) -> None:
    request = Request(parts=("xor",), replications=10, budget=300, xor=tuple(range(2, 8)), seed=3)
    cells = measure(request, tmp_path / "runs.sqlite", jobs=1)
    for model in XOR_MODELS:
        found = line(cells, "xor", "paper", "nonstrict", model.name)
        assert min(found) == 2
        largest = max(found)
        assert all(2 * found[n].runs.successes >= 10 for n in found if n < largest)
        assert largest == 7 or 2 * found[largest].runs.successes < 10
