"""Observed runs, compared with what the proofs say of them: levels, drift and the numbers of the lemmas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.numbers import for_json
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress
from gatewalk.search.start import penultimate
from gatewalk.theory.assumptions import check_taught, nodes_of
from gatewalk.theory.chain.result import part_of
from gatewalk.theory.conjunctions import has_levels
from gatewalk.theory.exclusives import lemma8_interval
from gatewalk.theory.observe.drift import Drift, DriftRun, drift_report, drift_runs, has_drift
from gatewalk.theory.observe.levels import (
    Level,
    LevelRun,
    level_report,
    level_runs,
)
from gatewalk.theory.observe.trace import TraceMoments
from gatewalk.theory.statements import Applied, applied


@dataclass(frozen=True)
class XorComparison:
    """Lemmas 7 and 8 for exclusive disjunctions, compared with what was measured.

    lemma7_measured: the share of starts with at most 3n/4 odd inputs. lemma7_probability: its exact
    probability. lemma7_rest: one minus that. lemma8_drift: the lemma's estimate on lemma8_interval. All are
    None if the lemma does not apply. least_potential: the smallest potential that was reached.
    """

    lemma7_measured: float
    lemma7_probability: float | None
    lemma7_rest: float | None
    lemma8_drift: float | None
    lemma8_interval: tuple[float, float] | None
    least_potential: int


@dataclass(frozen=True, eq=False)
class Observation:
    """What `observe_runs` saw.

    search, seed: the search, and the seed of its runs.
    level_runs: whole runs, with their levels and traces.
    drift_runs: the same runs by elementary steps, for Lemma 8's walks.
    levels, drifts, xor_comparison: what the runs tell of levels, of the drift and of Lemmas 7 and 8, if
        anything.
    stated: the statements that the runs are compared with, or why they do not apply.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory import observe_runs
    >>> seen = observe_runs(search_for("and:4"), seed=1, runs=3)
    >>> len(seen.level_runs), len(seen.drifts)
    (3, 0)
    """

    search: Search
    seed: int
    level_runs: tuple[LevelRun, ...]
    drift_runs: tuple[DriftRun, ...]
    levels: tuple[Level, ...]
    drifts: tuple[Drift, ...]
    xor_comparison: XorComparison | None
    stated: tuple[Applied, ...]

    @property
    def theorem4_expected(self) -> float | None:
        """E[T] from Theorem 4's start; None unless these runs begin there and the theorem applies."""
        return next((item.value for item in self.stated if item.key == "theorem4_expected"), None)

    @property
    def ends(self) -> Sequence[LevelRun] | Sequence[DriftRun]:
        """Each run once, with its iterations and whether it was solved."""
        return self.drift_runs or self.level_runs

    def records(self) -> Iterator[dict[str, Any]]:
        """The lines of `gatewalk observe --json`: one about the runs, then one for each level or potential.

        docs/reference/observe.md says what every key means.
        """
        yield for_json(self._summary())
        yield from (for_json(level.record()) for level in self.levels)
        yield from (for_json(drift.record()) for drift in self.drifts)

    def _summary(self) -> dict[str, Any]:
        from gatewalk.stats.sample import ert, sample, success_rate

        search = self.search
        times = sample([run.iterations for run in self.ends], [run.solved for run in self.ends])
        rate = success_rate(times)
        summary: dict[str, Any] = {
            "kind": "runs",
            "target": search.target.name,
            "n": search.n,
            "nodes": nodes_of(search),
            "selection": search.selection,
            "profile": search.profile,
            "training": str(search.training),
            "seed": self.seed,
            "runs": rate.runs,
            "solved": rate.successes,
            "ert": ert(times),
        }
        if self.xor_comparison is not None:
            summary |= asdict(self.xor_comparison)
        summary |= {item.key: item.value for item in self.stated if item.key not in summary}
        summary["reasons"] = {item.key: item.why for item in self.stated if item.why}
        summary["notes"] = {item.key: item.note for item in self.stated if item.note}
        return summary


def observe_runs(
    search: Search,
    *,
    seed: int,
    runs: int,
    jobs: int = 1,
    record: TraceMoments | None = None,
    traced: bool = False,
    on_done: Callable[[LevelRun | DriftRun], None] = lambda run: None,
    on_progress: OnProgress = lambda share, words: None,
) -> Observation:
    """Make the runs that `evolve` makes, and watch what the proofs estimate.

    The search must be a (1+1) CGP; the runs are those with numbers 0 to runs - 1.

    record: when a trace gets a row.
    traced: whether traces are needed; for Lemma 8's walks a trace takes a second run.
    on_done: told about every run once.

    >>> from gatewalk import search_for
    >>> [level.level for level in observe_runs(search_for("and:4"), seed=1, runs=3).levels]
    [1, 2, 3]
    """
    check_taught(search)
    numbers = range(runs)
    walks: list[DriftRun] = []
    watched: list[LevelRun] = []
    is_walk = has_drift(search)
    first, second = on_progress, on_progress
    if is_walk and traced:
        first, second = part_of(on_progress, 0.0, 0.5), part_of(on_progress, 0.5, 1.0)
    if is_walk:
        walks = drift_runs(search, seed=seed, runs=numbers, jobs=jobs, on_done=on_done, on_progress=first)
    if traced or not is_walk:
        watched = level_runs(
            search,
            seed=seed,
            runs=numbers,
            jobs=jobs,
            record=record,
            on_done=(lambda run: None) if is_walk else on_done,  # told before
            on_progress=second,
        )
    return Observation(
        search=search,
        seed=seed,
        level_runs=tuple(watched),
        drift_runs=tuple(walks),
        levels=level_report(search, watched) if has_levels(search) else (),
        drifts=drift_report(walks) if walks else (),
        xor_comparison=_compare_walks(search, walks) if walks else None,
        stated=tuple(applied(key, search) for key in _compared(search, is_walk=is_walk)),
    )


def _compared(search: Search, *, is_walk: bool) -> list[str]:
    """The keys of the statements with which runs of this search are compared."""
    keys = ["theorem3", "theorem6"] if has_levels(search) else []
    if is_walk:
        keys += ["lemma7_probability", "lemma7_rest", "lemma8_drift"]
    n = search.n
    if n >= 3 and isinstance(search, CgpSearch) and search.start == tuple(penultimate(n, n - 1)):
        keys.append("theorem4_expected")
    return keys


def _compare_walks(search: Search, walks: Sequence[DriftRun]) -> XorComparison:
    n = search.n
    few_odd = sum(walk.start_odd <= 3 * n / 4 for walk in walks)
    drift = applied("lemma8_drift", search).value
    return XorComparison(
        lemma7_measured=few_odd / len(walks),
        lemma7_probability=applied("lemma7_probability", search).value,
        lemma7_rest=applied("lemma7_rest", search).value,
        lemma8_drift=drift,
        lemma8_interval=None if drift is None else lemma8_interval(n),
        least_potential=min(walk.least_potential for walk in walks),
    )
