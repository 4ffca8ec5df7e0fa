"""What is observed of runs, and the statements that it is compared with."""

from __future__ import annotations

import json
import signal
import threading
from types import SimpleNamespace

import pytest

from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory import exclusives
from gatewalk.theory.observe import watching
from gatewalk.theory.observe.levels import level_runs
from gatewalk.theory.observe.observation import observe_runs
from gatewalk.theory.observe.trace import TraceMoments


def test_levels_of_the_runs_that_evolve_makes():
    search = search_for("and:4", nodes=6)
    seen = observe_runs(search, seed=3, runs=5, jobs=2)
    runs = run_many(search, seed=3, runs=range(5))
    assert [item.iterations for item in seen.ends] == [run.iterations for run in runs]
    assert [level.level for level in seen.levels] == [1, 2, 3]
    assert (seen.drifts, seen.xor_comparison, seen.theorem4_expected) == ((), None, None)


def test_walks_of_exclusive_disjunctions():
    search = search_for("xor:6", nodes=6, budget=500)
    seen = observe_runs(search, seed=1, runs=3)
    assert seen.level_runs == ()
    assert len(seen.drift_runs) == 3
    assert seen.drifts
    compared = seen.xor_comparison
    assert compared is not None
    few = sum(item.start_odd <= 4 for item in seen.drift_runs)  # 3n/4 = 4.5
    assert compared.lemma7_measured == few / 3
    assert compared.lemma7_probability == exclusives.lemma7_probability(6, 6)
    assert compared.lemma8_drift is compared.lemma8_interval is None  # its interval is empty
    assert "n >= 256" in next(item.why for item in seen.stated if item.key == "lemma8_drift")
    assert compared.least_potential == min(item.least_potential for item in seen.drift_runs)


def test_traces_of_walks_are_made_when_asked_for():
    search = search_for("xor:4", nodes=8, budget=200)
    seen = observe_runs(search, seed=1, runs=2, record=TraceMoments(every=50), traced=True)
    assert [item.iterations for item in seen.level_runs] == [item.iterations for item in seen.drift_runs]
    assert seen.xor_comparison is not None
    assert seen.xor_comparison.lemma8_drift is None  # D = 2n is beyond Theorem 9


def test_theorem4_is_named_for_its_own_start_only():
    options = {"nodes": "n-1", "selection": "strict", "budget": 10}
    assert (
        observe_runs(search_for("and:3", start="penultimate", **options), seed=0, runs=1).theorem4_expected
        == 663
    )
    assert observe_runs(search_for("and:3", **options), seed=0, runs=1).theorem4_expected is None


def test_sampled_sets_have_no_statement_for_complete_ones():
    options = {"nodes": "n-1", "selection": "strict", "budget": 10, "training": "sample"}
    seen = observe_runs(search_for("and:4", start="penultimate", **options), seed=0, runs=2)
    assert seen.theorem4_expected is None
    assert {item.key: item.why.partition(":")[0] for item in seen.stated} == dict.fromkeys(
        ("theorem3", "theorem6", "theorem4_expected"), "training"
    )
    assert all(level.estimates is None for level in seen.levels)


def test_walks_with_limited_reach_have_no_lemma():
    search = search_for("xor:20", nodes=20, budget=50, options={"levels_back": 2, "levels_over": "sources"})
    walk = observe_runs(search, seed=1, runs=2).xor_comparison
    assert walk is not None
    assert (walk.lemma7_probability, walk.lemma7_rest, walk.lemma8_drift) == (None, None, None)
    assert walk.lemma7_measured == 1.0


def test_lemma8_s_interval_where_it_has_one():
    walk = observe_runs(search_for("xor:256", budget=5, nodes="n"), seed=1, runs=1).xor_comparison
    assert walk is not None
    assert walk.lemma8_drift == float(exclusives.lemma8_drift(256, 256))
    assert walk.lemma8_interval == (-1.0, 0.0)


@pytest.mark.parametrize(("name", "traced"), [("and:5", False), ("xor:5", False), ("xor:5", True)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_here_and_each_run_once(name, traced, jobs):
    done, told, threads = [], [], set()

    def on_progress(share, words):
        threads.add(threading.current_thread())
        told.append((share, words))

    search = search_for(name, nodes=4, budget=4000)
    seen = observe_runs(
        search, seed=1, runs=5, jobs=jobs, traced=traced, on_done=done.append, on_progress=on_progress
    )
    assert sorted(run.run for run in done) == list(range(5))
    assert {run.iterations for run in done} == {run.iterations for run in seen.ends}
    assert threads == {threading.current_thread()}
    shares = [share for share, _ in told]
    assert 0 <= min(shares) <= max(shares) == 1
    assert told[-1][1].startswith("5 of 5 runs")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_is_not_delivered(jobs, monkeypatch):
    """The first finished run sends Ctrl-C; runs that it cuts short are not passed on as if they had ended."""
    done = []

    def interrupt(run):
        done.append(run)
        if len(done) == 1:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(watching, "Slice", lambda: SimpleNamespace(steps=100, took=lambda *_, **__: None))
    search = search_for("and:6", nodes=5, selection="strict", budget=5000)
    with pytest.raises(KeyboardInterrupt):
        level_runs(search, seed=1, runs=range(200), jobs=jobs, on_done=interrupt)
    assert 1 <= len(done) < 200
    assert all(run.solved or run.iterations == 5000 for run in done)


@pytest.mark.parametrize("jobs", [0, -1])
def test_threads_are_checked(jobs):
    with pytest.raises(InputError, match="jobs is"):
        observe_runs(search_for("and:3"), seed=0, runs=1, jobs=jobs)


@pytest.mark.parametrize("target", ["and:4", "xor:3"])
def test_records_have_no_number_that_json_lacks(target):
    records = list(observe_runs(search_for(target, budget=50), seed=0, runs=2).records())
    assert json.loads(json.dumps(records, allow_nan=False)) == records
