"""Smallest circuits and lower bounds, against sizes that are known and against all circuits of few gates."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.small_tables import column
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.targets import target_tables
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import target
from gatewalk.circuit.sat import satisfied
from gatewalk.errors import InputError
from gatewalk.synthesis.exact_formula import Output, Question, formula_for, read_model
from gatewalk.synthesis.exact_synthesis import (
    TWO_INPUT_GATES,
    Link,
    absorbs,
    has_free_negation,
    reduction,
    repertoire,
    smallest,
)
from gatewalk.synthesis.lower_bounds import lower_bound, lower_bounds

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
    result = smallest(what, gates=gates)
    assert (len(result.circuit), result.lower_bound, result.proven) == (size, size, True)
    assert equivalent(result.circuit, target(what))
    assert {node.gate for node in result.circuit.nodes} <= set(gate_set(gates).gates)


@cache
def all_circuits(gates, inputs, most):
    """For every set of tables that the inputs and at most `most` gates compute, the fewest gates."""
    every = (1 << (1 << inputs)) - 1
    size = {frozenset(column(inputs, j) for j in range(inputs)): 0}
    front = list(size)
    for level in range(1, most + 1):
        after = set()
        for known in front:
            for gate in gate_set(gates).gates:
                for operands in product(known, repeat=gate.arity):
                    made = 0
                    for row in range(1 << inputs):
                        made |= gate(*(table >> row & 1 for table in operands)) << row
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
    reachable = st.sampled_from(sorted({table for known in size for table in known}))

    @settings(max_examples=40)
    @given(st.lists(st.tuples(reachable | table, table | st.just(-1)), min_size=1, max_size=3))
    def check(outputs):
        every = (1 << (1 << inputs)) - 1
        cares = [care & every or every for _, care in outputs]
        values = [value & care for (value, _), care in zip(outputs, cares, strict=True)]
        goal = table_target(values, inputs, cares=cares)
        best = fewest(size, values, cares)
        if why_inexpressible(goal, gate_set(gates)) is not None:
            assert best is None
            return
        result = smallest(goal, gates=gates, at_most=most)
        if best is None:
            assert result.circuit is None
            assert result.lower_bound > most
        else:
            assert result.proven
            assert len(result.circuit) == best
            assert equivalent(result.circuit, goal)

    check()


def test_more_gates_than_allowed_are_not_tried():
    result = smallest("mul:2", at_most=6)
    assert (result.circuit, result.lower_bound, result.proven) == (None, 7, False)


def test_no_time_is_no_answer_but_a_bound():
    result = smallest("maj:5", seconds=0)
    assert (result.circuit, result.lower_bound, result.proven) == (None, 4, False)


def test_progress_tells_of_every_number_of_gates():
    told = []
    smallest("maj:3", seconds=60, on_progress=lambda share, words: told.append((share, words)))
    assert list(dict.fromkeys(words for _, words in told)) == [f"are {n} gates enough?" for n in (2, 3, 4)]
    assert all(0 <= share <= 1 for share, _ in told)


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


INPUTS = (0b1010, 0b1100)
FUNCTIONS = {1: (0b01,), 2: (0b0111,)}  # nand; of one source twice it is a negation


@pytest.mark.parametrize(("care", "steps"), [(0b1111, 4), (0b0111, 3)])
def test_formula_of_exclusive_or_in_nands(care, steps):
    """It takes four nands, and three if the row of two ones does not count."""
    question = Question(
        rows=4,
        inputs=INPUTS,
        outputs=(Output(0b0110 & care, care),),
        functions=FUNCTIONS,
        absorbing=False,
        apart=(),
        read=(0, 1),
        exchangeable=((0, 1),),
    )
    assert satisfied(formula_for(question, steps - 1).clauses) is False
    formula = formula_for(question, steps)
    chosen, picks = read_model(formula, satisfied(formula.clauses))
    values = list(INPUTS)
    for step in chosen:
        assert step.table in FUNCTIONS[len(step.operands)]
        rows = range(4)
        index = [sum((values[s] >> row & 1) << j for j, s in enumerate(step.operands)) for row in rows]
        values.append(sum((step.table >> index[row] & 1) << row for row in rows))
    assert len(chosen) == steps
    assert values[picks[0]] & care == 0b0110


def test_outputs_that_take_no_step_where_negations_are_free():
    #         a    and  b    and  nand ~a   0    1    or   ~a
    values = [0xA, 0x8, 0xC, 0x8, 0x7, 0x5, 0x0, 0xF, 0xE, 0x5]
    tables = target_tables(table_target(values, 2))
    reduced = reduction(tables, repertoire(TWO_INPUT_GATES))
    assert reduced.asked == (1, 8)
    assert reduced.links == {
        0: Link("input", 0),
        2: Link("input", 1),
        3: Link("output", 1),
        4: Link("output", 1, negated=True),
        5: Link("input", 0, negated=True),
        6: Link("constant", 0),
        7: Link("constant", 1),
        9: Link("output", 5),
    }
    assert reduced.extra == 4


def test_no_normal_form_without_a_row_that_counts_for_all_outputs():
    target = table_target([0x4, 0x1], 2, cares=[0xC, 0x3])
    functions = repertoire(TWO_INPUT_GATES)
    reduced = reduction(target_tables(target), functions)
    assert reduced.question.functions[2] == functions.tables(2)
    assert reduced.question.rows == 4


def test_a_gate_that_reads_a_source_twice():
    assert repertoire("nand").tables(1) == (0b01,)
    assert repertoire("xor").tables(0) == (0,)
    assert len(repertoire(TWO_INPUT_GATES).tables(2)) == 10
    assert repertoire("mux").tables(2) == (0b1000, 0b1110)


@pytest.mark.parametrize(
    ("gates", "negation", "absorbing"),
    [
        (TWO_INPUT_GATES, True, True),
        (AND_TYPE, True, True),
        ("xor,xnor", False, False),  # without a not
        ("xor,xnor,not", True, True),
        ("nand", False, False),
        ("and,or,not", False, False),
        ("and,or,xor,not", False, False),
    ],
)
def test_sets_in_which_negations_are_free(gates, negation, absorbing):
    functions = repertoire(gates)
    assert (has_free_negation(functions), absorbs(functions)) == (negation, absorbing)


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
    result = lower_bound(what, gates=gates)
    assert result.gates == bound
    assert reason in result.reason


@pytest.mark.parametrize("gates", ["nand", TWO_INPUT_GATES, "and,or,not", "mux,not,const0"])
def test_no_bound_is_above_the_smallest_circuit(gates):
    table = st.integers(0, 255)
    functions = repertoire(gates)

    @settings(max_examples=40)
    @given(st.lists(st.tuples(table, table | st.just(255)), min_size=1, max_size=2))
    def check(outputs):
        cares = [care or 255 for _, care in outputs]
        target = table_target([value for value, _ in outputs], 3, cares=cares)
        tables = target_tables(target)
        bound = max(known.gates for known in lower_bounds(tables, gate_set(gates)))
        reduced = reduction(tables, functions)
        # The solver is asked about every smaller number of gates.
        for steps in range(bound - reduced.extra):
            if not reduced.asked or not steps:
                assert reduced.asked
                continue
            assert satisfied(formula_for(reduced.question, steps).clauses) is False

    check()
