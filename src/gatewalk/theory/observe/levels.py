"""Levels and sub-levels of conjunctions: watched iteration by iteration, and compared with the proofs.

A program is at level i if its output depends on i inputs. It is at sub-level i+ if some connection of an
active node, or the output's, can be redirected to an unused input so that the level rises, else at i-. With
unlimited reach a program is at i- exactly if its i - 1 active gates form a tree: each further active gate
makes one source read twice, and one of the two readers is then free. So i+ means a surplus of active gates
that contribute nothing to fitness.

`LevelObserver` is compiled into the loop of the search (`gatewalk.cgp.observers`), so `level_runs` watches
the same runs that `evolve` makes. `level_report` compares them with the estimates in the proofs of Theorems 3
and 6. Per iteration at level i: p and q from i- (to a higher level, to i+), r and s from i+ (to a higher
level, back to i-). The proofs use p + q >= q'(i), r >= r'(i), s <= s'(i) and leave(i) >= s_i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes, Large, mark_active
from gatewalk.cgp.observers import Selected, register
from gatewalk.cgp.walk import Walk
from gatewalk.errors import InputError
from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.resampling import LOGIT, ratio_intervals
from gatewalk.stats.sample import wilson
from gatewalk.theory import conjunctions
from gatewalk.theory.assumptions import check_taught, nodes_of
from gatewalk.theory.conjunctions import has_levels
from gatewalk.theory.observe.trace import Trace, TraceMoments, empty_trace, is_moment, take_rows
from gatewalk.theory.observe.watching import Slices, watch
from gatewalk.theory.statements import applied

STAY, OTHER, UP, DOWN = range(4)  # where an iteration led; OTHER: to the other sub-level of the same level
LEVEL, GATES, PLUS = range(3)  # indices into `LevelObserver.current`
Marks = NDArray[np.uint8]


class LevelTally(NamedTuple):
    """Counts over iterations, by the level and sub-level (0 is i-, 1 is i+) before each iteration.

    moves: how many iterations stayed, changed the sub-level, rose or fell. neutral: how many equally fit
    offspring were accepted. surplus: the active gates beyond level - 1, summed over iterations. first: how
    many offspring had been made when the level was first seen; -1 if it never was.
    """

    moves: NDArray[np.int64]
    neutral: NDArray[np.int64]
    surplus: NDArray[np.int64]
    first: NDArray[np.int64]


class Workspace(NamedTuple):
    """Arrays that are used again for every program: marks of active sources (`mark_active`) and used inputs.

    scratch: marks while a connection is tried. seen, stamp: input i has been seen if seen[i] equals the
    stamp, so nothing has to be cleared.
    """

    active: Marks
    scratch: Marks
    used: Marks
    seen: NDArray[np.int64]
    stamp: NDArray[np.int64]


class LevelObserver(NamedTuple):
    """An observer of levels.

    limited: whether connections do not reach all inputs.
    current: the level, the number of active gates and the sub-level of the parent.
    """

    layout: Layout
    limited: bool
    current: NDArray[np.int64]
    workspace: Workspace
    tally: LevelTally
    trace: Trace


def level_observer(layout: Layout, trace: Trace, *, limited: bool) -> LevelObserver:
    """An observer that has counted nothing yet. limited: whether connections do not reach all inputs."""
    current = np.zeros(3, dtype=np.int64)
    return LevelObserver(layout, limited, current, workspace_of(layout), level_tally_of(layout.inputs), trace)


def level_tally_of(inputs: int) -> LevelTally:
    """Empty counts for levels 0 to n."""
    return LevelTally(
        np.zeros((inputs + 1, 2, 4), dtype=np.int64),
        np.zeros((inputs + 1, 2), dtype=np.int64),
        np.zeros((inputs + 1, 2), dtype=np.int64),
        np.full(inputs + 1, -1, dtype=np.int64),
    )


def workspace_of(layout: Layout) -> Workspace:
    """A workspace for programs of this layout."""
    active, scratch = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    return Workspace(
        active,
        scratch,
        np.zeros(layout.inputs, dtype=np.uint8),
        np.zeros(layout.inputs, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def see_start(observer: LevelObserver, genes: Genes, rank: int) -> None:
    """Show the observer the first parent and its rank, which make the first row of the trace."""
    locate(observer.layout, genes, observer.workspace, observer.limited, observer.current)
    level, gates, plus = observer.current.tolist()
    observer.tally.first[level] = 0
    observer.trace.rows[0] = (0, rank, level, plus, gates, 1)
    observer.trace.used[0] = 1


@hot_kernel
def level_and_gates(layout: Layout, genes: Genes, active: Marks, workspace: Workspace) -> tuple[Int, Int]:
    """The inputs connected to an output and the active gates, counted; the inputs are stamped as seen."""
    workspace.stamp[0] += 1
    stamp = workspace.stamp[0]
    level = np.int64(0)
    gates = np.int64(0)
    for output in range(layout.outputs):
        source = genes[layout.nodes * layout.block + output]
        if source < layout.inputs and workspace.seen[source] != stamp:
            workspace.seen[source] = stamp
            level += 1
    for node in range(layout.nodes):
        if active[layout.inputs + node]:
            gates += 1
            first = node * layout.block
            for argument in range(layout.arities[genes[first]]):
                source = genes[first + 1 + argument]
                if source < layout.inputs and workspace.seen[source] != stamp:
                    workspace.seen[source] = stamp
                    level += 1
    return level, gates


@inlined
def in_reach(layout: Layout, gene: Int, source: Int) -> bool:
    """Whether this input is a valid value of the gene."""
    skip_from = layout.skip_from[gene]
    return bool(source < skip_from or source >= skip_from + layout.skip[gene])


@hot_kernel
def free_connections(layout: Layout, genes: Genes, active: Marks, workspace: Workspace, most: Int) -> Int:
    """Count, up to `most`, the connections that can be redirected to an unused input so that the level rises.

    This follows the definition: each connection of an active node and of the output is tried with the first
    unused input in its reach. The genes are restored.
    """
    level, _ = level_and_gates(layout, genes, active, workspace)
    for source in range(layout.inputs):
        workspace.used[source] = workspace.seen[source] == workspace.stamp[0]
    free = np.int64(0)
    for gene in range(layout.owner.size):
        owner = layout.owner[gene]
        if not active[layout.inputs + owner] or (owner < layout.nodes and gene % layout.block == 0):
            continue
        unused = np.int64(-1)
        for source in range(layout.inputs):
            if not workspace.used[source] and in_reach(layout, gene, source):
                unused = np.int64(source)
                break
        if unused < 0:
            continue
        old = genes[gene]
        genes[gene] = unused
        mark_active(layout, genes, workspace.scratch)
        raised, _ = level_and_gates(layout, genes, workspace.scratch, workspace)
        genes[gene] = old
        if raised > level:
            free += 1
            if free >= most:
                break
    return free


@inlined
def is_plus(
    layout: Layout, genes: Genes, active: Marks, workspace: Workspace, level: Int, gates: Int, limited: bool
) -> Int:
    """1 at i+, 0 at i-. With limited reach the definition is checked, else it is enough to count gates."""
    if gates <= level - 1 or level == layout.inputs:
        return np.int64(0)
    if not limited:
        return np.int64(1)
    return free_connections(layout, genes, active, workspace, np.int64(1))


@hot_kernel
def locate(
    layout: Layout, genes: Genes, workspace: Workspace, limited: bool, current: NDArray[np.int64]
) -> None:
    """Write a program's level, active gates and sub-level to `current`."""
    mark_active(layout, genes, workspace.active)
    level, gates = level_and_gates(layout, genes, workspace.active, workspace)
    current[LEVEL], current[GATES] = level, gates
    current[PLUS] = is_plus(layout, genes, workspace.active, workspace, level, gates, limited)


