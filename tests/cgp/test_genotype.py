"""The genotype of the paper: layout, validity, activity, decoding, ranges, and Figure 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import figure_1

from gatewalk.boolean import tables
from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete, fitness
from gatewalk.cgp.genotype import (
    Shape,
    active_genes,
    active_nodes,
    check,
    decode,
    gate_forms,
    layout_of,
    valid_values,
)
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import InputError


def random_genes(shape, seed):
    random = np.random.default_rng(seed)
    return np.array([random.choice(valid_values(shape, gene)) for gene in range(shape.length)])


def test_figure_1_computes_what_the_paper_draws():
    shape, genes = figure_1()
    assert shape.length == 5 * (2 + 1) + 1
    # Node 6 of the paper is the only inactive one; nodes are numbered from 3.
    assert (np.flatnonzero(~active_nodes(shape, genes)) + shape.inputs).tolist() == [6]
    circuit = decode(shape, genes, input_labels=["x1", "x2", "x3"], output_labels=["o1"])
    assert [node.gate.name for node in circuit.nodes] == ["and", "nor", "or", "and"]
    outputs = tables.unpack(evaluate(circuit, tables.projections(3))[0], 8)
    for row in range(8):
        x1, x2, x3 = (bool(row >> i & 1) for i in range(3))
        node3 = x1 and x2
        node4 = not (node3 or x3)
        assert outputs[row] == ((node4 or node3) and x2)


def test_activity_follows_only_edges_that_gates_use():
    shape = Shape(2, 1, 3, gate_set(["and", "not"]))
    genes = check(shape, [0, 0, 1, 0, 0, 0, 1, 2, 3, 4])  # node 4 is NOT of node 2; its second edge is unused
    assert active_nodes(shape, genes).tolist() == [True, False, True]
    # A gene of an active node is active even where its gate does not use it.
    assert active_genes(shape, genes).tolist() == [True] * 3 + [False] * 3 + [True] * 4


def test_validity():
    shape, genes = figure_1()
    with pytest.raises(InputError, match="16 genes, not 3"):
        check(shape, [0, 1, 2])
    for gene, value in ((0, 3), (1, 3), (4, 4), (15, 8), (2, -1)):
        wrong = genes.copy()
        wrong[gene] = value
        with pytest.raises(InputError, match=f"gene {gene} is {value}"):
            check(shape, wrong)


@pytest.mark.parametrize(("inputs", "outputs", "nodes"), [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_shapes_that_cannot_be(inputs, outputs, nodes):
    with pytest.raises(InputError):
        Shape(inputs, outputs, nodes, gate_set(["and"]))


def test_levels_back_over_sources_reaches_inputs_and_nodes_alike():
    shape = Shape(3, 1, 3, gate_set(["and"]), levels_back=3, levels_over="sources")
    assert [valid_values(shape, 3 * b + 1) for b in range(3)] == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert valid_values(shape, 9) == [0, 1, 2, 3, 4, 5]


def test_levels_back_over_columns_keeps_the_inputs_in_reach():
    shape = Shape(2, 1, 4, gate_set(["and"]), levels_back=1)
    assert [valid_values(shape, 3 * b + 2) for b in range(4)] == [[0, 1], [0, 1, 2], [0, 1, 3], [0, 1, 4]]


def test_a_grid_reads_from_columns_before():
    shape = Shape(2, 1, 6, gate_set(["and"]), rows=2)
    assert [valid_values(shape, 3 * b + 1) for b in range(0, 6, 2)] == [
        [0, 1],
        [0, 1, 2, 3],
        [0, 1, 2, 3, 4, 5],
    ]
    assert valid_values(shape, 4) == [0, 1]
    near = Shape(2, 1, 6, gate_set(["and"]), rows=2, levels_back=1)
    assert valid_values(near, 13) == [0, 1, 4, 5]
    with pytest.raises(InputError, match="do not fill"):
        Shape(2, 1, 5, gate_set(["and"]), rows=2)


@given(
    inputs=st.integers(1, 4),
    nodes=st.integers(1, 6),
    rows=st.sampled_from([1, 2]),
    levels_back=st.none() | st.integers(1, 8),
    over=st.sampled_from(["sources", "columns"]),
    seed=st.integers(0, 2**32),
)
def test_programs_of_valid_values_are_valid(inputs, nodes, rows, levels_back, over, seed):
    shape = Shape(inputs, 2, nodes * rows, gate_set(["and", "mux"]), levels_back, over, rows)
    genes = random_genes(shape, seed)
    assert (check(shape, genes) == genes).all()
    for gene in range(shape.length):
        wrong = genes.copy()
        wrong[gene] = -1
        with pytest.raises(InputError):
            check(shape, wrong)


@given(n=st.integers(2, 9), nodes=st.integers(1, 12), seed=st.integers(0, 2**32))
def test_lemma_2_a_conjunction_of_i_inputs_is_wrong_on_2_to_the_n_minus_i_less_1_rows(n, nodes, seed):
    shape = Shape(n, 1, nodes, gate_set(["and"]))
    genes = random_genes(shape, seed)
    target = family_target(f"and:{n}")
    circuit = decode(shape, genes, input_labels=target.input_labels, output_labels=target.output_labels)
    used = {source for node in circuit.nodes for source in node.sources} | set(circuit.outputs)
    i = len([source for source in used if source < n])
    training = complete(target)
    assert fitness(evaluate(circuit, training.inputs), training) == 2 ** (n - i) - 1


@given(n=st.integers(2, 9), nodes=st.integers(1, 12), seed=st.integers(0, 2**32))
def test_fitness_of_xor_is_zero_or_half_of_the_rows(n, nodes, seed):
    shape = Shape(n, 1, nodes, gate_set(["xor"]))
    genes = random_genes(shape, seed)
    target = family_target(f"xor:{n}")
    circuit = decode(shape, genes, input_labels=target.input_labels, output_labels=target.output_labels)
    training = complete(target)
    assert fitness(evaluate(circuit, training.inputs), training) in (0, 2 ** (n - 1))


ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def test_coefficients_evaluate_to_the_gate():
    names = [name for name, gate in GATES.items() if gate.arity <= 3]
    layout = layout_of(Shape(3, 1, 2, gate_set(names)))
    for index, name in enumerate(names):
        gate = GATES[name]
        assert layout.arities[index] == gate.arity
        for row in range(1 << gate.arity):
            terms = [layout.anf[index, m] for m in range(8) if m & ~row == 0]
            assert np.bitwise_xor.reduce(terms) == (ALL if gate.table >> row & 1 else 0), (name, row)


def test_forms_of_gates_of_two_inputs():
    layout = layout_of(Shape(2, 1, 2, gate_set("and,not,nor")))
    assert (gate_forms(layout) == ALL).astype(int).tolist() == [
        [0, 0, 0, 1, 1, 0, 0, 0],  # x y, reads its second input
        [1, 1, 0, 0, 0, 0, 0, 0],  # 1 ^ x
        [1, 1, 1, 1, 1, 0, 0, 0],  # 1 ^ x ^ y ^ x y
    ]


def test_ranges_are_those_of_the_shape():
    shape = Shape(3, 2, 6, gate_set("and,or"), levels_back=2)
    layout = layout_of(shape)
    assert (layout.inputs, layout.nodes, layout.outputs, layout.block) == (3, 6, 2, 3)
    assert layout.choices.tolist() == [len(valid_values(shape, gene)) for gene in range(shape.length)]
    assert layout.owner.tolist() == [gene // 3 for gene in range(18)] + [6, 6]
    assert layout_of(Shape(3, 2, 6, gate_set("and,or"), levels_back=2)) is layout


def test_gates_wider_than_kernels_compute_are_refused():
    with pytest.raises(InputError, match="more than 3 inputs"):
        layout_of(Shape(4, 1, 2, gate_set("wide=0x8000")))
