"""Search for a circuit: one run, or many side by side on threads."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Unpack

from gatewalk.boolean.targets import THEOREMS_BUDGET, defaults
from gatewalk.errors import whole_number
from gatewalk.numbers import fitness_text
from gatewalk.search.batch import Batch, Outcome, Pending, run_batch
from gatewalk.search.options import Search, Words, search_for, shows_words
from gatewalk.search.reading import why_unsolvable
from gatewalk.search.runs import Run, Runs, in_order
from gatewalk.search.scheduler import OnProgress, Stop, is_watched, progress_bar, run_all, threads
from gatewalk.search.seeds import check_runs, check_seed
from gatewalk.search.session import Session

if TYPE_CHECKING:
    from gatewalk.cgp.operators import OwnObserver

OnImprovement = Callable[[int, int, int], None]  # run, iterations, fitness
_FEW_TARGETS = 6  # named in a message


@shows_words
def evolve(
    target: object,
    *,
    seed: int = 0,
    run: int = 0,
    on_progress: OnProgress | None = None,
    on_improvement: OnImprovement | None = None,
    observer: OwnObserver | None = None,
    **words: Unpack[Words],
) -> Run:
    """Search for a circuit that computes a target; the circuit is `run.circuit`.

    After two seconds a bar shows how far the search is, on a terminal or in a notebook.

    target: a name such as "and:8", a file, whatever else `gatewalk.target` takes, or a search as
        `search_for` returns it.
    seed, run: the seed, and the number of the run under this seed. Together with the search that the words
        describe, they determine the result.
    on_progress: told the share done and a few words several times a second, in place of the bar.
    on_improvement: called as in `run_many`.
    observer: counts what happens, in `run.observed`; `gatewalk.observer` makes one of a function.

    >>> evolve("and:3", nodes=4, seed=1).solved
    True
    """
    search = search_for(target, **words)
    if (reason := why_unsolvable(search)) is not None:
        warnings.warn(reason, stacklevel=2)
    if words.get("budget") is None:
        say_budgets([search])
    return _shown_runs(search, seed, [run], None, lambda runs: None, on_progress, on_improvement, observer)[0]


@shows_words
def run_many(
    target: object,
    *,
    seed: int = 0,
    runs: int | Iterable[int] = 100,
    jobs: int | None = None,
    on_done: Callable[[Runs], None] = lambda runs: None,
    on_progress: OnProgress | None = None,
    on_improvement: OnImprovement | None = None,
    observer: OwnObserver | None = None,
    **words: Unpack[Words],
) -> Runs:
    """Run the same search many times, on all processors unless `jobs` says otherwise.

    Run r depends on the search, the seed and r alone: not on `jobs`, not on the other runs. At Ctrl-C the
    finished runs have been passed to `on_done`, in columns. After two seconds a bar shows how far the runs
    are, on a terminal or in a notebook.

    target: what to search for, or a search, as for `evolve`.
    runs: how many runs to make, from number 0 on, or their numbers.
    on_progress: told the share done and a few words several times a second, in place of the bar.
    on_improvement: called as `on_improvement(run, iterations, fitness)` for the start of each run and for
        each improvement, in the order of the run; of several runs the calls may alternate. A search does not
        wait for them: they come several times a second, and the last when the run is over. An exception ends
        all runs.
    observer: counts what happens, in the columns `runs.observed`, and changes no run; `gatewalk.observer`
        makes one of a function.

    >>> runs = run_many("and:4", nodes=8, seed=1, runs=1000)
    >>> bool(runs.solved.all()), runs[3].run
    (True, 3)
    """
    search = search_for(target, **words)
    if not isinstance(runs, Iterable):
        whole_number("runs", runs, least=1)
        runs = range(int(runs))
    numbers = runs if isinstance(runs, range) else list(runs)
    if words.get("budget") is None:
        say_budgets([search])
    return _shown_runs(search, seed, numbers, jobs, on_done, on_progress, on_improvement, observer)


def _shown_runs(
    search: Search,
    seed: int,
    numbers: range | list[int],
    jobs: int | None,
    on_done: Callable[[Runs], None],
    on_progress: OnProgress | None,
    on_improvement: OnImprovement | None,
    observer: OwnObserver | None,
) -> Runs:
    """The runs with these numbers; a bar shows how far they are, unless `on_progress` is given."""
    parts: list[Runs] = []

    def deliver(outcome: Outcome) -> None:
        parts.extend(outcome.parts)
        for part in outcome.parts:
            on_done(part)

    with progress_bar(search.target.label, on_progress) as show:
        make_runs(
            search,
            deliver,
            seed=seed,
            runs=numbers,
            jobs=jobs,
            on_progress=show,
            on_improvement=on_improvement,
            observer=observer,
        )
    return in_order(parts, numbers)


def default_budgets(searches: Iterable[Search], *, setting: str) -> list[str]:
    """What to say, before runs begin, of budgets that are their targets' defaults and not a million.

    setting: how the user sets a budget.

    >>> default_budgets([search_for("mul:3"), search_for("and:8")], setting="--budget")
    ['budget: 50,000,000 iterations, the default for mul:3 (--budget sets it)']
    """
    labels: dict[int, dict[str, None]] = {}
    for search in searches:
        if search.budget == defaults(search.target).budget != THEOREMS_BUDGET:
            labels.setdefault(search.budget, {})[search.target.label] = None
    notes = []
    for budget, targets in labels.items():
        few = ", ".join([*targets][:_FEW_TARGETS]) + (", ..." if len(targets) > _FEW_TARGETS else "")
        notes.append(f"budget: {budget:,} iterations, the default for {few} ({setting} sets it)")
    return notes


def say_budgets(searches: Iterable[Search]) -> None:
    """Say `default_budgets` where somebody sees it, each once in a process."""
    if is_watched():
        for note in default_budgets(searches, setting="budget=..."):
            _say(note)


@cache
def _say(note: str) -> None:
    from gatewalk.search.display import remark

    remark(note)


def make_runs(
    search: Search,
    deliver: Callable[[Outcome], None],
    *,
    seed: int,
    runs: range | list[int],
    jobs: int | None = None,
    on_progress: OnProgress = lambda share, words: None,
    on_improvement: OnImprovement | None = None,
    observer: OwnObserver | None = None,
) -> None:
    """Make runs and deliver them as they are finished; after Ctrl-C also those under way, as checkpoints."""
    check_seed(seed)
    check_runs(runs)
    if observer is not None:
        from gatewalk.search.own_observers import check_watchable

        check_watchable(observer, search)
    workers = min(threads(jobs), len(runs))
    left = Pending(search, seed, [runs], observer=observer)
    under_way: dict[int, tuple[int, int, int]] = {}  # runs over, iterations and fitness, by batch
    share = 0.0  # it does not fall while an unfinished run waits for its next batch
    teller = None if on_improvement is None else _Teller(on_improvement, search.law.uncounted)

    def do(batch: Batch, stop: Stop) -> tuple[Batch, Outcome]:
        def note(session: Session) -> None:
            run = (session.iterations, session.fitness) if session.is_under_way else (0, 0)
            under_way[id(batch)] = (session.over, *run)
            if teller is not None and session.is_under_way:
                teller.latest[session.run] = session.improvements

        return batch, run_batch(batch, stop, note)

    def on_outcome(result: tuple[Batch, Outcome]) -> None:
        batch, outcome = result
        under_way.pop(id(batch), None)
        left.record(outcome)
        deliver(outcome)
        if teller is not None:
            for part in outcome.parts:
                teller.tell_all_of(part)

    def tick() -> None:
        nonlocal share
        states = list(under_way.values())
        over = left.finished + sum(runs_over for runs_over, _, _ in states)
        made = over * search.budget + sum(iterations for _, iterations, _ in states)
        words = f"{over:,} of {len(runs):,} runs"
        if states and states[-1][1]:
            words += f", {states[-1][1]:,} iterations, fitness {fitness_text(states[-1][2])}"
        share = max(share, made / max(1, len(runs) * search.budget))
        on_progress(share, words)
        if teller is not None:
            teller.tell_latest()

    run_all(lambda: left.next_batch(workers=workers), do, on_outcome, jobs=workers, tick=tick)


@dataclass
class _Teller:
    """Calls `on_improvement` for every improvement once; only the calling thread does.

    latest: the improvements so far of runs under way, as their threads note them.
    told: how many of a run's improvements were told. failed: after an exception nothing more is told.
    """

    on_improvement: OnImprovement
    uncounted: int
    latest: dict[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)
    failed: bool = False

    def tell_latest(self) -> None:
        for run, improvements in list(self.latest.items()):
            self._tell(run, improvements)

    def tell_all_of(self, runs: Runs) -> None:
        for run, improvements in zip(runs.run.tolist(), runs.improvements, strict=True):
            self._tell(run, improvements)
            self.latest.pop(run, None)
            self.told.pop(run, None)

    def _tell(self, run: int, improvements: Sequence[tuple[int, int]]) -> None:
        for offspring, fitness in improvements[self.told.get(run, 0) :]:
            if self.failed:
                return
            self.failed = True
            self.on_improvement(run, max(0, offspring - self.uncounted), fitness)
            self.failed = False
        self.told[run] = len(improvements)
