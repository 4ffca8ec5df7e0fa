"""Runs observed, and all that the proofs say about them: levels, drift, and the lemmas' own numbers."""

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
    """Lemmas 7 and 8 beside what was seen of them, for exclusive disjunctions.

    lemma7_measured: the share of starts with at most 3n/4 odd inputs; lemma7_probability: exactly, and
    lemma7_rest: one minus that. lemma8_drift: its estimate on lemma8_interval. None where a lemma does not
    apply. least_potential: the smallest that was seen.
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
        """E[T] from Theorem 4's start, if that is where these runs begin and the theorem applies."""
        return next((item.value for item in self.stated if item.key == "theorem4_expected"), None)

    @property
    def ends(self) -> Sequence[Watched] | Sequence[Wandered]:
        """Each run once, with its iterations and whether it was solved."""
        return self.wandered or self.watched


def observe_runs(
    made: Settings,
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
    made
        The search, from `gatewalk.settings`: the (1+1) CGP.
    seed, runs
        Runs 0 to runs - 1 of this seed.
    jobs
        Threads.
    record, traced
        When a trace has a row; and are traces wanted? Lemma 8's walks are then made a second time.
    on_done, tell
        Told of each run that is finished or under way, with its iterations.

    Returns
    -------
    Observation
        The runs and what they say.

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
    flat = is_flat(made)
    if flat:
        wandered = wander_runs(made, seed=seed, runs=numbers, jobs=jobs, on_done=done, tell=tell)
    if traced or not flat:
        watched = watch_runs(made, seed=seed, runs=numbers, jobs=jobs, record=record, on_done=done, tell=tell)
    return Observation(
        settings=made,
        seed=seed,
        watched=tuple(watched),
        wandered=tuple(wandered),
        levels=level_report(made, watched) if has_levels(made) else (),
        drifts=drift_report(wandered) if wandered else (),
        flat_walk=_flat_walk(made, wandered) if wandered else None,
        stated=tuple(applied(key, made) for key in _compared(made, is_walk=flat)),
    )


def _compared(made: Settings, *, is_walk: bool) -> list[str]:
    """The keys of the statements that runs of these settings are compared with."""
    keys = ["theorem3", "theorem6"] if has_levels(made) else []
    if is_walk:
        keys += ["lemma7_probability", "lemma7_rest", "lemma8_drift"]
    n = made.n
    if n >= 3 and start_genes(made.start) == penultimate_genes(n, n - 1):
        keys.append("theorem4_expected")
    return keys


def _flat_walk(made: Settings, wandered: Sequence[Wandered]) -> FlatWalk:
    n = made.n
    few_odd = sum(item.start_odd <= 3 * n / 4 for item in wandered)
    drift = applied("lemma8_drift", made).value
    return FlatWalk(
        lemma7_measured=few_odd / len(wandered),
        lemma7_probability=applied("lemma7_probability", made).value,
        lemma7_rest=applied("lemma7_rest", made).value,
        lemma8_drift=drift,
        lemma8_interval=None if drift is None else xor_bounds.lemma8_interval(n),
        least_potential=min(item.least_potential for item in wandered),
    )
