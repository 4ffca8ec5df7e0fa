"""Observed runs, compared with what the proofs say of them: levels, drift and the numbers of the lemmas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gatewalk.numbers import for_json
from gatewalk.search.settings import Settings
from gatewalk.search.start import penultimate, start_genes
from gatewalk.theory.conjunctions import has_levels
from gatewalk.theory.exclusives import lemma8_interval
from gatewalk.theory.observe.drift import Drift, DriftRun, drift_report, drift_runs, has_drift
from gatewalk.theory.observe.levels import Level, LevelRun, level_report, level_runs
from gatewalk.theory.observe.trace import TraceMoments
from gatewalk.theory.observe.watching import OnProgress
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

    Attributes
    ----------
    settings, seed
        The search.
    level_runs
        Whole runs, with their levels and traces.
    drift_runs
        The same runs by elementary steps, for Lemma 8's walks.
    levels, drifts, xor_comparison
        What the runs tell of levels, of the drift and of Lemmas 7 and 8, if anything.
    stated
        The statements that the runs are compared with, or why they do not apply.

    Examples
    --------
    >>> from gatewalk import settings
    >>> from gatewalk.theory import observe_runs
    >>> seen = observe_runs(settings("and:4"), seed=1, runs=3)
    >>> len(seen.level_runs), len(seen.drifts)
    (3, 0)
    """

    settings: Settings
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

        settings = self.settings
        times = sample([item.iterations for item in self.ends], [item.solved for item in self.ends])
        rate = success_rate(times)
        summary: dict[str, Any] = {
            "kind": "runs",
            "target": settings.target,
            "n": settings.n,
            "nodes": settings.nodes,
            "selection": settings.selection,
            "profile": settings.profile,
            "training": settings.training,
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
    settings: Settings,
    *,
    seed: int,
    runs: int,
    jobs: int = 1,
    record: TraceMoments | None = None,
    traced: bool = False,
    on_done: Callable[[int, int], None] | None = None,
    on_progress: OnProgress | None = None,
) -> Observation:
    """Make the runs that `evolve` makes, and watch what the proofs estimate.

    The search must be a (1+1) CGP; the runs are those with numbers 0 to runs - 1.

    `record` says when a trace gets a row, `traced` whether traces are needed; for Lemma 8's walks a trace
    takes a second run. `on_done` and `on_progress` are called for each run that is finished or under way,
    with its iterations.

    >>> from gatewalk import settings
    >>> [level.level for level in observe_runs(settings("and:4"), seed=1, runs=3).levels]
    [1, 2, 3]
    """

    def done(item: LevelRun | DriftRun) -> None:
        if on_done:
            on_done(item.run, item.iterations)

    numbers = range(runs)
    walks: list[DriftRun] = []
    watched: list[LevelRun] = []
    is_walk = has_drift(settings)
    if is_walk:
        walks = drift_runs(
            settings, seed=seed, runs=numbers, jobs=jobs, on_done=done, on_progress=on_progress
        )
    if traced or not is_walk:
        watched = level_runs(
            settings, seed=seed, runs=numbers, jobs=jobs, record=record, on_done=done, on_progress=on_progress
        )
    return Observation(
        settings=settings,
        seed=seed,
        level_runs=tuple(watched),
        drift_runs=tuple(walks),
        levels=level_report(settings, watched) if has_levels(settings) else (),
        drifts=drift_report(walks) if walks else (),
        xor_comparison=_compare_walks(settings, walks) if walks else None,
        stated=tuple(applied(key, settings) for key in _compared(settings, is_walk=is_walk)),
    )


def _compared(settings: Settings, *, is_walk: bool) -> list[str]:
    """The keys of the statements with which runs of these settings are compared."""
    keys = ["theorem3", "theorem6"] if has_levels(settings) else []
    if is_walk:
        keys += ["lemma7_probability", "lemma7_rest", "lemma8_drift"]
    n = settings.n
    if n >= 3 and start_genes(settings.start) == penultimate(n, n - 1):
        keys.append("theorem4_expected")
    return keys


def _compare_walks(settings: Settings, walks: Sequence[DriftRun]) -> XorComparison:
    n = settings.n
    few_odd = sum(item.start_odd <= 3 * n / 4 for item in walks)
    drift = applied("lemma8_drift", settings).value
    return XorComparison(
        lemma7_measured=few_odd / len(walks),
        lemma7_probability=applied("lemma7_probability", settings).value,
        lemma7_rest=applied("lemma7_rest", settings).value,
        lemma8_drift=drift,
        lemma8_interval=None if drift is None else lemma8_interval(n),
        least_potential=min(item.least_potential for item in walks),
    )
