"""Evaluators on packed tables: every rank against the truth tables of the gates, row by row."""

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.tables import apply, pack, projections, unpack
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import TrainingSet, complete, sample
from gatewalk.cgp import evaluators
from gatewalk.cgp.evaluators import observability, rows, small_table
from gatewalk.cgp.evaluators.incremental import MOST_OUTPUTS, incremental_of
from gatewalk.cgp.evaluators.rows import FARTHEST, distance_to_rare, padded, telling_first
from gatewalk.cgp.evaluators.table import plain_of
from gatewalk.cgp.genotype import Shape, active_nodes, layout_of, valid_values
from gatewalk.cgp.large import large_of, mark_active
from gatewalk.cgp.program import Changes
from gatewalk.cgp.small import small_of


def random_genes(shape, seed):
    random = np.random.default_rng(seed)
    values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize("gates", ["and", "nand,not", "mux,const0,buf,xor"])
def test_active_nodes_have_a_path_to_an_output(gates):
    shape = Shape(3, 2, 30, gate_set(gates))
    active = np.full(3 + 30 + 2, 7, dtype=np.uint8)
    for seed in range(20):
        genes = random_genes(shape, seed)
        mark_active(layout_of(shape), genes, active)
        assert active[3:33].tolist() == active_nodes(shape, genes).tolist()
        assert active[33] == 1


@pytest.mark.parametrize("name", GATES)
def test_every_gate_on_all_rows(name, take_program):
    gate = GATES[name]
    shape = Shape(3, 1, 1, gate_set([name]))
    training = TrainingSet("complete", 8, projections(3), np.zeros((1, 1), dtype=np.uint64))
    evaluator = plain_of(layout_of(shape), training)
    genes = np.array([0, *[2, 0, 1][: shape.arity], 3], dtype=np.int32)
    wrong = take_program(evaluator, large_of(layout_of(shape), picked=False), genes)
    rows = [[row >> place & 1 for place in (2, 0, 1)] for row in range(8)]
    expected = [gate(*bits[: gate.arity]) for bits in rows]
    assert unpack(evaluator.values[3], 8).astype(int).tolist() == expected
    assert wrong == sum(expected)


@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 128, 5000])
def test_mismatches_of_all_outputs(rows, mismatches, take_program):
    shape = Shape(4, 3, 20, gate_set("and,or,nor,not"))
    bits = np.random.default_rng(rows).integers(0, 2, size=(7, rows))
    training = TrainingSet("sample", rows, pack(bits[:4]), pack(bits[4:]))
    layout = layout_of(shape)
    evaluator, program = plain_of(layout, training), large_of(layout, picked=False)
    for seed in range(10):
        genes = random_genes(shape, seed)
        assert take_program(evaluator, program, genes) == mismatches(shape, training, genes)


def random_rows(inputs, outputs, rows):
    random = np.random.default_rng(rows)
    bits = random.integers(0, 2, size=(inputs + outputs, rows))
    return TrainingSet("sample", rows, pack(bits[:inputs]), pack(bits[inputs:]))


@pytest.mark.parametrize(
    ("inputs", "outputs", "gates", "rows"),
    [
        (4, 1, list(GATES), 65),
        (5, 70, ["mux", "and", "not", "const1"], 100),
        (3, 2, ["const0", "buf"], 1),
        (6, 1, ["maj"], 2),
        (9, 3, ["and", "or", "nand", "nor"], 20_000),
    ],
)
def test_offspring_are_ranked_by_their_mismatches(follow_evaluator, mismatches, inputs, outputs, gates, rows):
    shape = Shape(inputs, outputs, 20, gate_set(gates))
    training = random_rows(inputs, outputs, rows)
    follow_evaluator(
        shape,
        large_of,
        lambda layout: plain_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=rows == 2,
    )


N, NODES = 4, 20
evaluate = entry(evaluators.evaluate)
u = np.uint64


def test_an_offspring_that_uses_the_same_genes_is_not_ranked(take_program):
    layout = layout_of(Shape(N, 1, NODES, gate_set("and")))
    evaluator, program = plain_of(layout, complete(family_target(f"and:{N}"))), large_of(layout, picked=False)
    take_program(evaluator, program, np.zeros(layout.owner.size, dtype=np.int32))
    evaluator.marks[:] = 7
    rank, _ = evaluate(evaluator, program, (u(0),), Changes(u(1), u(0), u(1)), 5, 5)
    assert rank == 5
    assert (evaluator.marks == 7).all()


