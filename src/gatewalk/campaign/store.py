"""The rows of a store: cells, runs, traces, unfinished runs and provenance, read and written.

Every function takes a connection from `store_file`. Whatever is read is checked, and `Damage` is raised for
anything that no campaign would have written. What belongs together is written in one transaction, so a
process that is killed at any moment leaves the store consistent.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import gate_set
from gatewalk.campaign.packing import Trace, pack_programs, pack_trace, unpack_program, unpack_trace
from gatewalk.campaign.planning import Cell, cell_key
from gatewalk.campaign.spec import MOST_REPLICATIONS, Campaign
from gatewalk.campaign.store_file import (
    CAMPAIGN,
    CELL,
    CHECKPOINT,
    COUNTS,
    DELIVERY,
    ID,
    OPERATOR,
    PROGRAM,
    RUN,
    RUN_NUMBER,
    TRACE,
    Damage,
    Row,
    has_operators,
    make_operators,
    select,
    select_checked,
)
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.operators import RESERVED, OwnOperator, own_operators
from gatewalk.circuit.own_targets import target_from_text
from gatewalk.errors import InputError, shown
from gatewalk.native.frozen import DIGEST
from gatewalk.numbers import decimal
from gatewalk.search.batch import Checkpoint
from gatewalk.search.columns import LARGEST_COUNT, Column, check_values, number_of
from gatewalk.search.options import (
    CELL_COLUMNS,
    SEED,
    Search,
    cell_values,
    law_text,
    search_for,
    start_text,
)
from gatewalk.search.possible import check_columns, most_fitness
from gatewalk.search.runs import RUN_COLUMNS, Improvements, Run, Runs

_CHUNK = 5000  # rows read at once; short reads let the writer truncate its log
_MOST_NUMBERS = 1 << 24  # of the programs that are read at once: 64 MiB
_MOST_BYTES = 1 << 26  # of the traces that are read at once
_MOST_LEAVES = 1 << 20  # of a tree
_WIDEST = 4  # bytes of a number of a program
_ROUNDING = 1 + 1e-9  # of sums that exceed 64 bits


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """A cell of a store, with counts over its runs.

    number, key: the number by which its rows are found, and its identity.
    law: the canonical text of everything that determines its runs except their seed and budget.
    values: its settings by column, as `values["target"]`.
    words: those of `gatewalk.search_for` that make its search again.
    planned, finished, solved: how many runs were asked for, are stored, and were solved.
    iterations, seconds: sums over its finished runs.
    traced: how many runs have a trace.

    >>> from gatewalk.campaign import campaign, run
    >>> (cell,) = run(campaign(target="and:3", replications=5, seed=7), jobs=1).cells()
    >>> cell.values["target"], cell.finished, cell.solved
    ('and:3', 5, 5)
    """

    number: int
    key: bytes
    law: str
    values: dict[str, Any]
    words: dict[str, Any]
    planned: int
    finished: int
    solved: int
    iterations: int | float
    seconds: float
    traced: int

    @cached_property
    def search(self) -> Search:
        """The search of its runs; raises `Damage` if it does not fit its key and values."""
        try:
            search = search_for(**_content(self.words, self.values, self.law))
        except InputError as error:
            raise Damage(f"cell {self.number}: {error}") from None
        seed, law = self.values[SEED.name], law_text(search)
        is_its_own = law == self.law and cell_key(law, search.budget, seed) == self.key
        if not is_its_own or cell_values(search, seed) != self.values:
            raise Damage(f"cell {self.number}: its settings are not those that it was stored under")
        return search

    @property
    def expected_running_time(self) -> float:
        """The ERT: all iterations divided by the number of solved runs; infinite if there is none."""
        return self.iterations / self.solved if self.solved else float("inf")


def _content(words: dict[str, Any], values: dict[str, Any], law: str) -> dict[str, Any]:
    """The words, with what they may have been written as the name of a file for as its content.

    The operators that users wrote are those whose identities the law has.

    A store may come from anyone, and from another machine: no file is opened because it names it.
    """
    start = words.get("start")
    if not isinstance(start, str) or not (start == "random" or start.startswith("genes:")):
        raise InputError(f"its start is {shown(start)}, which no campaign stores")
    operators = {kind: words[kind] for kind in RESERVED if kind in words}
    for kind, written in operators.items():
        if (identity := f"{written}@{_digest(law, kind)}") in law:
            operators[kind] = identity
        name, colon, _ = str(written).partition(":")
        if colon and name not in RESERVED[kind]:  # it would be imported
            raise InputError(f"its {kind} is {shown(written)}, which no campaign stores")
    target, gates = target_from_text(values["target"]), gate_set(values["gate_set"])
    return {**words, **operators, "target": target, "gates": gates}


def _digest(law: str, kind: str) -> str:
    """The digest of a user's operator in the text of a law; empty if it has none."""
    found = re.search(rf'"{kind}":"[A-Za-z0-9_-]*@({DIGEST.pattern})"', law)
    return found[1] if found else ""


