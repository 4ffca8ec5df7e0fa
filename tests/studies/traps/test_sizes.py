"""Records of the study on traps: kept ones beside new runs and the solved chain.

Seeded; binomial tests fail by chance with 1e-7 each, means beyond 5.5 standard errors with less than 1e-7.
"""

from __future__ import annotations

import pytest
from scipy import stats

from gatewalk.studies.traps.sizes import (
    PARTS,
    exponent,
    kept,
    record_of_chain,
    record_of_runs,
    size_of,
    unit_exponent,
)
from gatewalk.theory.penultimate import expected_iterations
from gatewalk.theory.traps import exact_trap_arrivals, trap_arrivals


def test_the_kept_runs_come_out_again() -> None:
    then = kept("runs")[4]
    now = record_of_runs(trap_arrivals(4, runs=then["runs"], seed=2026))
    assert now["traps"] == then["traps"]
    for name in ("trap_share", "before", "mean", "error"):
        assert now[name] == pytest.approx(then[name], rel=1e-8)
    assert len(now["kinds"]) == len(then["kinds"])
    for mine, other in zip(now["kinds"], then["kinds"], strict=True):
        assert mine == pytest.approx(other, rel=1e-8)


@pytest.mark.parametrize("n", [3, 4])
def test_the_kept_chain_comes_out_again(n: int) -> None:
    now, then = record_of_chain(exact_trap_arrivals(n)), kept("exact")[n]
    for name in ("trap_share", "before", "mean", "error"):
        assert now[name] == pytest.approx(then[name], rel=1e-7)
    for mine, other in zip(now["kinds"], then["kinds"], strict=True):
        assert mine == pytest.approx(other, rel=1e-7)


def test_the_kept_runs_agree_with_the_kept_chain() -> None:
    """For n = 6 too, whose chain takes minutes."""
    exact, runs = kept("exact"), kept("runs")
    assert list(exact) == [3, 4, 5, 6]
    for n, record in exact.items():
        assert stats.binomtest(runs[n]["traps"], runs[n]["runs"], record["trap_share"]).pvalue > 1e-7
        assert abs(runs[n]["mean"] - record["mean"]) < 5.5 * runs[n]["error"]


@pytest.mark.parametrize("how", ["runs", "exact"])
def test_the_parts_make_up_the_time(how: str) -> None:
    for n, record in kept(how).items():
        size = size_of(n, record)
        assert tuple(size.parts) == PARTS
        assert sum(size.parts.values()) == pytest.approx(size.mean, rel=1e-6)
        assert size.parts["traps"] == pytest.approx(size.share, rel=1e-6)  # a trap takes Theorem 4's time
        assert size.left[0] == pytest.approx(size.share, rel=1e-6)


def test_exponents_are_those_of_the_times() -> None:
    first, second = (size_of(n, record) for n, record in list(kept("exact").items())[:2])
    times = [149.477515, 2192.48248]
    found, error = exponent(first, second)
    assert (4 / 3) ** found == pytest.approx(times[1] / times[0], rel=1e-6)
    assert error == 0
    assert (4 / 3) ** unit_exponent(3, 4) == pytest.approx(float(expected_iterations(4)) / 663)