SMALL_TABLE_NODES = 30
ACTIVE, FRESH, SIDES = range(3)  # places in an evaluator's state


def evaluator_of(name, gate):
    training = complete(family_target(name))
    layout = layout_of(Shape(training.inputs.shape[0], 1, SMALL_TABLE_NODES, gate_set([gate])))
    return layout, training, small_table.small_table_of(layout, training)


def values_of(part, sides, source):
    return part.values.reshape(2, 64, -1)[sides >> source & 1, source]


@pytest.mark.parametrize("rows", [1, 2, 64, 65, 512, 513, 5000, 20_000])
@pytest.mark.parametrize("gate", ["and", "nand", "xor"])
def test_tables_of_all_sizes(follow_evaluator, mismatches, gate, rows):
    bits = np.random.default_rng(rows).integers(0, 2, size=(8, rows))
    training = TrainingSet("sample", rows, pack(bits[:7]), pack(bits[7:]))
    shape = Shape(7, 1, 25, gate_set([gate]))
    follow_evaluator(
        shape,
        small_of,
        lambda layout: small_table.small_table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        seed=rows,
    )


@pytest.mark.parametrize(
    ("name", "gate", "nodes"), [("and:12", "and", 51), ("or:10", "nor", 1), ("xor:11", "imply", 30)]
)
def test_complete_tables_whose_rows_are_put_in_order(follow_evaluator, mismatches, name, gate, nodes):
    training = complete(family_target(name))
    shape = Shape(training.inputs.shape[0], 1, nodes, gate_set([gate]), levels_back=4)
    follow_evaluator(
        shape,
        small_of,
        lambda layout: small_table.small_table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=True,
    )


@pytest.mark.parametrize("n", [3, 6, 9, 10, 13])
def test_head_and_tail_hold_every_row_once(n):
    _, training, evaluator = evaluator_of(f"and:{n}", "and")
    ordered = telling_first(training)
    used = ordered.inputs.shape[1]
    parts = (evaluator.head, evaluator.tail)
    assert evaluator.head.mask.size == 8
    assert evaluator.tail.mask.size == evaluator.tail_words
    assert sum(int(np.bitwise_count(part.mask).sum()) for part in parts) == training.rows
    assert np.array_equal(np.concatenate([part.wanted for part in parts])[:used], ordered.outputs[0])
    for i in range(n):
        found = np.concatenate([values_of(part, 0, i) for part in parts])
        assert np.array_equal(found[:used], ordered.inputs[i])


count_reader = entry(rows.count_reader)
collect, need = entry(rows.collect), entry(rows.need)
compute_needed, forget = entry(rows.compute_needed), entry(rows.forget)
bounds_of, span_of, sources_of = entry(rows.bounds_of), entry(rows.span_of), entry(rows.sources_of)
ROWS_NODES = 80


def setting(n, seed):
    """A shape, room for its values on all rows of parity, and a random program with some active nodes."""
    shape = Shape(n, 1, ROWS_NODES, gate_set(["and", "or", "nand", "not"]))
    random = np.random.default_rng(seed)
    values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
    genes = np.array(values, dtype=np.int32)
    genes[-1] = n + ROWS_NODES - 1
    return shape, rows.rows_of(layout_of(shape), complete(family_target(f"parity:{n}"))), genes


