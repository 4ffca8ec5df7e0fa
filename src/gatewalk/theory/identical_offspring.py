"""How often rate mutation makes an offspring that is its parent again, in all that the parent uses.

Goldman and Punch (2013), "Reducing Wasted Evaluations in Cartesian Genetic Programming", EuroGP: an
offspring is actively identical to its parent if no output gene and no gene of an active node differs. It
computes the same function by the same gates, so evaluating it is a waste. Every gene is drawn with
probability p, independently; `outputs + active * (arity + 1)` genes must be left alone.

That is exact where every drawn gene changes. It does in their program and in `--mutation rate:P`, which avoid
the old value if there is another; a gene without another value never changes, and does not count. Such are
the function genes under a single gate: there the formula is a lower bound. If a gene with m values were drawn
from all of them, it would stay with probability 1 - p (1 - 1/m): the formula would be a lower bound again.
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
    """The formula as it is published, (1 - p)^(outputs + active (arity + 1)).

    Parameters
    ----------
    rate
        The probability p with which a gene is drawn.
    outputs
        Of the program.
    active
        Its active nodes.
    arity
        Inputs of the widest gate.

    Returns
    -------
    float
        The chance that an offspring is actively identical, if every gene has at least two values.

    Examples
    --------
    Of a 3-bit multiplier with 200 active nodes, more than half of all offspring at 0.1 %:

    >>> round(published_chance(0.001, outputs=6, active=200), 3)
    0.545
    """
    whole_number("outputs", outputs, least=1)
    whole_number("active nodes", active, least=0)
    whole_number("arity", arity, least=1)
    return _untouched(rate, outputs + active * (arity + 1))


def identical_chance(rate: float, layout: Layout, genes: NDArray[np.int32]) -> float:
    """The exact chance under `--mutation rate:P`: genes that can change are left alone, others may be drawn.

    Parameters
    ----------
    rate
        The probability P with which a gene is drawn.
    layout
        Of the program, `gatewalk.theory.watching.layout_for(settings)`.
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
    """How many genes of outputs and active nodes have another value."""
    marks = np.zeros(layout.inputs + layout.nodes + 2, dtype=np.uint8)
    mark_active(layout, np.asarray(genes, dtype=np.int32), marks)
    is_used = marks[layout.inputs + layout.owner] != 0
    return int((is_used & (layout.choices > 1)).sum())


def redrawn_chance(rate: float, values: Iterable[int]) -> float:
    """The chance if a drawn gene may keep its value: each is drawn from all its values, that it has included.

    Parameters
    ----------
    rate
        The probability with which a gene is drawn.
    values
        Of each gene of outputs and active nodes, how many values it can have.

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
