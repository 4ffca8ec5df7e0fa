"""Bounds without search are below the smallest circuits, and reach them where that is known."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.truth_table import table_target
from gatewalk.synthesis.exact_formula import formula_for
from gatewalk.synthesis.exact_reduction import reduction
from gatewalk.synthesis.exact_synthesis import TWO_INPUT_GATES
from gatewalk.synthesis.lower_bounds import lower_bound, lower_bounds
from gatewalk.synthesis.repertoire import repertoire
from gatewalk.synthesis.sat_solving import satisfied
from gatewalk.synthesis.target_tables import target_tables


@pytest.mark.parametrize(
    ("what", "gates", "bound", "reason"),
    [
        ("and:8", "and", 7, "depends on 8 inputs"),
        ("and:8", "and,and3", 4, "at most 3 sources"),
        ("xor:4", "and,or,not", 9, "parity of 4 inputs"),
        ("xor:4", TWO_INPUT_GATES, 3, "depends on 4 inputs"),
        ("onehot_enc:4", TWO_INPUT_GATES, 4, "4 outputs are no inputs"),
        ("table:2:0xa", "and", 0, "nothing is known"),
        ("table:4:0x8888,0xf000", "and", 2, "2 outputs"),
        ("table:2:0x5", "nand", 1, "1 outputs"),
    ],
)
def test_known_bounds(what, gates, bound, reason):
    found = lower_bound(what, gates=gates)
    assert found.gates == bound
    assert reason in found.reason


@pytest.mark.parametrize("gates", ["nand", TWO_INPUT_GATES, "and,or,not", "mux,not,const0"])
def test_no_bound_is_above_the_smallest_circuit(gates):
    table = st.integers(0, 255)
    functions = repertoire(gates)

    @settings(max_examples=40)
    @given(st.lists(st.tuples(table, table | st.just(255)), min_size=1, max_size=2))
    def check(outputs):
        cares = [care or 255 for _, care in outputs]
        target = table_target([value for value, _ in outputs], 3, cares=cares)
        wanted = target_tables(target, most_inputs=3, purpose="a test")
        bound = max(one.gates for one in lower_bounds(wanted, gate_set(gates)))
        reduced = reduction(wanted, functions)
        # The solver is asked about every smaller number of gates.
        for steps in range(bound - reduced.extra):
            if not reduced.asked or not steps:
                assert reduced.asked
                continue
            assert satisfied(formula_for(reduced.question, steps).clauses) is False

    check()
