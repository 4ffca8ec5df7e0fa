"""Training and validation sets, fitness and generalisation, as the paper defines them (section 2.2).

A set is a multi-set of rows; a row is an assignment of the inputs together with the wanted outputs. It is the
complete truth table, or rows drawn uniformly with replacement, without ever making a table of 2^n rows.
Fitness counts mismatched outputs: the smaller the better. Rows on which no output of the target counts are
left out; on rows where only some outputs count, the others are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gatewalk.boolean.tables import ALL, Words, masked, pack, projections, unpack, words_for
from gatewalk.boolean.targets import Target
from gatewalk.errors import InputError, shown, whole_number

COMPLETE_LIMIT_BYTES = 2 << 30
SAMPLE_LIMIT_BYTES = 2 << 30

WordsSource = Callable[[int], Words]  # count -> that many independent uniform 64-bit words


@dataclass(frozen=True)
class Complete:
    """Train on the complete truth table."""

    def __str__(self) -> str:
        return "complete"


COMPLETE = Complete()


@dataclass(frozen=True)
class Sample:
    """Train on rows drawn for each run: so many, or n^1.3 rounded up.

    written: how a user wrote it, which stores compare: `sample:09` stays as it is.

    >>> str(Sample()), str(Sample(100))
    ('sample', 'sample:100')
    """

    rows: int | None = None
    written: str = ""

    def __post_init__(self) -> None:
        if self.rows is not None:
            whole_number("the rows of a sample", self.rows, least=1)
        if not self.written:
            object.__setattr__(self, "written", "sample" if self.rows is None else f"sample:{self.rows}")

    def __str__(self) -> str:
        return self.written


def sampled_rows(training: Complete | Sample, target: Target) -> int | None:
    """How many rows are drawn for each run; None for the complete set. Too many for memory are refused."""
    if isinstance(training, Complete):
        return None
    rows = sample_rows(target.inputs) if training.rows is None else training.rows
    size = rows * (target.inputs + target.outputs) // 8
    if size > SAMPLE_LIMIT_BYTES:
        words = f"{shown(rows)} rows of {target.label} would take {shown(size >> 30)} GiB of memory"
        raise InputError(f"{words}; use fewer rows", option="training")
    return rows


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows on which fitness counts mismatches, as packed columns.

    kind: "complete", all 2^n rows; "part", those of them that count; or "sample".
    inputs, outputs: a column of 64-bit words for each, one bit for each row.
    cares: for every output the rows on which it counts; None if all do.

    >>> from gatewalk.boolean.targets import family_target
    >>> rows = complete(family_target("and:3"))
    >>> rows.kind, rows.rows, bin(rows.outputs[0][0])
    ('complete', 8, '0b10000000')
    """

    kind: Literal["complete", "part", "sample"]
    rows: int
    inputs: Words = field(repr=False)
    outputs: Words = field(repr=False)
    cares: Words | None = field(default=None, repr=False)


def complete(target: Target) -> TrainingSet:
    """The complete training set of a target: all 2^n rows, less those that do not count.

    >>> from gatewalk.boolean.targets import family_target
    >>> complete(family_target("xor:5")).rows
    32
    """
    if _complete_bytes(target) > COMPLETE_LIMIT_BYTES:
        raise InputError(
            f"the complete training set of {target.label} has 2^{target.inputs} rows and would take "
            f"{_memory_text(target)} of memory; use --training sample"
        )
    return _set_of("complete", target, projections(target.inputs), 1 << target.inputs)


def sample(target: Target, rows: int, words_source: WordsSource) -> TrainingSet:
    """A training set of `rows` independent rows, uniform over {0,1}^n; the bits come from `words_source`."""
    if rows < 1:
        raise InputError(f"a sampled training set needs at least 1 row, not {rows}")
    count = words_for(rows)
    drawn = np.asarray(words_source(target.inputs * count), np.uint64)
    return _set_of("sample", target, masked(drawn.reshape(target.inputs, count), rows), rows)