@inlined
def on_selection(
    observer: LevelObserver, program: Large, evaluator: Any, state: Any, selected: Selected
) -> bool:
    """Count an iteration and write it to the trace if it is due; false if the trace is nearly full.

    One more row still fits then, because the loop may run one more generation before it stops.
    """
    current, tally, trace = observer.current, observer.tally, observer.trace
    before, after, offspring = selected.before, selected.after, selected.offspring
    level, gates, plus = current[LEVEL], current[GATES], current[PLUS]
    tally.surplus[level, plus] += gates - max(0, level - 1)
    move = STAY
    if selected.accepted:
        if before == after:
            tally.neutral[level, plus] += 1
        locate(observer.layout, program.parent, observer.workspace, observer.limited, current)
        if current[LEVEL] > level:
            move = UP
        elif current[LEVEL] < level:
            move = DOWN
        elif current[PLUS] != plus:
            move = OTHER
        if tally.first[current[LEVEL]] < 0:
            tally.first[current[LEVEL]] = offspring
    tally.moves[level, plus, move] += 1
    used = trace.used[0]
    if is_moment(trace, offspring, bool(after < before), bool(after == 0)):
        row = trace.rows[used]
        row[0], row[1], row[2], row[3] = offspring, after, current[LEVEL], current[PLUS]
        row[4], row[5] = current[GATES], np.int64(selected.accepted)
        used += 1
        trace.used[0] = used
    return bool(used < trace.rows.shape[0] - 1)


