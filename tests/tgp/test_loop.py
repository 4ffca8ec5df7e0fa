"""Running times of the (1+1) TGP against what is known exactly and what was published.

Fixed seeds; each comparison with an exact value would fail by chance about once in 10^9 (six
standard errors).
"""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.search.session import advance as advance_session
from gatewalk.search.session import begin, result
from gatewalk.search.settings import settings
from gatewalk.tgp.law import PAPER, TINYVERSE, TgpLaw
from gatewalk.tgp.walk import Task, advance, restart, start

PUBLISHED = Path(__file__).parent / "data" / "published_tree_rows.csv"


def times(
    name: str, law: TgpLaw, *, runs: int, seed: int, strict: bool = False, multi: bool = False
) -> NDArray[np.int64]:
    """Offspring until success of so many runs, less those that the law does not count."""
    wanted = target(name)
    task = Task(
        target=wanted,
        training=None,
        gates=gate_set(wanted.gates),
        law=law,
        multi=multi,
        strict=strict,
    )
    words = np.random.default_rng(seed).integers(2**64, size=(runs, 4), dtype=np.uint64)
    walk = start(task, stream=words[0])
    found = np.empty(runs, dtype=np.int64)
    for run in range(runs):
        restart(walk, words[run])
        advance(walk, 10**9)
        found[run] = max(0, walk.offspring - law.uncounted)
    return found


def exact(n: int) -> tuple[float, float]:
    """Mean and variance of T if only inserting one of the n - i missing inputs improves: p = (n-i)/3n."""
    chances = [(n - i) / (3 * n) for i in range(1, n)]
    return sum(1 / p for p in chances), sum((1 - p) / p**2 for p in chances)


@pytest.mark.parametrize("strict", [False, True], ids=["nonstrict", "strict"])
@pytest.mark.parametrize("n", range(2, 13))
def test_tinyverse_conjunctions_take_3_n_harmonic_number(n: int, strict: bool) -> None:
    """E[T] = 3 n H(n-1), and the profile reports T - 1: 20,000 runs for each n."""
    mean, variance = exact(n)
    assert np.isclose(mean, 3 * n * sum(1 / k for k in range(1, n)))
    found = times(f"and:{n}", TINYVERSE, runs=20_000, seed=100 + n, strict=strict)
    assert abs(found.mean() - (mean - 1)) < 6 * np.sqrt(variance / found.size)


@pytest.mark.parametrize("n", [2, 5, 9])
def test_strict_paper_conjunctions_take_the_same_time(n: int) -> None:
    """Strict selection keeps all leaves different, so a substitution only ever ties."""
    mean, variance = exact(n)
    found = times(f"and:{n}", PAPER, runs=5_000, seed=200 + n, strict=True)
    assert abs(found.mean() - mean) < 6 * np.sqrt(variance / found.size)


def test_a_variance_is_exact_too() -> None:
    """The sample variance of 20,000 runs is right to 7 percent (its standard error is about 1.2)."""
    found = times("and:8", TINYVERSE, runs=20_000, seed=300, strict=True)
    assert abs(found.var() / exact(8)[1] - 1) < 0.07


def published(selection: str, mutation: str) -> dict[int, float]:
    with PUBLISHED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    chosen = [row for row in rows if (row["selection"], row["mutation"]) == (selection, mutation)]
    return {int(row["n"]): float(row["mean"]) for row in chosen}


@pytest.mark.parametrize("mutation", ["single", "multi"])
@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_the_published_rows_are_within_their_sampling_error(selection: str, mutation: str) -> None:
    """Chi-square of 13 published means of 30 runs; the data are given, so nothing here is random."""
    statistic = 0.0
    rows = published(selection, mutation)
    assert list(rows) == list(range(3, 16))
    for n, mean in rows.items():
        found = times(
            f"and:{n}",
            TINYVERSE,
            runs=2_000,
            seed=400 + n,
            strict=selection == "strict",
            multi=mutation == "multi",
        )
        statistic += (found.mean() - mean) ** 2 / (found.var() * (1 / 30 + 1 / found.size))
    assert chi2.sf(statistic, len(rows)) > 0.05


def test_other_laws_are_not_within_it() -> None:
    """The comparison can fail: the profile `paper` is another algorithm."""
    statistic = 0.0
    for n, mean in published("nonstrict", "single").items():
        found = times(f"and:{n}", PAPER, runs=1_000, seed=500 + n)
        statistic += (found.mean() - mean) ** 2 / (found.var() * (1 / 30 + 1 / found.size))
    assert chi2.sf(statistic, 13) < 1e-4


@pytest.mark.parametrize("multi", [False, True], ids=["single", "multi"])
def test_exclusive_disjunctions_take_exponential_time(multi: bool) -> None:
    """Each input more multiplies the mean by about two: no power of n does (Mambrini and Oliveto)."""
    sizes = np.arange(4, 13)
    means = [times(f"xor:{n}", PAPER, runs=500, seed=600 + int(n), multi=multi).mean() for n in sizes]
    ratios = [after / before for before, after in pairwise(means)]
    assert min(ratios) > 1.4
    assert 1.6 < (means[-1] / means[0]) ** (1 / (len(means) - 1)) < 2.2
    logs = np.log(means)
    exponential = np.polyfit(sizes, logs, 1, full=True)[1][0]
    power = np.polyfit(np.log(sizes), logs, 1, full=True)[1][0]
    assert exponential < power / 3


def test_the_profile_reports_one_less() -> None:
    made = settings("and:6", algorithm="tgp-single", profile="tinyverse")
    session = begin(made, seed=1, run=0)
    advance_session(session)
    run = result(session)
    assert run.solved
    assert run.iterations == session.walk.offspring - 1
    assert run.gates == session.walk.program.size // 4