def samples(target: Target, rows: int, drawn: Words) -> Words:
    """Many sampled sets at once, uint64[..., n + m, words]: the columns of the inputs, then of the outputs.

    drawn: for each set the words that `sample` would take from its source, uint64[..., n * words]. All rows
    of the target must count: if some were left out, the sets would have different sizes.
    """
    if target.cares is not None:
        raise ValueError(f"sets of {target.name} leave rows out")
    shape = (*drawn.shape[:-1], target.inputs, words_for(rows))
    inputs = masked(drawn.reshape(shape), rows)
    columns = np.moveaxis(inputs, -2, 0)
    outputs = target.evaluate(columns.reshape(target.inputs, -1)).reshape(target.outputs, *columns.shape[1:])
    return np.concatenate([inputs, masked(np.moveaxis(outputs, 0, -2), rows)], axis=-2)


def _set_of(kind: Literal["complete", "sample"], target: Target, inputs: Words, rows: int) -> TrainingSet:
    """The set of these rows, less those that count for no output; it is an error if none is left."""
    outputs = masked(target.evaluate(inputs), rows)
    if target.cares is None:
        return TrainingSet(kind, rows, inputs, outputs)
    cares = unpack(target.cares(inputs), rows)
    kept = cares.any(axis=0)
    if not kept.any():
        raise InputError(f"none of the {rows} rows drawn of {target.label} counts; draw more rows")
    columns = pack(unpack(inputs, rows)[:, kept]), pack(unpack(outputs, rows)[:, kept])
    counting = cares[:, kept]
    return TrainingSet(
        "part" if kind == "complete" and not kept.all() else kind,
        int(kept.sum()),
        *columns,
        None if counting.all() else pack(counting),
    )


def counted(training: TrainingSet) -> Words:
    """For every output, the rows on which it counts; unused bits are 0."""
    shape = training.outputs.shape
    return masked(np.full(shape, ALL) if training.cares is None else training.cares, training.rows)


def sample_rows(n: int) -> int:
    """⌈n^1.3⌉, the size of the paper's incomplete training sets, exactly."""
    rows = round(math.pow(n, 1.3))
    while rows**10 < n**13:
        rows += 1
    while rows > 0 and (rows - 1) ** 10 >= n**13:
        rows -= 1
    return rows


def fitness(outputs: Words, training: TrainingSet) -> int:
    """The number of wrong outputs over all rows of a training set: f(y) of the paper.

    outputs: a column of words for each output, as in `TrainingSet.outputs`.

    >>> from gatewalk.boolean.targets import family_target
    >>> wanted = complete(family_target("and:3"))
    >>> fitness(complete(family_target("or:3")).outputs, wanted)
    6
    """
    return int(np.bitwise_count((outputs ^ training.outputs) & counted(training)).sum(dtype=np.int64))


def generalisation_error(outputs: Words, validation: TrainingSet) -> float:
    """The share of mismatched outputs: exact on a complete set, else an unbiased estimate."""
    values = int(np.bitwise_count(counted(validation)).sum(dtype=np.int64))
    return fitness(outputs, validation) / max(1, values)


def generalisation_ability(outputs: Words, validation: TrainingSet) -> float:
    """1 minus the generalisation error: 1 is a program that meets its specification."""
    return 1.0 - generalisation_error(outputs, validation)


def _complete_bytes(target: Target) -> int:
    return (target.inputs + target.outputs) * words_for(1 << target.inputs) * 8


def _memory_text(target: Target) -> str:
    size = _complete_bytes(target)
    for power, unit in ((60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB")):
        if size >> power >= 1024:
            return f"about 2^{size.bit_length() - 1} bytes"
        if size >> power:
            return f"{size / (1 << power):.1f} {unit}"
    return f"{size:,} bytes"
