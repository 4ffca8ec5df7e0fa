"""Observed runs, compared with what the proofs say of them: levels, drift and the numbers of the lemmas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gatewalk.search.settings import Settings
from gatewalk.search.start import penultimate as penultimate_genes
from gatewalk.search.start import start_genes
from gatewalk.theory import xor_bounds
from gatewalk.theory.drift import Drift, Wandered, drift_report, is_flat, wander_runs
from gatewalk.theory.level_report import Level, level_report
from gatewalk.theory.statements import Applied, applied
from gatewalk.theory.watching import Tell, TraceMoments, Watched, has_levels, watch_runs


@dataclass(frozen=True)
class FlatWalk:
    """Lemmas 7 and 8 for exclusive disjunctions, beside what was measured.

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
    watched
        Whole runs.
    wandered
        The same runs by elementary steps, for Lemma 8's walks.
    levels, drifts, flat_walk
        What the runs tell of levels, of the drift and of neutral walks, if anything.
    stated
        The statements that the runs are compared with, or why they do not apply.

    Examples
    --------
    >>> from gatewalk import settings
    >>> from gatewalk.theory import observe_runs
    >>> seen = observe_runs(settings("and:4"), seed=1, runs=3)
    >>> len(seen.watched), len(seen.drifts)
    (3, 0)
    """

    settings: Settings
    seed: int
    watched: tuple[Watched, ...]
    wandered: tuple[Wandered, ...]
    levels: tuple[Level, ...]
    drifts: tuple[Drift, ...]
    flat_walk: FlatWalk | None
    stated: tuple[Applied, ...]

    @property
    def theorem4_expected(self) -> float | None:
        """E[T] from Theorem 4's start; None unless these runs begin there and the theorem applies."""
        return next((item.value for item in self.stated if item.key == "theorem4_expected"), None)

    @property
    def ends(self) -> Sequence[Watched] | Sequence[Wandered]:
        """Each run once, with its iterations and whether it was solved."""
        return self.wandered or self.watched


def observe_runs(
    settings: Settings,
    *,
    seed: int,
    runs: int,
    jobs: int = 1,
    record: TraceMoments | None = None,
    traced: bool = False,
    on_done: Callable[[int, int], None] | None = None,
    tell: Tell | None = None,
) -> Observation:
    """Make the runs that `evolve` makes, and watch what the proofs estimate.

    Parameters
    ----------
    settings
        The search, from `gatewalk.settings`: the (1+1) CGP.
    seed, runs
        Runs 0 to runs - 1 of this seed.
    jobs
        Threads.
    record, traced
        When a trace gets a row, and whether traces are needed. For Lemma 8's walks a trace takes a second
        run.
    on_done, tell
        Called for each run that is finished or under way, with its iterations.

    Returns
    -------
    Observation
        The runs and their evaluation.

    Examples
    --------
    >>> from gatewalk import settings
    >>> [level.level for level in observe_runs(settings("and:4"), seed=1, runs=3).levels]
    [1, 2, 3]
    """

    def done(item: Watched | Wandered) -> None:
        if on_done:
            on_done(item.run, item.iterations)

    numbers = range(runs)
    wandered: list[Wandered] = []
    watched: list[Watched] = []
    flat = is_flat(settings)
    if flat:
        wandered = wander_runs(settings, seed=seed, runs=numbers, jobs=jobs, on_done=done, tell=tell)
    if traced or not flat:
        watched = watch_runs(
            settings, seed=seed, runs=numbers, jobs=jobs, record=record, on_done=done, tell=tell
        )
    return Observation(
        settings=settings,
        seed=seed,
        watched=tuple(watched),
        wandered=tuple(wandered),
        levels=level_report(settings, watched) if has_levels(settings) else (),
        drifts=drift_report(wandered) if wandered else (),
        flat_walk=_flat_walk(settings, wandered) if wandered else None,
        stated=tuple(applied(key, settings) for key in _compared(settings, is_walk=flat)),
    )


def _compared(settings: Settings, *, is_walk: bool) -> list[str]:
    """The keys of the statements with which runs of these settings are compared."""
    keys = ["theorem3", "theorem6"] if has_levels(settings) else []
    if is_walk:
        keys += ["lemma7_probability", "lemma7_rest", "lemma8_drift"]
    n = settings.n
    if n >= 3 and start_genes(settings.start) == penultimate_genes(n, n - 1):
        keys.append("theorem4_expected")
    return keys


def _flat_walk(settings: Settings, wandered: Sequence[Wandered]) -> FlatWalk:
    n = settings.n
    few_odd = sum(item.start_odd <= 3 * n / 4 for item in wandered)
    drift = applied("lemma8_drift", settings).value
    return FlatWalk(
        lemma7_measured=few_odd / len(wandered),
        lemma7_probability=applied("lemma7_probability", settings).value,
        lemma7_rest=applied("lemma7_rest", settings).value,
        lemma8_drift=drift,
        lemma8_interval=None if drift is None else xor_bounds.lemma8_interval(n),
        least_potential=min(item.least_potential for item in wandered),
    )
