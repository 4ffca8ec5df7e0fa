"""Smallest circuits against sizes that are known, and against all circuits of few gates."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.post import missing
from gatewalk.boolean.truth_table import table_target
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import target
from gatewalk.errors import InputError
from gatewalk.synthesis.exact_synthesis import TWO_INPUT_GATES, smallest
from gatewalk.synthesis.target_tables import column

AND_TYPE = "and,nand,or,nor,imply,cimply,nimply,ncimply,not"

KNOWN = [  # Knuth, The Art of Computer Programming, 7.1.2 and 7.2.2.2, unless another is named
    ("add:1", TWO_INPUT_GATES, 5),
    ("onescount:3", TWO_INPUT_GATES, 5),
    ("maj:3", TWO_INPUT_GATES, 4),
    ("maj:4", TWO_INPUT_GATES, 7),
    ("mux:2", TWO_INPUT_GATES, 3),
    ("xor:5", TWO_INPUT_GATES, 4),
    ("mul:2", TWO_INPUT_GATES, 7),
    ("sum:2", TWO_INPUT_GATES, 7),
    ("xor:3", AND_TYPE, 6),  # Schnorr 1974
    ("maj:3", AND_TYPE, 4),
    ("add:1", AND_TYPE, 7),  # Red'kin 1981
    ("xor:2", "nand", 4),
    ("xor:3", "nand", 8),
    ("mux:2", "nand", 4),
    ("maj:3", "nand", 6),
    ("add:1", "nand", 9),
    ("maj:3", "maj,not", 1),
    ("xor:2", "and,or,not", 4),
    ("xor:3", "maj,not", 4),
    ("epar:3", "xor,not", 3),
    ("nand:3", "and,not", 3),
]


@pytest.mark.parametrize(("what", "gates", "size"), KNOWN)
def test_sizes_that_are_known(what, gates, size):
    found = smallest(what, gates=gates)
    assert (len(found.circuit), found.lower_bound, found.proven) == (size, size, True)
    assert matches(found.circuit, target(what))
    assert {node.gate for node in found.circuit.nodes} <= set(gate_set(gates).gates)


@cache
def all_circuits(gates, inputs, most):
    """For every set of tables that at most `most` gates compute beside the inputs, the fewest gates."""
    every = (1 << (1 << inputs)) - 1
    size = {frozenset(column(inputs, j) for j in range(inputs)): 0}
    front = list(size)
    for level in range(1, most + 1):
        after = set()
        for known in front:
            for one in gate_set(gates).gates:
                for operands in product(known, repeat=one.arity):
                    made = 0
                    for row in range(1 << inputs):
                        made |= one(*(table >> row & 1 for table in operands)) << row
                    after.add(known | {made & every})
        front = [known for known in after if known not in size]
        size.update(dict.fromkeys(front, level))
    return size


def fewest(size, values, cares):
    """By trying all circuits, the fewest gates for these outputs; None if there are too few in the list."""
    fits = (
        count
        for known, count in size.items()
        if all(any((table ^ v) & c == 0 for table in known) for v, c in zip(values, cares, strict=True))
    )
    return min(fits, default=None)


SMALL = [  # gates, inputs, the largest circuits that are tried one by one
    ("nand", 2, 5),
    ("nand", 3, 3),
    ("and,or,not", 2, 4),
    ("and,xor,const1", 3, 2),
    ("xor,xnor", 3, 3),
    ("imply,const0", 2, 4),
    (TWO_INPUT_GATES, 2, 3),
    (TWO_INPUT_GATES, 3, 2),
    (AND_TYPE, 3, 2),
    ("mux,not", 2, 3),
    ("maj,not,const0", 3, 2),
]


@pytest.mark.parametrize(("gates", "inputs", "most"), SMALL)
def test_no_circuit_is_smaller_by_trying_all(gates, inputs, most):
    size = all_circuits(gates, inputs, most)
    table = st.integers(0, (1 << (1 << inputs)) - 1)
    reachable = st.sampled_from(sorted({one for known in size for one in known}))

    @settings(max_examples=40)
    @given(st.lists(st.tuples(reachable | table, table | st.just(-1)), min_size=1, max_size=3))
    def check(outputs):
        every = (1 << (1 << inputs)) - 1
        cares = [care & every or every for _, care in outputs]
        values = [value & care for (value, _), care in zip(outputs, cares, strict=True)]
        wanted = table_target(values, inputs, cares=cares)
        best = fewest(size, values, cares)
        if missing(wanted, gate_set(gates)) is not None:
            assert best is None
            return
        found = smallest(wanted, gates=gates, at_most=most)
        if best is None:
            assert found.circuit is None
            assert found.lower_bound > most
        else:
            assert found.proven
            assert len(found.circuit) == best
            assert matches(found.circuit, wanted)

    check()


def test_more_gates_than_allowed_are_not_tried():
    found = smallest("mul:2", at_most=6)
    assert (found.circuit, found.lower_bound, found.proven) == (None, 7, False)


def test_no_time_is_no_answer_but_a_bound():
    found = smallest("maj:5", seconds=0)
    assert (found.circuit, found.lower_bound, found.proven) == (None, 4, False)


def test_who_watches_hears_of_every_number_of_gates():
    told = []
    smallest("maj:3", watch=lambda gates, seconds: told.append(gates))
    assert sorted(set(told)) == [2, 3, 4]


@pytest.mark.parametrize(
    ("what", "options", "message"),
    [
        ("xor:3", {"gates": "and,or"}, "makes only monotone functions"),
        ("and:9", {}, "at most 8 inputs"),
        ("and:3", {"at_most": -1}, "must be at least 0"),
        ("and:3", {"seconds": float("nan")}, "must be at least 0"),
        ("and:3", {"gates": "wide=0x8000"}, "at most 3"),
    ],
)
def test_refused_in_one_line(what, options, message):
    with pytest.raises(InputError, match=message) as caught:
        smallest(what, **options)
    assert "\n" not in str(caught.value)
