"""And/inverter graphs as the field counts them: normal forms, and circuits into them and back."""

import random

import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.targets import target_tables
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.construction import target_circuit
from gatewalk.circuit.equivalence import equivalent
from gatewalk.synthesis.free_inverters import (
    counted_gates,
    from_normal_form,
    has_free_inverters,
    into_normal_form,
    merged,
    normal_form,
)
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.minimisation import minimise
from gatewalk.synthesis.options import basis

AIG = basis("aig")


def test_inverters_are_free_with_exactly_the_gates_of_the_graphs():
    assert has_free_inverters(AIG)
    assert has_free_inverters(gate_set("imply,cimply,or,nor,and,nand,nimply,ncimply"))
    assert not has_free_inverters(basis("any"))
    assert not has_free_inverters(gate_set("and,not"))


def test_a_function_and_its_negation_have_one_normal_form():
    form = normal_form(table_target([0xE8, 0x17], 3))
    assert target_tables(form.target).values == (0xE8, 0xE8)
    assert (form.inputs, form.outputs, form.constants) == (frozenset(), {1}, {})


def test_a_negated_input_becomes_the_input_and_a_constant_is_left_out():
    form = normal_form(table_target([0b0101, 0b1111, 0b0000], 2))
    assert set(target_tables(form.target).values) == {0b1010}
    assert (form.outputs, form.constants) == ({0}, {1: 1, 2: 0})


def test_without_a_row_on_which_all_outputs_count_the_normal_form_is_one_of_several():
    two = table_target([0b0010, 0b0100], 2, cares=[0b0011, 0b1100])
    assert not normal_form(two).is_unique
    assert normal_form(table_target([0b0110], 2)).is_unique


def random_targets():
    """Functions of 1 to 5 inputs with constants, copies, negations and rows that do not count."""
    generator = random.Random(11)
    for _ in range(150):
        inputs = generator.randrange(1, 6)
        every = (1 << (1 << inputs)) - 1
        values = [generator.getrandbits(1 << inputs) for _ in range(generator.randrange(1, 4))]
        values += [generator.choice([0, every, values[0], values[0] ^ every])]
        cares = None
        if generator.random() < 0.6:
            cares = [
                generator.getrandbits(1 << inputs) | 1 << generator.randrange(1 << inputs) for _ in values
            ]
        yield table_target(values, inputs, cares=cares)


def test_circuits_come_into_normal_form_and_back():
    for target in random_targets():
        form = normal_form(target)
        start = mapped(target_circuit(target), AIG)
        normal = mapped(into_normal_form(start, form), AIG)
        assert equivalent(normal, form.target), target.name
        back = from_normal_form(normal, form)
        assert equivalent(back, target), target.name
        assert len(counted_gates(back)) <= len(normal)
        if form.is_unique:
            for value, care in zip(*tables(form.target), strict=True):
                assert care & 1 == 0 or value & 1 == 0


def tables(target):
    made = target_tables(target)
    return made.values, made.cares


def test_inverters_at_outputs_and_constants_are_not_counted():
    nodes = (Node(gate_set("nand").gates[0], (0, 1)), Node(gate_set("not").gates[0], (2,)))
    both = Circuit(("a", "b"), nodes, (2, 3), ("y", "z"))
    assert len(counted_gates(both)) == 1
    assert len(merged(both)) == 2


@pytest.mark.parametrize("seed", [1, 2])
def test_a_function_beside_its_negation_takes_no_more_gates(seed):
    alone = minimise(table_target([0xE8], 3), gates="aig", evaluations=5_000, seed=seed)
    both = minimise(table_target([0xE8, 0x17, 0xFF, 0x55], 3), gates="aig", evaluations=5_000, seed=seed)
    assert alone.record["gates_after"] == both.record["gates_after"] == 4
    assert both.record["depth_after"] == alone.record["depth_after"]
    assert "3 negated or constant outputs" in str(both)


@pytest.mark.parametrize("cares", [None, [0b1110, 0b0111, 0b1111]])
def test_a_proof_counts_no_inverters_either(cares):
    target = table_target([0b0110, 0b1001, 0b0101], 2, cares=cares)
    result = minimise(target, gates="aig", evaluations=2_000, seed=1, prove=True)
    assert result.record["gates_after"] == (3 if cares is None else result.record["gates_after"])
    assert result.is_optimal


def test_more_outputs_than_a_table_has_are_minimised_too():
    result = minimise("demux:512", gates="aig", evaluations=5, runs=1)
    assert 512 <= result.record["gates_after"] <= result.record["gates_before"]
