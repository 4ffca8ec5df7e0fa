"""Covers: specifications as Espresso writes them, by cubes on which outputs are 1, are 0, or do not count.

After R. K. Brayton, G. D. Hachtel, C. T. McMullen and A. L. Sangiovanni-Vincentelli, "Logic minimization
algorithms for VLSI synthesis", 1984, and espresso(5). The type says which sets a file lists: f the rows
where an output is 1 (on), d where it does not matter (don't care), r where it is 0 (off):

- f: rows that are not on are off. Every row counts.
- fd: rows that are neither on nor don't care are off. A row that is both does not count.
- fr: rows that are neither on nor off do not count.
- fdr: as fr; don't cares may also be listed, and win over on and off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gatewalk.boolean.tables import ALL, Words
from gatewalk.errors import InputError, shown

TYPES = ("f", "fd", "fr", "fdr")
MOST_PAIRS = 1 << 24  # the most pairs of cubes that are compared


@dataclass(frozen=True)
class Cube:
    """The rows in which the inputs in bit set `ones` are 1 and those in `zeros` are 0.

    on, off, free: bit sets of the outputs that are 1, are 0, or do not count on these rows.
    """

    ones: int
    zeros: int
    on: int
    off: int
    free: int


@dataclass(frozen=True)
class Cover:
    """Cubes over labelled inputs and outputs; `type` is f, fd, fr or fdr."""

    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]
    cubes: tuple[Cube, ...]
    type: str = "fd"

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise InputError(f"a cover of type {shown(self.type)}, the types are {', '.join(TYPES)}")


def ones(cover: Cover, inputs: Words) -> Words:
    """The outputs, uint64[m, words], on columns of inputs, uint64[n, words]; 0 where no row counts.

    Examples
    --------
    >>> from gatewalk.boolean.tables import projections, unpack
    >>> both = Cover(("a", "b"), ("y",), (Cube(ones=3, zeros=0, on=1, off=0, free=0),))
    >>> unpack(ones(both, projections(2)), 4).astype(int)
    array([[0, 0, 0, 1]])
    """
    return _sets(cover, inputs)[0]


def cares(cover: Cover, inputs: Words) -> Words:
    """For every output the rows that count, uint64[m, words]."""
    return _sets(cover, inputs)[1]


def _sets(cover: Cover, inputs: Words) -> tuple[Words, Words]:
    n, m = len(cover.input_labels), len(cover.output_labels)
    if inputs.shape[0] != n:
        raise ValueError(f"the cover has {n} inputs, {inputs.shape[0]} columns were given")
    on, off, free = (np.zeros((m, inputs.shape[1]), np.uint64) for _ in range(3))
    for cube in cover.cubes:
        rows = np.full(inputs.shape[1], ALL, np.uint64)
        for i in _bits(cube.ones):
            rows &= inputs[i]
        for i in _bits(cube.zeros):
            rows &= ~inputs[i]
        for outputs, words in ((cube.on, on), (cube.off, off), (cube.free, free)):
            for j in _bits(outputs):
                words[j] |= rows
    listed = np.full_like(on, ALL)
    if "r" in cover.type:
        listed = on | off
        _check_agreement(cover, on & off & ~free)
    counted = listed & ~free
    return on & counted, counted


def _check_agreement(cover: Cover, both: Words) -> None:
    wrong = np.flatnonzero(both.any(axis=1))
    if wrong.size:
        label = shown(cover.output_labels[int(wrong[0])])
        raise InputError(f"the cover contradicts itself: on one row output {label} is both 0 and 1")


def check_consistency(cover: Cover) -> None:
    """Raise `InputError` if a cover lists a row as 1 and as 0 for one output; works for any number of inputs.

    Cubes are compared by pairs. So for type fdr such a row is refused even if it is listed as a don't care
    too.
    """
    if "r" not in cover.type:
        return
    zeros = [cube for cube in cover.cubes if cube.off]
    ones = [cube for cube in cover.cubes if cube.on]
    if len(zeros) * len(ones) > MOST_PAIRS:
        raise InputError(
            f"{len(ones):,} cubes of ones and {len(zeros):,} of zeros are too many to compare: "
            "write the file with type f or fd"
        )
    for one in ones:
        for other in zeros:
            both = one.on & other.off
            if both and not (one.ones & other.zeros or one.zeros & other.ones):
                label = shown(cover.output_labels[_bits(both)[0]])
                raise InputError(f"the cover contradicts itself: on one row output {label} is both 0 and 1")


def _bits(number: int) -> list[int]:
    return [i for i, digit in enumerate(reversed(f"{number:b}")) if digit == "1"]
