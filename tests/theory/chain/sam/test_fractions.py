"""Exact fractions: equal to the floats, and to a system solved by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.sam.fractions import expected_fraction


@pytest.mark.parametrize(
    ("name", "nodes", "options"),
    [
        ("and:2", 1, {}),
        ("and:2", 1, {"selection": "strict"}),
        ("and:2", 2, {}),
        ("and:2", 2, {"selection": "strict"}),
        ("and:2", 2, {"profile": "tinyverse"}),
        ("and:2", 3, {"selection": "strict"}),
        ("and:3", 2, {"options": {"ties": "coin"}}),
        ("and:3", 2, {"options": {"sam_ends": "picked"}}),
        ("and:2", 2, {"options": {"starts": 5, "uncounted": 1}}),
        ("and:3", 2, {}),
        ("and:3", 2, {"selection": "strict"}),
        ("xor:2", 2, {}),
        ("and:2", 1, {"gates": "and,or"}),
    ],
)
def test_fractions_equal_floats(name, nodes, options):
    fraction = expected_fraction(search_for(name, nodes=nodes, **options))
    assert float(fraction) == pytest.approx(
        exact(name, nodes=nodes, **options).expected_iterations, rel=1e-12
    )


def test_one_node_by_hand():
    """Two inputs, one node: seven of nine programs are unsolved up to the symmetry of the inputs.

    a: output an input, node {1,1}; b: the same input twice as the other; c: output an input, node
    {1,2} (solved when the output moves); d: output the node, node {1,1}. With a, b and c the one
    ending gene is the output; the node's two genes flip independently for an exponential time.
    """
    third, half = Fraction(1, 3), Fraction(1, 2)
    # G with one ending gene: deviations of one gene of two values have rate 2, of both genes 4.
    one, both = Fraction(1, 3), Fraction(1, 5)
    same = Fraction(1, 4) * (1 + 2 * one + both)
    opposite = Fraction(1, 4) * (1 - 2 * one + both)
    mixed = 1 - same - opposite  # from {1,1} to {1,2}
    to_equal = Fraction(1, 4) * (1 - both)  # from {1,2} to {1,1}, and to {2,2}
    # Unknowns a (node equals output), b (node is the other input twice), c ({1,2}), d.
    # a: the output moves to the other input (then a and b change roles) or to the node, half each.
    rows = [
        [1 - half * opposite, -half * same, -half * mixed, -half * (same + opposite)],
        [-half * same, 1 - half * opposite, -half * mixed, -half * (same + opposite)],
        [-half * to_equal, -half * to_equal, 1 - half * (1 - 2 * to_equal), -half * 2 * to_equal],
        # d: three ending genes; a connection solves, the output goes to the same input or the other.
        [-third * half, -third * half, Fraction(0), 1 - Fraction(0)],
    ]
    right = [Fraction(1)] * 4
    values = _gauss(rows, right)
    # Twelve programs: outputs input (8: a 2, b 2, c 4), output node (4: d 2, solved 2).
    expected = (2 * values[0] + 2 * values[1] + 4 * values[2] + 2 * values[3]) / 12
    assert expected_fraction(search_for("and:2", nodes=1)) == expected == Fraction(311, 132)


def _gauss(rows, right):
    size = len(right)
    wide = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for column in range(size):
        pivot = next(row for row in range(column, size) if wide[row][column])
        wide[column], wide[pivot] = wide[pivot], wide[column]
        wide[column] = [entry / wide[column][column] for entry in wide[column]]
        for row in range(size):
            if row != column:
                factor = wide[row][column]
                wide[row] = [x - factor * y for x, y in zip(wide[row], wide[column], strict=True)]
    return [row[-1] for row in wide]


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("and:5", {"nodes": 5}, "more than --memory 0.02"),
        ("and:4", {"nodes": 3, "selection": "strict"}, "has 1337 classes; exact fractions are for up to 450"),
        (
            "and:2",
            {"nodes": 3},
            "333 classes of one fitness; exact fractions are for up to 100; use",
        ),
        ("and:2", {"nodes": 1, "offspring": 2}, "one offspring"),
        ("and:2", {"nodes": 1, "training": "sample:2"}, "complete training sets"),
        ("xor:3", {"nodes": 2, "selection": "strict"}, "infinite"),
        ("and:4", {"nodes": 2}, "infinite"),
    ],
)
def test_refused(name, options, words):
    with pytest.raises(InputError, match=words):
        expected_fraction(search_for(name, **options))
