"""What a target is, in words, and its truth table as it is shown."""

from __future__ import annotations

from inspect import getdoc

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import projections, table_numbers, unpack
from gatewalk.boolean.targets import Target, families


def description(wanted: Target) -> tuple[str, str]:
    """The first sentence on a target, and the rest of what its family says.

    Examples
    --------
    >>> from gatewalk.boolean.targets import target
    >>> description(target("and:3"))[0]
    '1 if all K inputs are 1.'
    """
    for family in families():
        if family.name == wanted.family:
            first, _, rest = (getdoc(family.rule) or "").partition("\n\n")
            return first, " ".join(rest.split())
    rows = "" if wanted.cares is None else ", on the rows that count"
    return f"A {wanted.family} of your own{rows}.", ""


def truth_table(wanted: Target) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The values of a target and which of them count: bool[outputs, rows] each.

    Input i of row r is bit i of r.

    Examples
    --------
    >>> from gatewalk.boolean.targets import target
    >>> truth_table(target("and:2"))[0].tolist()
    [[False, False, False, True]]
    """
    inputs, rows = projections(wanted.inputs), 1 << wanted.inputs
    values = unpack(wanted.evaluate(inputs), rows)
    return values, np.ones_like(values) if wanted.cares is None else unpack(wanted.cares(inputs), rows)


def tables_in_hex(wanted: Target) -> dict[str, dict[str, str]]:
    """Of each output its column as a number, bit r for row r; and which rows count, if not all do.

    Examples
    --------
    >>> from gatewalk.boolean.targets import target
    >>> tables_in_hex(target("and:2"))
    {'table': {'y': '0x8'}}
    """
    inputs, rows = projections(wanted.inputs), 1 << wanted.inputs
    values = wanted.evaluate(inputs)
    if wanted.cares is None:
        return {"table": _by_output(wanted, table_numbers(values, rows))}
    counted = wanted.cares(inputs)
    return {
        "table": _by_output(wanted, table_numbers(values & counted, rows)),
        "cares": _by_output(wanted, table_numbers(counted, rows)),
    }


def _by_output(wanted: Target, numbers: list[int]) -> dict[str, str]:
    return dict(zip(wanted.output_labels, map(hex, numbers), strict=True))
