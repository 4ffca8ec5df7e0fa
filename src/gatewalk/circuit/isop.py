"""Irredundant sums of products of a truth table: cubes none of which can be left out.

The algorithm of S. Minato, "Fast generation of irredundant sum-of-products forms from binary decision
diagrams", 1992, on tables held as numbers (bit r the value on row r). The split is on the last input.
"""

from __future__ import annotations


def isop(table: int, n: int, *, free: int = 0) -> tuple[str, ...]:
    """Cubes, strings over 0, 1 and - with one character per input, that cover exactly the ones of a table.

    free: a table of the rows that do not matter, which cubes may cover or not.

    Examples
    --------
    >>> isop(0b1110, 2)
    ('-1', '1-')
    >>> isop(0b0110, 2, free=0b1000)
    ('-1', '1-')
    """
    return _between(table & ~free, table | free, n, {})[0]


_Sum = tuple[tuple[str, ...], int]  # cubes, and the table of all their rows


def _between(low: int, high: int, n: int, known: dict[tuple[int, int, int], _Sum]) -> _Sum:
    """Cubes of n inputs that cover all rows of `low` and none outside `high`; the recursion is n deep."""
    if low == 0:
        return (), 0
    rows = 1 << n
    everything = (1 << rows) - 1
    if high == everything:
        return ("-" * n,), everything
    found = known.get((low, high, n))
    if found is not None:
        return found
    half = rows >> 1
    mask = (1 << half) - 1
    low_0, low_1, high_0, high_1 = low & mask, low >> half, high & mask, high >> half
    cubes_0, rows_0 = _between(low_0 & ~high_1, high_0, n - 1, known)
    cubes_1, rows_1 = _between(low_1 & ~high_0, high_1, n - 1, known)
    left = low_0 & ~rows_0 | low_1 & ~rows_1
    cubes, rows_both = _between(left, high_0 & high_1, n - 1, known)
    listed = (*(c + "0" for c in cubes_0), *(c + "1" for c in cubes_1), *(c + "-" for c in cubes))
    result = listed, rows_0 | rows_both | (rows_1 | rows_both) << half
    known[low, high, n] = result
    return result