register(LevelObserver, on_selection=on_selection)


@dataclass(frozen=True, eq=False)
class LevelRun:
    """One watched run: how it ended, its counts by level (meaningless without levels), and its trace.

    trace: rows of `trace.TRACE_COLUMNS`. fitness: the mismatches on the training set for each rank in the
    trace; ranks by themselves only say which of two programs is fitter.
    """

    run: int
    iterations: int
    solved: bool
    program: NDArray[np.int32]
    tally: LevelTally
    trace: NDArray[np.int64]
    fitness: dict[int, int]


def level_runs(
    search: Search,
    *,
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    record: TraceMoments | None = None,
    on_done: Callable[[LevelRun], None] = lambda run: None,
    on_progress: OnProgress = lambda share, words: None,
) -> list[LevelRun]:
    """Make runs, and record their levels, their sub-levels and a trace.

    record: when a trace has a row in addition to the first and the last.

    >>> from gatewalk import search_for
    >>> len(level_runs(search_for("and:4"), seed=1, runs=range(3)))
    3
    """
    moments = record or TraceMoments()
    limited = isinstance(search, CgpSearch) and search.law.levels_back is not None

    def observer_of(layout: Layout) -> LevelObserver:
        return level_observer(layout, empty_trace(moments), limited=limited)

    return watch(
        search,
        observer_of,
        _read_run,
        seed=seed,
        runs=runs,
        jobs=jobs,
        on_done=on_done,
        on_progress=on_progress,
    )


def _read_run(run: int, walk: Walk, observer: LevelObserver, slices: Slices) -> LevelRun:
    see_start(observer, walk.program, walk.rank)
    rows = [take_rows(observer.trace), *(take_rows(observer.trace) for _ in slices)]
    trace = np.concatenate(rows)
    return LevelRun(
        run=run,
        iterations=walk.offspring,
        solved=walk.solved,
        program=walk.program,
        tally=observer.tally,
        trace=trace,
        fitness={rank: walk.fitness_of(rank) for rank in np.unique(trace[:, 1]).tolist()},
    )


@dataclass(frozen=True)
class Frequency:
    """A probability per iteration, estimated from counts, with its 95 % interval; NaN without trials."""

    count: int
    trials: int
    value: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """Whether the runs narrow it down at all; they do not if fewer than two runs had trials."""
        return (self.low, self.high) != (0.0, 1.0)

    def record(self) -> dict[str, Any]:
        """Its object in JSON."""
        return {
            "count": self.count,
            "trials": self.trials,
            "value": self.value,
            "low": self.low,
            "high": self.high,
        }


def frequencies(counts: NDArray[np.int64], trials: NDArray[np.int64]) -> list[Frequency]:
    """A frequency for each column; the rows are runs, and the intervals come from `ratio_intervals`.

    If no trial or every trial had the event, all runs look the same; then Wilson's interval (1927) is used.
    """
    low, high = ratio_intervals(counts, trials, scale=LOGIT, least=0.0, most=1.0)
    tried = (trials > 0).sum(axis=0)
    rates = []
    for column, (count, total) in enumerate(zip(counts.sum(axis=0), trials.sum(axis=0), strict=True)):
        ends = float(low[column]), float(high[column])
        if tried[column] >= 2 and count in (0, total):
            ends = wilson(int(count), int(total))
        value = float(count / total) if total else nan
        rates.append(Frequency(int(count), int(total), value, *ends))
    return rates