def bits_of(words):
    return [bool(int(words[node // 64]) >> (node % 64) & 1) for node in range(ROWS_NODES)]


def test_a_node_that_reads_a_source_twice_is_one_reader():
    _, room, genes = setting(4, 0)
    genes[:3] = 0, 2, 2
    count_reader(room, genes, u(4), u(4), 1)
    assert room.readers[:5].tolist() == [0, 0, 1, 0, 1]


def test_a_gate_of_one_input_reads_its_first_source_only():
    _, room, genes = setting(4, 0)
    genes[:6] = 0, 1, 2, 3, 1, 2
    assert sources_of(room, genes, u(4)) == (1, 2)
    assert sources_of(room, genes, u(5)) == (1, 1)


@pytest.mark.parametrize(("n", "words", "head"), [(3, 1, 1), (7, 8, 8), (13, 128, 128), (14, 256, 64)])
def test_head_and_tail_are_all_words(n, words, head):
    _, room, _ = setting(n, 0)
    assert (room.words, room.head) == (words, head)
    assert bounds_of(room, u(0)) == (0, head)
    assert span_of(room, room.parts) == (0, words)
    if head < words:
        assert bounds_of(room, u(1)) == (head, words)
    assert np.bitwise_count(room.used).sum() == 1 << n


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 512, 513, 1000])
@pytest.mark.parametrize("first", [0, 8])
def test_a_part_has_the_words_that_there_are_and_zeros(rows, first):
    bits = np.random.default_rng(rows).integers(0, 2, size=(5, rows))
    training = TrainingSet("sample", rows, pack(bits[:3]), pack(bits[3:]))
    values, wanted, mask = padded(training, sources=7, first=first, words=8)
    for found, columns, count in ((values, training.inputs, 7), (wanted, training.outputs, 2)):
        part = np.zeros((count, 8), dtype=np.uint64)
        some = columns[:, first : first + 8]
        part[: some.shape[0], : some.shape[1]] = some
        assert np.array_equal(found.reshape(count, 8), part)
        assert found.ctypes.data % 64 == 0
    assert np.bitwise_count(mask).sum() == 2 * max(0, min(rows - 64 * first, 512))
    assert mask.size == 2 * 8


def table(training):
    """The rows, inputs first."""
    return unpack(np.concatenate([training.inputs, training.outputs]), training.rows).T


def test_distance_is_the_number_of_inputs_to_change():
    outputs = np.zeros(64, dtype=bool)
    outputs[63] = True
    zeros = np.array([6 - row.bit_count() for row in range(64)])
    assert np.array_equal(distance_to_rare(outputs, 6), np.minimum(zeros, FARTHEST))
    assert np.array_equal(distance_to_rare(~outputs, 6), np.minimum(zeros, FARTHEST))


def test_rows_are_in_the_order_of_their_distance():
    rows = table(telling_first(complete(family_target("and:8"))))
    assert rows[0].all()
    assert (np.diff(np.minimum(8 - rows[:, :8].sum(axis=1), FARTHEST)) >= 0).all()


@pytest.mark.parametrize("name", ["and:1", "and:8", "nor:7", "maj:9", "xor:5"])
def test_no_row_is_lost(name):
    before = complete(family_target(name))
    after = telling_first(before)
    assert after.rows == before.rows
    assert {tuple(row) for row in table(after).tolist()} == {tuple(row) for row in table(before).tolist()}


def test_tables_of_several_outputs_and_samples_stay():
    random = np.random.default_rng(1)
    drawn = sample(
        family_target("and:8"), 100, lambda count: random.integers(0, 2**63, count, dtype=np.uint64)
    )
    for training in (complete(family_target("sum:2")), drawn):
        assert telling_first(training) is training


FULL = ["and", "or", "nand", "nor", "not"]


@pytest.fixture
def check(follow_evaluator, mismatches):
    def check(shape, training, **options):
        follow_evaluator(
            shape,
            large_of,
            lambda layout: incremental_of(layout, training),
            lambda genes: mismatches(shape, training, genes),
            **options,
        )

    return check


@pytest.mark.parametrize("rows", [1, 2, 64, 65, 512, 513, 5000, 20_000])
def test_incremental_evaluation_on_tables_of_all_sizes(check, rows):
    check(Shape(6, 2, 30, gate_set(FULL)), random_rows(6, 2, rows), seed=rows)


@pytest.mark.parametrize("outputs", [1, 5, MOST_OUTPUTS])
@pytest.mark.parametrize("rows", [50, 300])
def test_many_outputs(check, outputs, rows):
    check(Shape(7, outputs, 40, gate_set(FULL)), random_rows(7, outputs, rows), seed=outputs)


@pytest.mark.parametrize("gates", ["and", "nand,not", "xor,buf", "imply,not_a,true,buf_b"])
def test_gate_sets(check, gates):
    check(Shape(5, 3, 30, gate_set(gates)), random_rows(5, 3, 200), seed=1, picked=True)


def test_sets_of_nodes_in_several_words(check):
    check(Shape(3, 2, 200, gate_set(FULL)), random_rows(3, 2, 70), seed=2)
    check(Shape(3, 2, 128, gate_set(FULL)), random_rows(3, 2, 7), seed=3)


@pytest.mark.parametrize("name", ["and:9", "xor:5", "maj:14"])
def test_incremental_evaluation_of_rows_put_in_order(check, name):
    training = complete(family_target(name))
    check(Shape(training.inputs.shape[0], 1, 30, gate_set(FULL)), training, seed=4)


def test_a_rare_output_on_a_table_of_two_parts(check):
    wanted = np.zeros((1, 1 << 14), dtype=bool)
    wanted[0, 12345] = True
    training = TrainingSet("complete", 1 << 14, projections(14), pack(wanted))
    check(Shape(14, 1, 40, gate_set(["and", "nor"])), training, seed=5)


@pytest.mark.parametrize(("over", "rows"), [("sources", 1), ("columns", 3)])
def test_connections_of_a_limited_reach(check, over, rows):
    shape = Shape(6, 2, 30, gate_set(FULL), levels_back=4, levels_over=over, rows=rows)
    check(shape, random_rows(6, 2, 300), seed=6)


hit_before, observe = entry(observability.hit_before), entry(observability.observe)
come_down, pass_upwards = entry(observability.come_down), entry(observability.pass_upwards)
adopt, differ = entry(observability.adopt), entry(observability.differ)
OBSERVED_NODES, OBSERVED_GATES = 25, gate_set(["and", "or", "xor", "not"])


@pytest.fixture(params=[("mul:2", 3), ("sum:5", 10), ("maj:14", 7)], ids=["mul", "sum", "maj"])
def observed(request, take_program):
    """An evaluator that has taken a random program, its genes, and its training set."""
    name, seed = request.param
    wanted = family_target(name)
    shape = Shape(wanted.inputs, wanted.outputs, OBSERVED_NODES, OBSERVED_GATES)
    layout, training, random = layout_of(shape), complete(wanted), np.random.default_rng(seed)
    genes = np.zeros(shape.length, dtype=np.int32)
    while active_nodes(shape, genes).sum() < 6:
        genes[:] = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
    evaluator = incremental_of(layout, training)
    take_program(evaluator, large_of(layout, picked=False), genes)
    return evaluator, genes


def turned_values(rows, genes, turned=None):
    """All values, with those of one node turned around."""
    n, words = int(rows.inputs), int(rows.words)
    values = rows.values.reshape(-1, words).copy()
    for node in range(OBSERVED_NODES):
        gate = OBSERVED_GATES.gates[genes[3 * node]]
        sources = genes[3 * node + 1 : 3 * node + 1 + gate.arity]
        values[n + node] = apply(gate, *values[sources])
        if node == turned:
            values[n + node] = ~values[n + node]
    return values


def active_of(rows):
    return [node for node in range(OBSERVED_NODES) if rows.readers[int(rows.inputs) + node]]


def test_observability_is_where_outputs_change_with_the_node(observed):
    evaluator, genes = observed
    seen, rows = evaluator.observability, evaluator.rows
    outputs, words = int(rows.outputs), int(rows.words)
    before, tops = turned_values(rows, genes), genes[3 * OBSERVED_NODES :]
    for node in active_of(rows):
        source = rows.inputs + u(node)
        assert not hit_before(seen, u(node))
        assert hit_before(seen, u(node))
        observe(seen, rows, genes, source, u(1))  # the head, then the rest
        observe(seen, rows, genes, source, rows.parts)
        expected = (before ^ turned_values(rows, genes, turned=node))[tops] & rows.used
        assert np.array_equal(seen.seen.reshape(OBSERVED_NODES, outputs, words)[node], expected)
        assert int(seen.sees[node]) == sum(1 << o for o in range(outputs) if expected[o].any())
        assert seen.known[node] == rows.parts
        assert not seen.differs.any()


def test_another_parent_knows_nothing_of_the_last_one(observed):
    seen = observed[0].observability
    assert not hit_before(seen, u(2))
    assert hit_before(seen, u(2))
    seen.known[2] = seen.sees[2] = 1
    seen.number[0] += u(1)
    assert not hit_before(seen, u(2))
    assert seen.known[2] == seen.sees[2] == 0


@pytest.mark.parametrize("is_adopted", [False, True])
def test_turned_values_pass_upwards_and_are_adopted_or_forgotten(observed, is_adopted):
    evaluator, genes = observed
    seen, rows = evaluator.observability, evaluator.rows
    words, before = int(rows.words), rows.values.copy()
    node = active_of(rows)[0]
    source = int(rows.inputs) + node
    expected = turned_values(rows, genes, turned=node)
    seen.turned.reshape(-1, words)[source] = expected[source]
    differ(seen, u(source), rows.parts)
    pass_upwards(seen, rows, genes, u(source), rows.parts, True)
    assert seen.passed[0] == source
    if is_adopted:
        adopt(seen, rows)
        active = int(rows.inputs) + np.array(active_of(rows))
        assert np.array_equal(rows.values.reshape(-1, words)[active], expected[active])
    else:
        come_down(seen)
        assert np.array_equal(rows.values, before)
    assert not seen.differs.any()
    assert seen.number[1] == 0