def cells(connection: sqlite3.Connection) -> Iterator[StoredCell]:
    """The cells, in the order in which they were first planned."""
    for row in select(connection, "cell", (ID, *CELL), "ORDER BY id"):
        values = dict(zip((column.name for column in (ID, *CELL)), row, strict=True))
        number = values["id"]
        counts = {column.name: values[column.name] for column in COUNTS}
        most_runs = max(values["planned"], counts["finished"])
        most_iterations = counts["finished"] * values["budget"]
        if (
            max(counts["solved"], counts["traced"]) > counts["finished"]
            or most_runs > MOST_REPLICATIONS
            or counts["iterations"] > most_iterations * _ROUNDING
        ):
            raise Damage(f"cell {number} has counts that do not fit together")
        yield StoredCell(
            number=number,
            key=values["key"],
            law=values["law"],
            values={column.name: values[column.name] for column in CELL_COLUMNS},
            words=_words(number, values["options"]),
            planned=values["planned"],
            **counts,
        )


def _words(cell: int, text: str) -> dict[str, Any]:
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        words = None
    if not isinstance(words, dict) or "target" not in words:
        raise Damage(f"cell {cell}: its options cannot be read")
    return words


def run_chunks(
    connection: sqlite3.Connection,
    cell: StoredCell,
    columns: Sequence[Column] = RUN_COLUMNS,
    *,
    at_once: int = _CHUNK,
) -> Iterator[list[tuple[Any, ...]]]:
    """The columns of a cell's runs, `at_once` runs at a time, by run number, which is their first column.

    Raises `Damage` if there are other rows than the search of the cell can have, or fewer than are counted.
    """
    last, count = -1, 0
    while True:
        condition = f"WHERE cell = ? AND run > ? ORDER BY run LIMIT {at_once}"
        rows, by_column = select_checked(connection, "run", columns, condition, (cell.number, last))
        if rows:
            _check(cell, columns, by_column)
            yield by_column
        count += len(rows)
        if len(rows) < at_once:
            break
        last = rows[-1][0]
    if count < cell.finished:  # more may have come since they were counted
        raise Damage(f"cell {cell.number} says that it has {cell.finished} rows of run, not {count}")


def _check(cell: StoredCell, columns: Sequence[Column], by_column: Sequence[tuple[Any, ...]]) -> None:
    """Raise `Damage` unless these can be values of runs of the cell."""
    by_name = {column.name: values for column, values in zip(columns, by_column, strict=True)}
    try:
        if max(by_name[RUN_NUMBER.name]) >= MOST_REPLICATIONS:
            raise InputError("its number is larger than campaigns give")
        check_columns(cell.search, by_name)
    except Damage:
        raise
    except InputError as error:
        raise Damage(f"a run of cell {cell.number} cannot be: {error}") from None


