"""Observers that users write: compiled as interpreted; they count what happens and change no run."""

from dataclasses import replace

import numpy as np
import pytest

import gatewalk as gw
from gatewalk.campaign import campaign
from gatewalk.errors import InputError
from gatewalk.search.batch import Batch, run_batch
from gatewalk.search.runs import joined

MOST = 2**63 - 1
ZERO = 0


@gw.observer(columns=("ties", "longest_wait", "last"))
def waits(ties, longest_wait, last, iteration, parent, offspring):
    if offspring == parent:
        ties += 1
    if offspring < parent:
        longest_wait = max(longest_wait, iteration - last)
        last = iteration
    return ties, longest_wait, last


def mixed(number, more):
    """A helper, which becomes part of the kernel, too."""
    return (number * 31 + more) % 1_000_003


@gw.observer(columns=("told", "calls", "accepts", "worse", "size"))
def everything(told, calls, accepts, worse, size, gates, accepted, offspring, parent, iteration):
    """Depends on all that it is told, in every iteration; what it is told comes in another order."""
    for number in (gates, int(accepted), int(offspring > parent), int(offspring == parent), iteration):
        told = mixed(told, number)
    if accepted:
        accepts += 1
    elif offspring > parent:
        worse += 1
    return told, calls + 1, accepts, worse, gates


@gw.observer(columns=("lowest", "steps", "final"))
def levels(lowest, steps, final, level, parent, offspring):
    if steps == 0 or level < lowest:
        lowest = level
    return lowest, steps + 1, level


@gw.observer(columns=("calls",))
def calls(calls):
    return calls + 1


@gw.observer(columns=["sum"])
def mistaken(sum, iteration):
    """Goes wrong only after the trial before registration."""
    if iteration == 100:
        sum += 1 // ZERO
    return sum


@gw.observer(columns=["big"])
def big(big, iteration):
    return big + (MOST if iteration == 60 or iteration == 61 else 0)


@gw.observer(columns=["share"])
def sometimes_real(share, iteration):
    return share / 2 if iteration > 1000 else share


SEARCHES = {
    "small symbolic": {"target": "and:6", "nodes": 9},
    "symbolic": {"target": "and:5", "nodes": 60, "mutation": "rate:0.02"},
    "small": {"target": "maj:3", "gates": "and,or,not", "nodes": 12, "selection": "strict"},
    "small table": {"target": "and:7", "nodes": 14, "evaluation": "table", "selection": "ties:0.3"},
    "incremental": {"target": "mul:2", "nodes": 20, "offspring": 4, "options": {"ties": "coin"}},
    "sampled": {"target": "parity:5", "nodes": 70, "gates": "and,or,nand,nor", "training": "sample:20"},
    "strict, several": {"target": "and:6", "nodes": 9, "offspring": 3, "selection": "strict"},
}


@pytest.mark.parametrize("words", SEARCHES.values(), ids=SEARCHES)
def test_compiled_and_interpreted_are_told_the_same_in_every_iteration(words):
    gw.check_operator(everything, **words, iterations=150, runs=2)


@pytest.mark.parametrize("evaluation", ["auto", "table"])
@pytest.mark.parametrize(("target", "nodes"), [("and:6", 9), ("or:5", 60)])
def test_levels_are_the_same_in_every_evaluation(target, nodes, evaluation):
    gw.check_operator(levels, target, nodes=nodes, evaluation=evaluation, iterations=150, runs=2)


def test_a_program_without_gates_has_the_level_of_its_output():
    gw.check_operator(levels, "and:4", nodes=3, iterations=20, runs=30)


def test_a_comparison_notices_a_difference():
    """`big` wraps when it is compiled; interpreted it is refused."""
    with pytest.raises(InputError, match=r"observer big: an observer must return .* at most 64 bits"):
        gw.check_operator(big, "xor:9", nodes=9, runs=1)
    run = gw.evolve("xor:9", nodes=9, seed=1, budget=61, observer=big)
    assert run.observed == {"big": -2}


WATCHED = {
    "small": ("and:5", {"nodes": 8}),
    "large": ("mul:2", {"nodes": 20, "offspring": 4, "budget": 200}),
    "sampled": ("maj:3", {"nodes": 9, "training": "sample:6", "budget": 300}),
    "twin": ("and:3", {"nodes": 5, "evaluation": "reference"}),
}


@pytest.mark.parametrize("name", WATCHED)
def test_an_observer_changes_no_run_and_counts_the_same_for_any_jobs(name):
    target, words = WATCHED[name]
    count = 40 if name == "twin" else 700
    alone = gw.run_many(target, seed=3, runs=count, jobs=1, **words)
    watched = gw.run_many(target, seed=3, runs=count, jobs=1, observer=everything, **words)
    again = gw.run_many(target, seed=3, runs=count, jobs=3, observer=everything, **words)
    backwards = gw.run_many(target, seed=3, runs=range(count)[::-1], observer=everything, **words)
    for other in (watched, again, backwards[::-1]):
        for column in ("run", "iterations", "elementary_steps", "solved", "fitness", "gates"):
            assert list(getattr(other, column)) == list(getattr(alone, column))
        assert [run.improvements for run in other] == [run.improvements for run in alone]
        assert [run.program.tolist() for run in other] == [run.program.tolist() for run in alone]
        for column in everything.columns:
            assert other.observed[column].dtype == np.int64
            assert other.observed[column].tolist() == watched.observed[column].tolist()
    assert alone.observed == {}


