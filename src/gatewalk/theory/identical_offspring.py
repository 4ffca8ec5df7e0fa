"""How often rate mutation makes an offspring that equals its parent in everything that the parent uses.

Goldman and Punch (2013), "Reducing Wasted Evaluations in Cartesian Genetic Programming", EuroGP: an
offspring is actively identical to its parent if no output gene and no gene of an active node differs. It
computes the same function by the same gates, so evaluating it is a waste. Every gene is drawn independently
with probability p; an offspring is identical if none of `outputs + active * (arity + 1)` genes is drawn.

This is exact if every drawn gene changes. That is so in their program and in `--mutation rate:P`, both of
which avoid the old value if there is another one. A gene without another value never changes and should not
be counted: the function genes of a single-gate set are such genes, for which the formula is a lower bound. If
instead a drawn gene with m values took any of them, it would keep its value with probability
1 - p (1 - 1/m), and again the formula would be a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.judges.table import mark_active
from gatewalk.cgp.layout import Layout
from gatewalk.errors import InputError, shown, whole_number


def published_chance(rate: float, *, outputs: int, active: int, arity: int = 2) -> float:
    """The published formula, (1 - p)^(outputs + active (arity + 1)).

    Parameters
    ----------
    rate
        The probability p with which a gene is drawn.
    outputs
        The number of outputs of the program.
    active
        The number of its active nodes.
    arity
        The number of inputs of the widest gate.

    Returns
    -------
    float
        The chance that an offspring is actively identical, provided that every gene has at least two values.

    Examples
    --------
    For a 3-bit multiplier with 200 active nodes and p = 0.1 %, it is more than half of all offspring:

    >>> round(published_chance(0.001, outputs=6, active=200), 3)
    0.545
    """
    whole_number("outputs", outputs, least=1)
    whole_number("active nodes", active, least=0)
    whole_number("arity", arity, least=1)
    return _untouched(rate, outputs + active * (arity + 1))


def identical_chance(rate: float, layout: Layout, genes: NDArray[np.int32]) -> float:
    """The exact chance under `--mutation rate:P`, which counts only genes that can change.

    Parameters
    ----------
    rate
        The probability P with which a gene is drawn.
    layout
        The layout of the program, from `gatewalk.theory.watching.layout_for(settings)`.
    genes
        The parent.

    Examples
    --------
    One gate: the function gene of the only node cannot change, its two connections and the output can.

    >>> from gatewalk.search.settings import settings
    >>> from gatewalk.theory.watching import layout_for
    >>> layout = layout_for(settings("and:2", nodes=1))
    >>> round(identical_chance(0.5, layout, np.array([0, 0, 1, 2], np.int32)), 4)
    0.125
    """
    return _untouched(rate, changeable_genes(layout, genes))


def changeable_genes(layout: Layout, genes: NDArray[np.int32]) -> int:
    """How many genes of outputs and active nodes have more than one valid value."""
    marks = np.zeros(layout.inputs + layout.nodes + 2, dtype=np.uint8)
    mark_active(layout, np.asarray(genes, dtype=np.int32), marks)
    is_used = marks[layout.inputs + layout.owner] != 0
    return int((is_used & (layout.choices > 1)).sum())


def redrawn_chance(rate: float, values: Iterable[int]) -> float:
    """The chance if a drawn gene takes any of its valid values, the current one included.

    Parameters
    ----------
    rate
        The probability with which a gene is drawn.
    values
        For each gene of outputs and active nodes, the number of its valid values.

    Examples
    --------
    >>> redrawn_chance(0.5, [2, 2])
    0.5625
    """
    _check(rate)
    return prod(1.0 - rate * (1.0 - 1.0 / count) for count in values)


def _untouched(rate: float, genes: int) -> float:
    _check(rate)
    return float((1.0 - rate) ** genes)


def _check(rate: float) -> None:
    if not 0.0 <= rate <= 1.0:
        raise InputError(f"the rate {shown(rate)} is no probability; give a number from 0 to 1")
