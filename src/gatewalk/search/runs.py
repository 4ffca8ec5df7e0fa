"""A run, one seeded search with its result; and many runs of a cell in columns.

`Runs` has arrays to compute with, and is a sequence of `Run`, each made when asked for. The improvements of
many runs are kept as kernels log them (`Logged`), and converted for a single run when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, brief
from gatewalk.lazy import above
from gatewalk.numbers import fitness_text
from gatewalk.search.columns import column, columns_of
from gatewalk.search.options import CELL_COLUMNS, Search, cell_values, changed_options, start_text

if TYPE_CHECKING:
    from gatewalk.circuit.drawing.picture import Picture
    from gatewalk.search.frames import Rows
    from gatewalk.stats.times import ExpectedTime

Improvements = tuple[tuple[int, int], ...]  # (offspring, fitness) at the start and at each improvement
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Run:
    """The result of one seeded search.

    search, seed, run: what determines the run: the search, the seed, and its number.
    iterations: the running time: offspring made and evaluated, without those that the profile does not count.
    evaluations: programs evaluated, the first one included.
    elementary_steps: turns of the loop of the mutation.
    solved: whether the training set was fitted within the budget.
    fitness: mismatches on the training set; 0 if it was fitted.
    gates: active gates of the final program.
    generalisation: the share of right outputs on the validation set; None on a complete training set.
    evaluation: the way of evaluating that was really used.
    seconds: how long it took, without the compilation of kernels.
    program: the final program, as numbers.
    improvements: the course of the fitness: a pair (offspring made, fitness of the parent) for the start,
        whose first number is 0, and for each improvement. Offspring that the profile does not count are
        counted here.
    observed: what an observer counted, by the name of its column (`gatewalk.observer`).

    >>> import gatewalk as gw
    >>> run = gw.evolve("and:4", nodes=8, seed=1)
    >>> run
    Run(and:4, cgp, solved, iterations=8, gates=3, seed=1, run=0)
    >>> print(run.circuit)
    y = x3 & x1 & x4 & x2
    >>> run.improvements
    ((0, 3), (6, 1), (8, 0))
    """

    search: Search
    seed: int
    run: int = field(metadata=column("count", "The number of the run under its seed."))
    iterations: int = field(
        metadata=column(
            "count",
            "The running time: offspring made and evaluated, less those that the profile does not count.",
        )
    )
    evaluations: int = field(metadata=column("count", "Programs evaluated, the first one included."))
    elementary_steps: int = field(metadata=column("count", "Turns of the loop of the mutation."))
    solved: bool = field(
        metadata=column("truth", "Whether the training set was fitted; if not, the run is censored.")
    )
    fitness: int = field(metadata=column("number", "Mismatches on the training set."))
    gates: int = field(metadata=column("count", "Active gates of the final program."))
    generalisation: float | None = field(
        metadata=column(
            "real", "The share of right outputs on the validation set; null on complete sets.", optional=True
        )
    )
    evaluation: str = field(metadata=column("text", "The way of evaluating that was really used."))
    seconds: float = field(
        metadata=column("real", "The time of the run, without the compilation of kernels.")
    )
    program: NDArray[np.int32] = field(repr=False)
    improvements: Improvements = field(repr=False, default=())
    observed: dict[str, int] = field(repr=False, default_factory=dict)

    @cached_property
    def circuit(self) -> Circuit:
        """The circuit of the final program."""
        return self.search.circuit_of(self.program)

    def __repr__(self) -> str:
        outcome = "solved" if self.solved else f"fitness {fitness_text(self.fitness)}"
        return (
            f"Run({self.search.target.name}, {self.search.algorithm}, {outcome}, "
            f"iterations={self.iterations}, gates={self.gates}, seed={self.seed}, run={self.run})"
        )

    def _repr_html_(self) -> str:
        from gatewalk.search.notebook import run_html

        return run_html(self)

    def record(self) -> dict[str, Any]:
        """The run as a flat record, a value for each of `COLUMNS`: a line of `gatewalk evolve --json`.

        The columns of an observer follow.
        """
        values = {column.name: getattr(self, column.name) for column in RUN_COLUMNS}
        return cell_values(self.search, self.seed) | values | self.observed


RUN_COLUMNS = columns_of(Run)
COLUMNS = (*CELL_COLUMNS, *RUN_COLUMNS)


def what_was_run(run: Run) -> str:
    """All settings of a run, in words."""
    search = run.search
    words = [what_is_searched(search), f"budget {search.budget:,}", run.evaluation, *_start_words(search)]
    return ", ".join([*words, f"seed {run.seed}", f"run {run.run}"])


def what_is_searched(search: Search, *, start: bool = False) -> str:
    """The settings that determine the running time of a search, in words; with `start`, also where it starts.

    >>> from gatewalk import search_for
    >>> what_is_searched(search_for("and:8", options={"ties": "coin"}))
    'and:8, cgp, gates and, D = 16, sam, lambda 1, nonstrict, paper, ties=coin, complete'
    """
    words = [search.target.label, search.algorithm, f"gates {brief(str(search.gates))}"]
    if isinstance(search, CgpSearch):
        words += [f"D = {search.nodes}", str(search.mutation)]
    words += [f"lambda {search.offspring}", str(search.selection), search.profile]
    words += [f"{name}={value}" for name, value in changed_options(search).items()]
    return ", ".join([*words, str(search.training), *(_start_words(search) if start else ())])


def _start_words(search: Search) -> list[str]:
    return [] if (start := start_text(search)) == "random" else [f"start {brief(start)}"]


def program_schematic(run: Run) -> Picture:
    """A schematic of all nodes of the final program as gates, with inactive ones in grey.

    >>> import gatewalk as gw
    >>> from gatewalk.circuit.drawing.picture import write_picture
    >>> picture = program_schematic(gw.evolve("and:4", nodes=8, seed=1))
    >>> write_picture(picture, "program.svg")  # doctest: +SKIP
    """
    from gatewalk.cgp.genotype import whole_circuit
    from gatewalk.circuit.drawing.schematic import schematic

    return schematic(whole_circuit(**_program(run)))


def program_genotype(run: Run) -> Picture:
    """The final program as in Figure 1: its nodes in a row with their edges, their genes below them."""
    from gatewalk.cgp.drawing import genotype_picture

    return genotype_picture(**_program(run))


def _program(run: Run) -> dict[str, Any]:
    if not isinstance(run.search, CgpSearch):
        raise InputError(f"{run.search.algorithm} has trees, which have no inactive nodes; draw run.circuit")
    return {
        "shape": run.search.shape,
        "genes": run.program.astype(np.int64),
        "input_labels": run.circuit.input_labels,
        "output_labels": run.circuit.output_labels,
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs(Sequence[Run]):
    """Many runs of one search under one seed, as columns: NumPy arrays with an entry for each run.

    It is also a sequence: `runs[3]` is a `Run`, made when it is asked for.

    search, seed, evaluation: what the runs share.
    run: the numbers of the runs.
    fitness: a list, because it can exceed 64 bits.
    seconds: the time of each run; that of a kernel call that made several is divided by their iterations.
    programs, improvements: one for each run.
    observed: the columns of an observer, by name (`gatewalk.observer`).
    The other columns are as in `Run`.

    >>> import gatewalk as gw
    >>> runs = gw.run_many("and:4", nodes=8, seed=1, runs=100)
    >>> len(runs), int(runs.solved.sum()), runs[0].iterations
    (100, 100, 8)
    >>> print(runs.ert())
    15.72 (95 %: 12.95 to 19.1)
    """

    search: Search
    seed: int
    evaluation: str
    run: NDArray[np.uint64]
    iterations: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    elementary_steps: NDArray[np.int64]
    solved: NDArray[np.bool_]
    fitness: list[int] = field(repr=False)
    gates: NDArray[np.int64]
    generalisation: NDArray[np.float64] | None
    seconds: NDArray[np.float64]
    programs: Any = field(repr=False)
    improvements: Sequence[Improvements] = field(repr=False)
    observed: dict[str, NDArray[np.int64]] = field(repr=False, default_factory=dict)

    def __len__(self) -> int:
        return int(self.run.size)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> Runs: ...
    def __getitem__(self, index: int | slice) -> Run | Runs:
        if isinstance(index, slice):
            return self.take(range(len(self))[index])
        index = range(len(self))[index]
        values = {name: _at(getattr(self, name), index) for name in _COLUMNS}
        return Run(
            search=self.search,
            seed=self.seed,
            program=self.programs[index],
            improvements=self.improvements[index],
            observed={name: int(values[index]) for name, values in self.observed.items()},
            **values,
        )

    def __iter__(self) -> Iterator[Run]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        solved = int(self.solved.sum())
        return f"Runs({self.search.target.name}, {len(self)} runs, {solved} solved, seed={self.seed})"

    def _repr_html_(self) -> str:
        from gatewalk.search.notebook import runs_html

        return runs_html(self)

    def ert(self) -> ExpectedTime:
        """The expected running time with its 95 % interval: all iterations per solved run.

        >>> import gatewalk as gw
        >>> expected = gw.run_many("and:4", nodes=8, seed=1, runs=100).ert()
        >>> expected.value, expected.interval.low < expected.value < expected.interval.high
        (15.72, True)
        """
        from gatewalk.stats.sample import sample
        from gatewalk.stats.times import expected_time

        return expected_time(sample(self.iterations, self.solved))

    def summary(self) -> dict[str, Any]:
        """The settings of the runs, and their running time in brief: a record of `Results.summary()`.

        >>> import gatewalk as gw
        >>> summary = gw.run_many("and:4", nodes=8, seed=1, runs=100).summary()
        >>> summary["target"], summary["solved"], summary["ert"], summary["median"]
        ('and:4', 100, 15.72, 13.0)
        """
        from gatewalk.stats.sample import sample
        from gatewalk.stats.times import time_record

        return cell_values(self.search, self.seed) | time_record(sample(self.iterations, self.solved))

    def to_frame(self, rows: Rows = "runs") -> Any:
        """The runs as a data frame of pandas or, where only that is installed, of polars.

        rows: "runs", a row per run with the columns of `records`; or "improvements", a row for the start of
            each run and for each improvement, with the columns of the cell, run, iterations and fitness.

        >>> import gatewalk as gw
        >>> runs = gw.run_many("and:4", nodes=8, seed=1, runs=2)
        >>> runs.to_frame("improvements")[["run", "iterations", "fitness"]].values.tolist()
        [[0, 0, 3], [0, 6, 1], [0, 8, 0], [1, 0, 3], [1, 4, 1], [1, 27, 0]]
        """
        from gatewalk.search.frames import check_rows, frame, improvement_columns

        check_rows(rows)
        if rows == "improvements":
            numbered = zip(self.run.tolist(), self.improvements, strict=True)
            return frame(improvement_columns(self.search, self.seed, numbered))
        common = {name: [value] * len(self) for name, value in cell_values(self.search, self.seed).items()}
        observed = {name: values.tolist() for name, values in self.observed.items()}
        return frame(common | {name: list(self.values(name)) for name in _COLUMNS} | observed)

    def plot(self, kind: str = "ecdf", **options: Any) -> Any:
        """A figure of these runs, made as those of a campaign are (`Results.plot`).

        kind: "ecdf", the fraction of runs solved within a time; "distribution", the same with its band and
            the exact curve, for which the Markov chain is solved; "success"; "time"; or "fixed-target", the
            expected evaluations until so few mismatches are left.

        >>> import gatewalk as gw
        >>> gw.run_many("and:4", nodes=8, seed=1, runs=100).plot().axes[0].get_xlabel()
        'iterations + 1'
        """
        return above("gatewalk.analysis.plots", "plot")(self, kind, **options)

    def take(self, indices: Iterable[int]) -> Runs:
        """The runs at these indices, in this order."""
        chosen = np.fromiter(indices, dtype=np.int64)
        columns: dict[str, Any] = {
            name: getattr(self, name)[chosen] for name in _ARRAYS if getattr(self, name) is not None
        }
        for name in _NUMBERS:
            columns[name] = [getattr(self, name)[index] for index in chosen.tolist()]
        for name in _PARTS:
            columns[name] = picked(getattr(self, name), chosen)
        columns["observed"] = {name: values[chosen] for name, values in self.observed.items()}
        return replace(self, **columns)

    def values(self, name: str) -> Iterable[Any]:
        """A column as plain Python values, one for each run."""
        column = getattr(self, name)
        if isinstance(column, np.ndarray):
            listed: list[Any] = column.tolist()
            return listed
        return column if isinstance(column, list) else repeat(column, len(self))

    def records(self) -> Iterator[dict[str, Any]]:
        """Every run as a flat record, as `Run.record` is."""
        common, names = cell_values(self.search, self.seed), [*_COLUMNS, *self.observed]
        observed = [values.tolist() for values in self.observed.values()]
        for values in zip(*map(self.values, _COLUMNS), *observed, strict=True):
            yield common | dict(zip(names, values, strict=True))


# How a column is held, by its kind: most are arrays; numbers that can exceed 64 bits are a list; a text,
# which is the same for all runs, is held once.
_DTYPES: dict[str, type] = {"count": np.int64, "real": np.float64, "truth": np.bool_}
_COLUMNS = [column.name for column in RUN_COLUMNS]
_ARRAYS = {column.name: _DTYPES[column.kind] for column in RUN_COLUMNS if column.kind in _DTYPES}
_ARRAYS["run"] = np.uint64  # the number of a run may be any that a seed sequence takes
_NUMBERS = [column.name for column in RUN_COLUMNS if column.kind == "number"]
_PARTS = ("programs", "improvements")


def _at(column: Any, index: int) -> Any:
    """An entry of a column as a plain Python value; a column held once has the same value everywhere."""
    if isinstance(column, np.ndarray):
        return column[index].item()
    return column[index] if isinstance(column, list) else column


def runs_of(runs: Sequence[Run]) -> Runs:
    """Runs of the same search and seed, at least one, in columns."""
    first = runs[0]
    columns: dict[str, Any] = {}
    for name, dtype in _ARRAYS.items():
        has_values = getattr(first, name) is not None
        columns[name] = np.array([getattr(run, name) for run in runs], dtype=dtype) if has_values else None
    for name in _NUMBERS:
        columns[name] = [getattr(run, name) for run in runs]
    return Runs(
        search=first.search,
        seed=first.seed,
        evaluation=first.evaluation,
        programs=[run.program for run in runs],
        improvements=[run.improvements for run in runs],
        observed={
            name: np.array([run.observed[name] for run in runs], dtype=np.int64) for name in first.observed
        },
        **columns,
    )


def joined(parts: Sequence[Runs]) -> Runs:
    """Parts of one cell, at least one, joined in this order."""
    first = parts[0]
    if len(parts) == 1:
        return first
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in _ARRAYS
        if getattr(first, name) is not None
    }
    for name in _NUMBERS:
        columns[name] = [value for part in parts for value in getattr(part, name)]
    for name in _PARTS:
        columns[name] = chained([getattr(part, name) for part in parts])
    columns["observed"] = {
        name: np.concatenate([part.observed[name] for part in parts]) for name in first.observed
    }
    return replace(first, **columns)


def in_order(parts: Sequence[Runs], numbers: Sequence[int]) -> Runs:
    """Parts of one cell joined, with the runs in the order of these numbers."""
    whole = joined(parts)
    if whole.run.tolist() == list(numbers):
        return whole
    index = {number: i for i, number in enumerate(whole.run.tolist())}
    return whole.take(index[number] for number in numbers)


def best_of(runs: Sequence[Run]) -> Run:
    """The solved run with the fewest gates, the first of several; without a solved one, the fittest run.

    >>> import gatewalk as gw
    >>> best_of(gw.run_many(gw.search_for("and:2"), runs=range(9), seed=1)).gates
    1
    """
    if isinstance(runs, Runs):
        ranked = zip(runs.fitness, runs.gates.tolist(), runs.run.tolist(), range(len(runs)), strict=True)
        return runs[min(ranked)[-1]]
    return min(runs, key=lambda run: (run.fitness, run.gates, run.run))


class Logged(Sequence[Improvements]):
    """The improvements of `count` runs from position `first` on, as a sequence with an entry for each run.

    rows: the log of a kernel, (position, offspring, rank), ordered by position.
    """

    def __init__(self, rows: NDArray[np.int64], first: int, count: int, fitness_of: Callable[[int], int]):
        self._rows = rows
        self._bounds = np.searchsorted(rows[:, 0], np.arange(first, first + count + 1))
        self._fitness = {rank: fitness_of(rank) for rank in np.unique(rows[:, 2]).tolist()}

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, index: Any) -> Any:
        index = range(len(self))[index]
        if isinstance(index, range):
            return [self[position] for position in index]
        rows = self._rows[self._bounds[index] : self._bounds[index + 1], 1:].tolist()
        return tuple((offspring, self._fitness[rank]) for offspring, rank in rows)


class View(Sequence[T]):
    """A view of entries of several sequences: entry k is parts[of[k]][at[k]]."""

    def __init__(self, parts: Sequence[Sequence[T]], of: NDArray[np.int64], at: NDArray[np.int64]):
        self._parts, self._of, self._at = parts, of, at

    def __len__(self) -> int:
        return len(self._of)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return View(self._parts, self._of[index], self._at[index])
        entry: T = self._parts[int(self._of[index])][int(self._at[index])]
        return entry


def chained(parts: Sequence[Sequence[T]]) -> Sequence[T]:
    """Several sequences, one after the other, as one sequence."""
    sizes = np.array([len(part) for part in parts])
    first = np.cumsum(sizes) - sizes
    return View(
        parts, np.repeat(np.arange(len(parts)), sizes), np.arange(sizes.sum()) - np.repeat(first, sizes)
    )


def picked(values: Sequence[T], indices: NDArray[np.int64]) -> Sequence[T]:
    """The entries of a sequence at these indices, in this order."""
    return View([values], np.zeros_like(indices), indices)