@dataclass(frozen=True)
class Estimates:
    """The proofs' estimates for one level: lower bounds s_i, q'(i) and r'(i), and the upper bound s'(i).

    q' and s' are about equally fit offspring, so they are None under strict selection.
    """

    leave: float
    rise: float
    free: float | None
    lose: float | None

    @property
    def times(self) -> tuple[float, float | None]:
        """The proofs' time at the level: 1/s_i (Theorem 3), and 1/r' + 1/q' + s'/(r'q') (Theorem 6)."""
        if self.free is None or self.lose is None:
            return 1 / self.leave, None
        return 1 / self.leave, conjunctions.upper_bound_from_estimates(self.free, self.rise, self.lose)

    def record(self) -> dict[str, float | None]:
        """Its object in JSON."""
        theorem3_time, theorem6_time = self.times
        return {
            **{key: getattr(self, name) for name, key in ESTIMATES.items()},
            "theorem3_time": theorem3_time,
            "theorem6_time": theorem6_time,
        }


ESTIMATES = {"leave": "s_i", "free": "q_prime", "rise": "r_prime", "lose": "s_prime"}  # keys in JSON


@dataclass(frozen=True)
class Level:
    """What was observed at one level i, over all runs; i⁻ and i⁺ are the sub-levels of Theorem 6.

    level, runs: the level, and how many runs were there.
    minus, plus: iterations that began at i⁻ and at i⁺.
    waiting: mean iterations from the first visit to the first higher level, over runs that got higher.
    p, q, r, s: the rates of Lemma 5's chain.
    free: p + q, any way out of i⁻.
    leave: the rate at which a higher level is reached, from either sub-level.
    chain: Lemma 5's expected times from i⁻ and from i⁺ with the measured rates.
    dropped: iterations that lowered the level; only on incomplete training sets.
    surplus: active gates that contribute nothing, on average over iterations.
    neutral: equally fit offspring accepted per iteration.
    estimates: what the proofs say of this level; None where they do not speak of this search.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory import observe_runs
    >>> level = observe_runs(search_for("and:4"), seed=1, runs=3).levels[0]
    >>> level.level, level.runs <= 3
    (1, True)
    """

    level: int
    runs: int
    minus: int
    plus: int
    waiting: float
    p: Frequency
    q: Frequency
    r: Frequency
    s: Frequency
    free: Frequency
    leave: Frequency
    chain: tuple[float, float]
    dropped: int
    surplus: float
    neutral: float
    estimates: Estimates | None

    @property
    def factors(self) -> dict[str, float]:
        """Measured over estimated rates. If the estimates hold, they are at least 1, for lose at most 1."""
        if self.estimates is None:
            return {}
        factors = {
            "leave": self.leave.value / self.estimates.leave,
            "rise": self.r.value / self.estimates.rise,
        }
        if self.estimates.free is not None and self.estimates.lose is not None:
            factors["free"] = self.free.value / self.estimates.free
            factors["lose"] = self.s.value / self.estimates.lose
        return factors

    @property
    def exceeded(self) -> tuple[str, ...]:
        """The estimates that the measured rates contradict: the whole 95 % interval is on the wrong side."""
        if self.estimates is None:
            return ()
        exceeded = []
        if self.leave.high < self.estimates.leave:
            exceeded.append("leave")
        if self.r.high < self.estimates.rise:
            exceeded.append("rise")
        free, lose = self.estimates.free, self.estimates.lose
        if free is not None and self.free.high < free:
            exceeded.append("free")
        if lose is not None and self.s.low > lose:
            exceeded.append("lose")
        return tuple(exceeded)

    def record(self) -> dict[str, Any]:
        """Its line of `gatewalk observe --json`."""
        estimates = self.estimates
        return {
            "kind": "level",
            "level": self.level,
            "runs": self.runs,
            "iterations_minus": self.minus,
            "iterations_plus": self.plus,
            "waiting": self.waiting,
            "p": self.p.record(),
            "q": self.q.record(),
            "r": self.r.record(),
            "s": self.s.record(),
            "p_plus_q": self.free.record(),
            "leave": self.leave.record(),
            "lemma5_from_minus": self.chain[0],
            "lemma5_from_plus": self.chain[1],
            "dropped": self.dropped,
            "surplus_gates": self.surplus,
            "neutral_per_iteration": self.neutral,
            "estimates": estimates and estimates.record(),
            "factors": estimates and {ESTIMATES[name]: factor for name, factor in self.factors.items()},
            "contradicted": [ESTIMATES[name] for name in self.exceeded],
        }

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Level:
        """The level in a line of `gatewalk observe --json`, where what was never measured is null."""
        rates = {name: record[name] for name in ("p", "q", "r", "s", "leave")} | {"free": record["p_plus_q"]}
        estimates = record["estimates"]
        return cls(
            level=record["level"],
            runs=record["runs"],
            minus=record["iterations_minus"],
            plus=record["iterations_plus"],
            waiting=_measured(record["waiting"]),
            **{
                name: Frequency(**{**rate, "value": _measured(rate["value"])}) for name, rate in rates.items()
            },
            chain=(_measured(record["lemma5_from_minus"]), _measured(record["lemma5_from_plus"])),
            dropped=record["dropped"],
            surplus=_measured(record["surplus_gates"]),
            neutral=_measured(record["neutral_per_iteration"]),
            estimates=estimates and Estimates(**{name: estimates[key] for name, key in ESTIMATES.items()}),
        )


