"""Why strict selection fails with undesired inputs, and verdicts that can be reached and missed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import gatewalk as gw
from gatewalk.stats.sample import MeanError, sample
from gatewalk_studies.tree_terminals import study

N = 16


def share(solved, runs=60):
    return sample(np.linspace(80.0, 120.0, runs), np.arange(runs) < solved)


def undesired_runs(substitution):
    options = {"terminals": f"inputs+undesired:{N}", "substitution": substitution}
    made = gw.search_for(
        f"and:{N}", algorithm="tgp-single", selection="strict", options=options, budget=20_000
    )
    return gw.run_many(made, seed=1, runs=range(40))


def test_strict_runs_that_fail_hold_an_undesired_input_twice_and_all_desired_ones():
    runs = undesired_runs("leaves")
    failed = [runs[place] for place in range(40) if not runs.solved[place]]
    assert len(failed) > 10
    for run in failed:
        leaves = (run.program.size + 2) // 4
        counts = Counter(run.program[1 : 1 + leaves].tolist())
        extra = [count for terminal, count in counts.items() if terminal >= N]
        assert set(range(N)) <= set(counts)
        assert extra  # else it would be the solution
        assert min(extra) >= 2  # no single leaf is left whose going would improve it


def test_without_substitution_none_fails():
    assert undesired_runs("off").solved.all()


@pytest.mark.parametrize(("last", "verdict"), [(0, "confirmed"), (30, "not confirmed")])
def test_verdicts_on_strict_selection(last, verdict):
    along = {8: share(50), 16: share(20), 32: share(last)}
    assert study._strict_fails(along).verdict == verdict
    found = {f"multi, strict, {word}": along for word in (study.ON, study.OFF)}
    assert study._several_steps(found).verdict == verdict
    assert study._off_helps({n: share(60) for n in along}).verdict == "confirmed"
    assert study._off_helps(along).verdict != "confirmed"


def test_verdicts_on_rows_that_are_wrong():
    one = {"single, strict": {n: MeanError(2.0**-n, 0.0) for n in (6, 8)}}
    many = {"single, strict": {n: MeanError(9 * 2.0**-n, 0.0) for n in (6, 8)}}
    assert study._one_row(one).verdict == "confirmed"
    assert study._one_row(many).verdict == "not confirmed"
