"""Search for a circuit: one run, or many side by side on threads."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Unpack

from gatewalk.errors import whole_number
from gatewalk.numbers import fitness_text
from gatewalk.search.batch import Batch, Outcome, Pending, run_batch
from gatewalk.search.options import Search, Words, search_for, shows_words
from gatewalk.search.reading import why_unsolvable
from gatewalk.search.runs import Run, Runs, in_order
from gatewalk.search.scheduler import OnProgress, Stop, run_all, threads
from gatewalk.search.seeds import check_runs, check_seed
from gatewalk.search.session import Session


@shows_words
def evolve(target: object, *, seed: int = 0, run: int = 0, **words: Unpack[Words]) -> Run:
    """Search for a circuit that computes a target; the circuit is `run.circuit`.

    target: a name such as "and:8", a file, whatever else `gatewalk.target` takes, or a search as
        `search_for` returns it.
    seed, run: the seed, and the number of the run under this seed. Together with the search that the words
        describe, they determine the result.

    >>> evolve("and:3", nodes=4, seed=1).solved
    True
    """
    search = search_for(target, **words)
    if (reason := why_unsolvable(search)) is not None:
        warnings.warn(reason, stacklevel=2)
    return run_many(search, seed=seed, runs=[run])[0]


@shows_words
def run_many(
    target: object,
    *,
    seed: int = 0,
    runs: int | Iterable[int] = 100,
    jobs: int | None = None,
    on_done: Callable[[Runs], None] = lambda runs: None,
    on_progress: OnProgress = lambda share, words: None,
    **words: Unpack[Words],
) -> Runs:
    """Run the same search many times, on all processors unless `jobs` says otherwise.

    Run r depends on the search, the seed and r alone: not on `jobs`, not on the other runs. At Ctrl-C the
    finished runs have been passed to `on_done`, in columns.

    target: what to search for, or a search, as for `evolve`.
    runs: how many runs to make, from number 0 on, or their numbers.

    >>> runs = run_many("and:4", nodes=8, seed=1, runs=1000)
    >>> bool(runs.solved.all()), runs[3].run
    (True, 3)
    """
    search = search_for(target, **words)
    if isinstance(runs, int):
        whole_number("runs", runs, least=1)
        runs = range(runs)
    numbers = runs if isinstance(runs, range) else list(runs)
    parts: list[Runs] = []

    def deliver(outcome: Outcome) -> None:
        parts.extend(outcome.parts)
        for part in outcome.parts:
            on_done(part)

    make_runs(search, deliver, seed=seed, runs=numbers, jobs=jobs, on_progress=on_progress)
    return in_order(parts, numbers)


def make_runs(
    search: Search,
    deliver: Callable[[Outcome], None],
    *,
    seed: int,
    runs: range | list[int],
    jobs: int | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> None:
    """Make runs and deliver them as they are finished; after Ctrl-C also those under way, as checkpoints."""
    check_seed(seed)
    check_runs(runs)
    workers = min(threads(jobs), len(runs))
    left = Pending(search, seed, [runs])
    under_way: dict[int, tuple[int, int, int]] = {}  # runs over, iterations and fitness, by batch

    def do(batch: Batch, stop: Stop) -> tuple[Batch, Outcome]:
        def note(session: Session) -> None:
            run = (session.iterations, session.fitness) if session.is_under_way else (0, 0)
            under_way[id(batch)] = (session.over, *run)

        return batch, run_batch(batch, stop, note)

    def on_outcome(result: tuple[Batch, Outcome]) -> None:
        batch, outcome = result
        under_way.pop(id(batch), None)
        left.record(outcome)
        deliver(outcome)

    def tick() -> None:
        states = list(under_way.values())
        over = left.finished + sum(runs_over for runs_over, _, _ in states)
        made = over * search.budget + sum(iterations for _, iterations, _ in states)
        words = f"{over:,} of {len(runs):,} runs"
        if states and states[-1][1]:
            words += f", {states[-1][1]:,} iterations, fitness {fitness_text(states[-1][2])}"
        on_progress(made / max(1, len(runs) * search.budget), words)

    run_all(lambda: left.next_batch(workers=workers), do, on_outcome, jobs=workers, tick=tick)