def _measured(value: float | None) -> float:
    return nan if value is None else value


def proof_estimates(search: Search, level: int) -> Estimates | None:
    """The proofs' estimates for a level; None if Theorem 3 does not apply, in part if Theorem 6 does not."""
    if applied("theorem3", search).value is None:
        return None
    n, nodes = search.n, nodes_of(search)
    has_neutral = applied("theorem6", search).value is not None
    return Estimates(
        leave=float(conjunctions.theorem3_s(n, nodes, level)),
        rise=float(conjunctions.theorem6_r(n, nodes, level)),
        free=float(conjunctions.theorem6_q(n, nodes, level)) if has_neutral else None,
        lose=float(conjunctions.theorem6_s(n, nodes)) if has_neutral else None,
    )


def level_report(search: Search, runs: Sequence[LevelRun]) -> tuple[Level, ...]:
    """Levels 1 to n - 1 over all runs."""
    check_taught(search)
    if not has_levels(search):
        raise InputError(f"{search.target.label} with gates {search.gates} has no levels; use and:N or or:N")
    n = search.n
    moves = np.array([run.tally.moves for run in runs])[:, 1:n]  # run, level, sub-level, move
    at_minus, at_plus = moves[:, :, 0].sum(axis=2), moves[:, :, 1].sum(axis=2)
    counted = {
        "p": (moves[:, :, 0, UP], at_minus),
        "q": (moves[:, :, 0, OTHER], at_minus),
        "r": (moves[:, :, 1, UP], at_plus),
        "s": (moves[:, :, 1, OTHER], at_plus),
        "free": (moves[:, :, 0, UP] + moves[:, :, 0, OTHER], at_minus),
        "leave": (moves[:, :, 0, UP] + moves[:, :, 1, UP], at_minus + at_plus),
    }
    rates = {name: frequencies(counts, trials) for name, (counts, trials) in counted.items()}
    neutral = np.sum([run.tally.neutral for run in runs], axis=0).sum(axis=1)
    surplus = np.sum([run.tally.surplus for run in runs], axis=0).sum(axis=1)
    first = np.array([run.tally.first for run in runs])
    return tuple(
        _level(
            search,
            level,
            {name: by_level[level - 1] for name, by_level in rates.items()},
            dropped=int(moves[:, level - 1, :, DOWN].sum()),
            neutral=int(neutral[level]),
            surplus=int(surplus[level]),
            first=first,
        )
        for level in range(1, n)
    )


def _level(
    search: Search,
    level: int,
    rates: dict[str, Frequency],
    *,
    dropped: int,
    neutral: int,
    surplus: int,
    first: NDArray[np.int64],
) -> Level:
    here = first[:, level] >= 0
    later = np.where(first[:, level + 1 :] >= 0, first[:, level + 1 :], np.iinfo(np.int64).max).min(axis=1)
    left = here & (later < np.iinfo(np.int64).max) & (later > first[:, level])
    waits = (later - first[:, level])[left]
    total = rates["leave"].trials
    return Level(
        level=level,
        runs=int(here.sum()),
        minus=rates["p"].trials,
        plus=rates["r"].trials,
        waiting=float(waits.mean()) if waits.size else nan,
        **rates,
        chain=_chain(*(rates[name].value for name in ("p", "q", "r", "s"))),
        dropped=dropped,
        surplus=surplus / total if total else nan,
        neutral=neutral / total if total else nan,
        estimates=proof_estimates(search, level),
    )


def _chain(p: float, q: float, r: float, s: float) -> tuple[float, float]:
    """Lemma 5's expected times with measured rates; NaN if a rate that it needs was never observed."""
    if not (q > 0 and r > 0 and p + q <= 1 and r + s <= 1 and max(p, q, r, s) < 1):
        return nan, nan
    return conjunctions.expected_from_first(p, q, r, s), conjunctions.expected_from_second(p, q, r, s)