def _longest_program(connection: sqlite3.Connection, cell: StoredCell, condition: str, *values: int) -> int:
    """The most numbers of a program in these rows; raises `Damage` if one is too long.

    Only the sizes of the programs are looked at, so one that is too long takes no memory.
    """
    query = (
        f"SELECT max(length(program)), max(gates), max(typeof(program) <> 'blob') FROM run WHERE {condition}"
    )
    ((longest, gates, is_none),) = connection.execute(query, values)
    search, most = cell.search, 0
    if isinstance(search, CgpSearch):
        most = search.shape.length
    elif isinstance(gates, int):
        most = _numbers_of_tree(gates) if gates < _MOST_LEAVES else 0
    if is_none or (longest or 0) > 1 + _WIDEST * most:
        raise Damage(f"a program of cell {cell.number} is longer than its search allows, or is none")
    return most


def _numbers_of_tree(gates: int) -> int:
    """How many numbers describe a tree; see `gatewalk.tgp.tree.program_of`."""
    return 4 * gates + 2


def runs(connection: sqlite3.Connection, cell: StoredCell) -> Iterator[Run]:
    """A cell's runs with their programs, in the order of their numbers."""
    longest = _longest_program(connection, cell, "cell = ?", cell.number)
    at_once = max(1, min(_CHUNK, _MOST_NUMBERS // max(1, longest)))
    for chunk in run_chunks(connection, cell, (*RUN_COLUMNS, PROGRAM), at_once=at_once):
        yield from _runs(cell, chunk, longest)


def run(connection: sqlite3.Connection, cell: StoredCell, number: int) -> Run | None:
    """One run of a cell; None if it is not stored."""
    columns, condition = (*RUN_COLUMNS, PROGRAM), "cell = ? AND run = ?"
    longest = _longest_program(connection, cell, condition, cell.number, number)
    rows, by_column = select_checked(connection, "run", columns, f"WHERE {condition}", (cell.number, number))
    if not rows:
        return None
    _check(cell, columns, by_column)
    return next(_runs(cell, by_column, longest))


def _runs(cell: StoredCell, by_column: Sequence[tuple[Any, ...]], longest: int) -> Iterator[Run]:
    """The runs with these columns, of which the last one is their programs."""
    search = cell.search
    *others, packed = by_column
    try:
        programs: Any = [unpack_program(data, longest) for data in packed]
        if len({program.size for program in programs}) == 1:
            programs = np.stack(programs)  # one array is checked faster than many
        search.check_programs(programs)
    except InputError as error:
        raise Damage(f"a program of cell {cell.number}: {error}") from None
    for row, program in zip(zip(*others, strict=True), programs, strict=True):
        values = dict(zip((column.name for column in RUN_COLUMNS), row, strict=True))
        if not isinstance(search, CgpSearch) and values["gates"] != search.gates_of(program):
            raise Damage(f"a program of cell {cell.number} has other gates than its row says")
        values["solved"], values["fitness"] = bool(values["solved"]), number_of(values["fitness"])
        yield Run(search=search, seed=cell.values[SEED.name], program=program, **values)


def large_numbers(connection: sqlite3.Connection, cell: int) -> set[str]:
    """The columns of a cell's runs in which a number exceeds 64 bits."""
    names = [column.name for column in RUN_COLUMNS if column.kind == "number"]
    query = "SELECT 1 FROM run WHERE cell = ? AND typeof({}) = 'text' LIMIT 1"
    return {name for name in names if connection.execute(query.format(name), (cell,)).fetchone()}


def run_numbers(connection: sqlite3.Connection, table: str, cell: int, below: int) -> NDArray[np.int64]:
    """The sorted numbers of a cell's runs, or of its traces, below a limit."""
    rows = connection.execute(
        f"SELECT run FROM {table} WHERE cell = ? AND run < ? ORDER BY run", (cell, below)
    )
    try:
        return np.fromiter((run for (run,) in rows), np.int64)
    except (TypeError, ValueError, OverflowError):
        raise Damage(f"a number of a run of cell {cell} is none") from None


def traces(connection: sqlite3.Connection, cell: StoredCell) -> Iterator[tuple[int, Trace]]:
    """(run number, trace) of every run of the cell that has one."""
    most, last = most_fitness(cell.search), -1
    ((longest,),) = connection.execute("SELECT max(length(data)) FROM trace WHERE cell = ?", (cell.number,))
    at_once = max(1, min(_CHUNK, _MOST_BYTES // max(1, longest or 0)))
    while True:
        condition = f"WHERE cell = ? AND run > ? ORDER BY run LIMIT {at_once}"
        chunk = select(connection, "trace", TRACE, condition, (cell.number, last))
        for _, number, data in chunk:
            try:
                yield number, unpack_trace(data, most)
            except InputError as error:
                raise Damage(f"the trace of run {number} of cell {cell.number}: {error}") from None
        if len(chunk) < at_once:
            return
        last = chunk[-1][1]


def checkpoints(connection: sqlite3.Connection, cell: int) -> list[Checkpoint]:
    """The unfinished runs of a cell. A damaged row is skipped: its run starts anew, with the same result."""
    names = ", ".join(column.name for column in CHECKPOINT)
    rows = connection.execute(f"SELECT {names} FROM checkpoint WHERE cell = ? ORDER BY run", (cell,))
    return [
        Checkpoint(run=run, state=state, seconds=seconds)
        for cell, run, state, seconds, saved in rows
        if _is_checkpoint((cell, run, state, seconds, saved))
    ]


def _is_checkpoint(row: Row) -> bool:
    try:
        for column, value in zip(CHECKPOINT, row, strict=True):
            check_values(column, [value])
    except InputError:
        return False
    return True


def checkpoint_count(connection: sqlite3.Connection) -> int:
    """How many unfinished runs are saved."""
    ((count,),) = connection.execute("SELECT count(*) FROM checkpoint")
    return int(count)


def latest_campaign(connection: sqlite3.Connection) -> dict[str, Any]:
    """The row of the latest invocation; empty if there was none."""
    rows = select(connection, "campaign", CAMPAIGN, "ORDER BY id DESC LIMIT 1")
    return {column.name: value for row in rows for column, value in zip(CAMPAIGN, row, strict=True)}


def latest_deliveries(connection: sqlite3.Connection, most: int) -> list[tuple[int, float]]:
    """Pairs (number of runs, when they were stored) of the latest deliveries, newest first."""
    rows = select(connection, "delivery", DELIVERY, "ORDER BY id DESC LIMIT ?", (most,))
    return [(runs, stored) for _, runs, stored in rows]


def trace_of(search: Search, improvements: Improvements) -> Trace:
    """The trace of a run: pairs (evaluations, best fitness so far), beginning with evaluation 1."""
    return tuple(
        (offspring + search.starts if offspring else 1, fitness) for offspring, fitness in improvements
    )


def improvements_of(search: Search, trace: Trace) -> Improvements:
    """The improvements of a run with this trace."""
    return tuple((max(0, evaluations - search.starts), fitness) for evaluations, fitness in trace)


def rows_of(runs: Runs, *, cell: int, delivery: int) -> Iterator[tuple[Any, ...]]:
    """A row of the store's table for each run, built from columns, which is the fastest way in Python."""
    columns = [
        _storable(runs.values(column.name)) if column.kind == "number" else runs.values(column.name)
        for column in RUN_COLUMNS
    ]
    return zip(repeat(cell), *columns, pack_programs(runs.programs), repeat(delivery), strict=False)


def _storable(numbers: Iterable[int]) -> list[int | str]:
    """Numbers in the form that SQLite can hold: as decimal text beyond 64 bits."""
    return [value if value <= LARGEST_COUNT else decimal(value) for value in numbers]


_PACKAGES = ("gatewalk", "numpy", "numba", "distributed")
_INSERT = f"INSERT OR IGNORE INTO run VALUES ({', '.join('?' for _ in RUN)})"


def begin_campaign(connection: sqlite3.Connection, campaign: Campaign, executor: str) -> int:
    """Record an invocation: what was asked for, with which software, and when; returns its number."""
    versions = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    text = campaign.text or repr(campaign.grids)
    values = (campaign.name, campaign.source, text, json.dumps(versions), processor(), executor, time.time())
    cursor = connection.execute(
        "INSERT INTO campaign (name, source, text, packages, processor, executor, started, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'running')",
        values,
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def end_campaign(connection: sqlite3.Connection, campaign: int, state: str) -> None:
    """Record how an invocation ended: "done", "interrupted" or "failed"."""
    connection.execute(
        "UPDATE campaign SET stopped = ?, state = ? WHERE id = ?", (time.time(), state, campaign)
    )


def processor() -> str:
    """The name of the processor, if the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def enter_cells(connection: sqlite3.Connection, cells: Sequence[Cell]) -> list[int]:
    """Make sure that the cells are in the store, with the replications now planned; returns their numbers."""
    numbers = []
    connection.execute("BEGIN IMMEDIATE")
    for cell in cells:
        # Store the start program itself, not the name of its file, so the store needs no other file.
        # For the same reason, an operator that a user wrote is stored by its name; the law has its digest.
        words = {**cell.words, "start": start_text(cell.search)}
        for operator in own_operators(cell.search):
            words[operator.kind] = operator.name
            _enter_operator(connection, operator)
        values = {
            "key": cell.key,
            "law": cell.law,
            "options": json.dumps(words),
            **cell_values(cell.search, cell.seed),
            "planned": cell.replications,
        }
        connection.execute(
            f"INSERT INTO cell ({', '.join(values)}) VALUES ({', '.join('?' for _ in values)})"
            " ON CONFLICT (key) DO UPDATE SET planned = excluded.planned",
            tuple(values.values()),
        )
        row = connection.execute("SELECT id FROM cell WHERE key = ?", (cell.key,)).fetchone()
        numbers.append(int(row[0]))
    connection.execute("COMMIT")
    return numbers


def _enter_operator(connection: sqlite3.Connection, operator: OwnOperator) -> None:
    """Keep the text of an operator; raises `InputError` if the store has another one of this name."""
    if not has_operators(connection):
        make_operators(connection)
    of_this_name = "WHERE kind = ? AND name = ?"
    stored = select(connection, "operator", OPERATOR, of_this_name, (operator.kind, operator.name))
    if not stored:
        values = (operator.kind, operator.name, operator.digest, operator.frozen.source)
        connection.execute("INSERT INTO operator (kind, name, digest, source) VALUES (?, ?, ?, ?)", values)
    elif stored[0][2] != operator.digest:
        raise InputError(
            f"the store has runs with another version of the {operator.kind} {operator.name}; undo the "
            "change, give the new one another name, or use a new store"
        )


@dataclass(frozen=True, kw_only=True)
class StoredOperator:
    """A mutation or a selection that a user wrote, as text. kind: "mutation" or "selection"."""

    kind: str
    name: str
    digest: str
    source: str


def operators(connection: sqlite3.Connection) -> list[StoredOperator]:
    """The functions of users that the store has runs with; they are never executed."""
    if not has_operators(connection):
        return []
    names = [column.name for column in OPERATOR]
    rows = select(connection, "operator", OPERATOR, "ORDER BY kind, name")
    return [StoredOperator(**dict(zip(names, row, strict=True))) for row in rows]


def missing_runs(connection: sqlite3.Connection, cell: int, planned: int, *, traces: bool) -> list[range]:
    """The runs below `planned` that are not stored (with traces: not stored with a trace), as ranges."""
    table, count = ("trace", "traced") if traces else ("run", "finished")
    ((there,),) = select(connection, "cell", (Column(name=count, kind="count"),), "WHERE id = ?", (cell,))
    last = select(connection, table, (RUN_NUMBER,), "WHERE cell = ? ORDER BY run DESC LIMIT 1", (cell,))
    if not last or there == last[0][0] + 1:  # there are no gaps, so the numbers need not be read
        return [range(there, planned)] if there < planned else []
    return _between(run_numbers(connection, table, cell, planned), planned)


def _between(stored: NDArray[np.int64], planned: int) -> list[range]:
    """The gaps between these sorted numbers, from 0 to `planned`."""
    edges = np.concatenate(([-1], stored, [planned]))
    before = np.flatnonzero(np.diff(edges) > 1)
    first, last = (edges[before] + 1).tolist(), edges[before + 1].tolist()
    return [range(*bounds) for bounds in zip(first, last, strict=True)]


def add_runs(
    connection: sqlite3.Connection,
    campaign: int,
    runs_by_cell: Sequence[tuple[int, Sequence[Runs]]],
    *,
    traces: bool,
) -> None:
    """Store finished runs, each with the number of its cell, and update the counts, in one transaction.

    A run that is already stored stays as it is, except that it may gain a trace; it must be the same run.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        cursor = connection.execute(
            "INSERT INTO delivery (campaign, runs, stored) VALUES (?, ?, ?)",
            (campaign, sum(len(part) for _, parts in runs_by_cell for part in parts), time.time()),
        )
        assert cursor.lastrowid is not None
        for cell, parts in runs_by_cell:
            for part in parts:
                _add(connection, cell, cursor.lastrowid, part, traces)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _add(connection: sqlite3.Connection, cell: int, delivery: int, runs: Runs, traces: bool) -> None:
    added = connection.executemany(_INSERT, rows_of(runs, cell=cell, delivery=delivery)).rowcount
    new = runs if added == len(runs) else _new_among(connection, cell, delivery, runs)
    traced = 0
    if traces:
        packed = (pack_trace(trace_of(runs.search, improvements)) for improvements in runs.improvements)
        rows = zip(repeat(cell), runs.run.tolist(), packed, strict=False)
        traced = connection.executemany("INSERT OR IGNORE INTO trace VALUES (?, ?, ?)", rows).rowcount
    iterations = sum(new.iterations.tolist())
    connection.execute(
        "UPDATE cell SET finished = finished + ?, solved = solved + ?, iterations = iterations + ?,"
        " seconds = seconds + ?, traced = traced + ? WHERE id = ?",
        (
            added,
            int(new.solved.sum()),
            iterations if iterations <= LARGEST_COUNT else float(iterations),
            float(new.seconds.sum()),
            traced,
            cell,
        ),
    )
    saved = {run for (run,) in connection.execute("SELECT run FROM checkpoint WHERE cell = ?", (cell,))}
    for run in saved and saved.intersection(runs.run.tolist()):
        connection.execute("DELETE FROM checkpoint WHERE cell = ? AND run = ?", (cell, run))


def _new_among(connection: sqlite3.Connection, cell: int, delivery: int, runs: Runs) -> Runs:
    """The runs that are new with this delivery; those that were already stored are compared."""
    new = []
    for index, program in enumerate(pack_programs(runs.programs)):
        run, iterations = int(runs.run[index]), int(runs.iterations[index])
        stored = connection.execute(
            "SELECT delivery, iterations, program FROM run WHERE cell = ? AND run = ?", (cell, run)
        ).fetchone()
        if stored[0] == delivery:
            new.append(index)
        elif stored[1:] != (iterations, program):
            raise InputError(
                f"run {run} of cell {cell} came out differently from the stored one ({iterations} "
                f"iterations, not {stored[1]}): the store was made by another law; use a new store"
            )
    return runs.take(new)


def save_checkpoint(connection: sqlite3.Connection, cell: int, checkpoint: Checkpoint) -> None:
    """Save an unfinished run. Storing the finished run removes the checkpoint."""
    connection.execute(
        "INSERT OR REPLACE INTO checkpoint (cell, run, state, seconds, saved) VALUES (?, ?, ?, ?, ?)",
        (cell, checkpoint.run, checkpoint.state, checkpoint.seconds, time.time()),
    )