def test_a_batch_that_is_watched_is_not_cut():
    search = gw.search_for("and:6", nodes=9)
    watched = run_batch(Batch(search=search, seed=2, runs=range(50), seconds=0.0, observer=waits))
    assert (watched.finished, len(watched.left), watched.checkpoint) == (50, 0, None)
    observed = joined(watched.parts).observed
    assert observed["last"].tolist() == [run.improvements[-1][0] for run in joined(watched.parts)]
    assert run_batch(Batch(search=search, seed=2, runs=range(50), seconds=0.0)).finished < 50


def test_what_is_counted_agrees_with_what_runs_tell():
    runs = gw.run_many("and:6", nodes=9, seed=2, runs=200, observer=everything)
    times = gw.run_many("and:6", nodes=9, seed=2, runs=200, observer=waits)
    began = runs.iterations > 0
    assert (runs.observed["calls"] == runs.iterations).all()
    assert (runs.observed["size"] == runs.gates)[began].all()
    for run in times:
        improved = [offspring for offspring, _ in run.improvements]
        assert run.observed["last"] == improved[-1]
        assert run.observed["longest_wait"] == max(np.diff(improved), default=0)
    # With SAM and nonstrict selection, an offspring that is as fit is accepted.
    accepts = times.observed["ties"] + [len(run.improvements) - 1 for run in times]
    assert accepts.tolist() == runs.observed["accepts"].tolist()
    assert (accepts + runs.observed["worse"] == runs.iterations).all()
    strict = gw.run_many("and:6", nodes=9, seed=2, runs=50, selection="strict", observer=waits)
    assert strict.observed["ties"].any()  # seen, though they are never accepted
    final = gw.run_many("and:6", nodes=9, seed=2, runs=200, observer=levels).observed
    assert (final["final"][began] == 6).all()
    assert final["lowest"].min() >= 1


def test_columns_come_back_with_the_runs():
    runs = gw.run_many("and:4", nodes=8, seed=1, runs=20, observer=waits)
    frame = runs.to_frame()
    assert frame["ties"].tolist() == runs.observed["ties"].tolist()
    records = list(runs.records())
    assert [record["last"] for record in records] == runs.observed["last"].tolist()
    assert records[3] == runs[3].record()
    assert runs[3].observed == {name: int(runs.observed[name][3]) for name in waits.columns}
    assert runs[5:7].observed["last"].tolist() == runs.observed["last"][5:7].tolist()
    one = gw.evolve("and:4", nodes=8, seed=1, run=3, observer=waits)
    assert one.observed == runs[3].observed
    solved_at_once = gw.run_many("and:2", nodes=1, seed=1, runs=50, budget=0, observer=calls)
    assert solved_at_once.observed["calls"].tolist() == [0] * 50


@pytest.mark.parametrize(
    ("target", "words", "message"),
    [
        ("and:4", {"algorithm": "tgp-single"}, "observers watch Cartesian GP, not tgp-single"),
        ("and:4", {"selection": "strict", "waiting": "drawn"}, "use waiting=walked, not drawn"),
        ("xor:4", {"observer": levels}, "xor:4 has none here"),
        ("and:4", {"observer": levels, "training": "sample:9"}, "on all rows, have a level"),
        ("and:4", {"observer": levels, "gates": "and,or"}, "and from the gate and"),
        ("and:4", {"observer": len}, "is no observer; write a function under @gatewalk.observer"),
        ("and:200", {"observer": mistaken}, r"observer mistaken: .*by zero"),
        ("and:4", {"observer": sometimes_real}, "observer sometimes_real: .*must return whole numbers"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_line(target, words, message):
    with pytest.raises(InputError, match=message) as caught:
        gw.run_many(target, runs=2, **{"observer": waits, **words})
    assert "\n" not in str(caught.value)


def test_an_observer_is_no_setting_of_a_search():
    for make in (
        gw.search_for,
        gw.compare,
        lambda target, observer: campaign(target=target, observer=observer),
    ):
        with pytest.raises(InputError, match="an observer watches runs of run_many and evolve"):
            make("and:4", observer=waits)
    search = gw.search_for("and:4")
    assert gw.run_many(search, runs=2, observer=waits).search == search
    assert gw.run_many(replace(search, evaluation="reference"), runs=2, observer=waits).observed["ties"].any()


def no_columns():
    return 0


def no_order(last, first):
    return first, last


def unknown(first, last, rank):
    return first, last


def few(first, last):
    return first


def real(first, last):
    return first + 0.5, last


def truth(first, last, accepted):
    return accepted, last


def rank_itself(first, last, offspring):
    return offspring, last


def text(first, last):
    return "first", last


def endless(first, last):
    while True:
        first += 1
    return first, last


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (no_columns, "must take first, last first, in this order"),
        (no_order, "must take first, last first, in this order"),
        (unknown, "there is no rank; choose from iteration, parent, offspring, accepted, gates, level"),
        (few, "it must return first, last, in this order"),
        (real, "an observer must return whole numbers, not 0.5"),
        (truth, "an observer must return whole numbers, not False"),
        (rank_itself, "they may only be compared with each other"),
        (text, "is not a number"),
        (endless, "it does not end"),
    ],
)
def test_functions_are_tried_before_they_are_registered(function, message):
    with pytest.raises(InputError, match=message):
        gw.observer(columns=("first", "last"))(function)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((), "1 to 64 columns, not 0"),
        (3, "columns is 3; list their names"),
        ({"first", "last"}, "list their names"),
        (("iterations",), "iterations has a meaning of its own"),
        (("gates",), "gates has a meaning of its own"),
        (("a-b",), "cannot be the name of a column"),
        ((3,), "cannot be the name of a column"),
        (("twice", "twice"), "the column twice is there twice"),
    ],
)
def test_names_of_columns_are_checked(columns, message):
    with pytest.raises(InputError, match=message):
        gw.observer(columns=columns)
