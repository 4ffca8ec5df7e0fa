"""Programs in kernels: random ones and new values by their law, slots, and both representations by hand."""

import numba
import numpy as np
import pytest
from kernels import entry
from scipy import stats

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import large, slots, small
from gatewalk.cgp import program as programs
from gatewalk.cgp.genotype import Shape, layout_of, valid_values
from gatewalk.cgp.large import large_of
from gatewalk.cgp.observers import Nobody
from gatewalk.cgp.program import Changes, change, draw_program
from gatewalk.cgp.slots import GENE_BITS, OWNER_BITS, slots_of
from gatewalk.cgp.small import is_small, small_of
from gatewalk.errors import InputError
from gatewalk.native.stream import load, pick, store
from gatewalk.reference import cgp as reference
from gatewalk.reference.stream import Stream

u = np.uint64
SAMPLES = 30_000
SHAPES = {
    "unlimited": Shape(3, 1, 7, gate_set("and,or,not")),
    "one gate": Shape(2, 1, 5, gate_set("and")),
    "sources": Shape(4, 1, 9, gate_set("and,or"), levels_back=3, levels_over="sources"),
    "columns": Shape(2, 1, 8, gate_set("and,or"), levels_back=2),
    "grid": Shape(3, 1, 12, gate_set("and,or"), levels_back=1, rows=3),
}
of_all_shapes = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
of_both_kinds = pytest.mark.parametrize("room_of", [small_of, large_of], ids=["small", "large"])


@numba.njit
def drawn_programs(program, layout, stream, samples):
    found = np.zeros((samples, program.places.size), dtype=np.int64)
    registers = load(stream)
    for sample in range(samples):
        registers = draw_program(program, layout, registers)
        for gene in range(program.places.size):
            found[sample, gene] = program.genes[program.places[gene]]
    store(stream, registers)
    return found


@numba.njit
def changed_values(program, gene, value, stream, samples):
    """What a gene of this value is changed to; the slots are those of the program."""
    found = np.zeros(samples, dtype=np.int64)
    registers = load(stream)
    place = program.places[gene]
    for sample in range(samples):
        program.genes[place] = value
        _, spare, registers = pick(registers, u(7))
        _, registers = change(program, u(0), program.slots[gene], spare, registers, Nobody(True))
        found[sample] = program.genes[place]
    store(stream, registers)
    return found


def chi_square(found, values):
    """The statistic against the uniform law on these values, and its degrees of freedom."""
    assert set(np.unique(found)) <= set(values)
    counts = np.array([(found == value).sum() for value in values])
    return float(((counts - found.size / len(values)) ** 2).sum() * len(values) / found.size), len(values) - 1


@of_both_kinds
@of_all_shapes
def test_random_programs_are_uniform_over_valid_values(shape, room_of):
    # Genes are independent, so their chi-squares add up: a false alarm in 1e7.
    layout = layout_of(shape)
    stream = np.array([1, 2, 3, 4], dtype=u)
    found = drawn_programs(room_of(layout, picked=False), layout, stream, SAMPLES)
    pairs = [chi_square(found[:, gene], valid_values(shape, gene)) for gene in range(shape.length)]
    assert stats.chi2.sf(*np.sum(pairs, axis=0)) > 1e-7


@of_both_kinds
@of_all_shapes
def test_random_programs_are_those_of_the_twin(shape, room_of):
    words = np.array([11, 12, 13, 14], dtype=u)
    stream = Stream(words)
    rules = reference.Rules(
        Nin=shape.inputs,
        Nout=shape.outputs,
        Nfunc=shape.nodes,
        functions=shape.gates.gates,
        k=shape.arity,
        training=(),
        levels_back=shape.levels_back,
        levels_over=shape.levels_over,
        rows=shape.rows,
    )
    found = drawn_programs(room_of(layout_of(shape), picked=False), layout_of(shape), words, 20)
    assert found.tolist() == [reference.random_program(rules, stream) for _ in range(20)]
    assert words.tolist() == stream.words


@of_both_kinds
@of_all_shapes
def test_a_new_value_is_uniform_over_the_others(shape, room_of):
    # For every gene and every value that it may have; chi-squares add up: a false alarm in 1e7.
    program, pairs = room_of(layout_of(shape), picked=False), []
    stream = np.array([1, 2, 3, 4], dtype=u)
    for gene in range(shape.length):
        values = valid_values(shape, gene)
        for value in values:
            found = changed_values(program, gene, value, stream, 2000)
            others = [other for other in values if other != value]
            pairs.append(chi_square(found, others or [value]))
    assert stats.chi2.sf(*np.sum(pairs, axis=0)) > 1e-7


gene_of, owner_of, others_of = entry(slots.gene_of), entry(slots.owner_of), entry(slots.others_of)
LAYOUT = layout_of(Shape(4, 1, 6, gate_set(["and"])))  # function genes have no other value


@pytest.mark.parametrize(("picked", "owner"), [(False, 77), (True, 5)])
def test_a_slot_tells_place_owner_and_other_values(picked, owner):
    places = np.arange(19) + 100
    found = [
        (int(gene_of(slot)), int(owner_of(slot)), int(others_of(slot)))
        for slot in slots_of(LAYOUT, places, LAYOUT.owner + 4, spare=500, nobody=77, picked=picked)
    ]
    assert found[4] == (104, 5, 4)  # the first connection of node 5, which may read five sources
    assert found[3] == (500, owner, 0)  # its function gene cannot change: it is written aside


def test_the_largest_numbers_fit_into_a_slot():
    layout = LAYOUT._replace(
        owner=np.zeros(1, dtype=np.int64), choices=np.array([1 << OWNER_BITS], dtype=np.int64)
    )
    place, owner = np.array([(1 << GENE_BITS) - 1]), np.array([(1 << OWNER_BITS) - 1])
    (slot,) = slots_of(layout, place, owner, spare=0, nobody=0, picked=False)
    assert (gene_of(slot), owner_of(slot), others_of(slot)) == (place[0], owner[0], (1 << OWNER_BITS) - 1)


def test_programs_too_large_for_a_slot_are_refused():
    def made(**fields):
        places = np.arange(19)
        return slots_of(LAYOUT._replace(**fields), places, places, spare=0, nobody=0, picked=False)

    most = (1 << OWNER_BITS) - 2 - LAYOUT.inputs
    assert made(nodes=most).size == 19
    with pytest.raises(InputError, match=r"at most 1,048,574 inputs and nodes, and 16,777,214 genes"):
        made(nodes=most + 1)
    with pytest.raises(InputError, match="too large"):
        made(owner=np.broadcast_to(np.int64(0), (1 << GENE_BITS) - 1))


def test_which_programs_are_small():
    gates = gate_set("and,not")
    assert is_small(Shape(3, 1, 60, gates))
    assert not is_small(Shape(3, 1, 61, gates))
    assert not is_small(Shape(3, 2, 6, gates))
    assert not is_small(Shape(3, 1, 6, gate_set("and,mux")))
    assert not is_small(Shape(3, 1, 6, gate_set("not")))


def test_a_small_program_by_hand():
    """Three rows of 64 bytes, the index in a row is the source; the output is the source 63."""
    genes = np.array([0, 3, 1, 0, 4, 2, 0, 5, 0, 0, 1, 6, 0, 7, 7, 0, 2, 8, 9], dtype=np.int32)
    program = small_of(LAYOUT, picked=False)
    entry(programs.write_program)(program, genes)
    rows = program.genes[:192].reshape(3, 64)
    assert rows[:, 4:10].T.ravel().tolist() == genes[:-1].tolist()
    assert rows[1, 63] == genes[-1] == 9
    nodes_of, everything = entry(small.nodes_of), u(2**64 - 1)
    assert nodes_of(program, everything) == u((2**63 - 1) & ~0b1111)  # without inputs and the output


def test_a_large_program_by_hand():
    """Only the genes on the list are copied, and as many hits are listed as there is space for."""
    program, genes = large_of(LAYOUT, picked=False), LAYOUT.owner.size
    touch, hit, keep_child = entry(large.touch), entry(large.hit), entry(programs.keep_child)
    program.genes[:] = 5
    touched = u(touch(program, u(touch(program, u(0), program.slots[4])), program.slots[8]))
    keep_child(program, Changes(touched, u(0), u(2)))
    assert np.flatnonzero(program.parent).tolist() == [4, 8]
    hits = u(0)
    for number in range(genes + 7):
        hits = u(hit(program, hits, u(1000 + number)))
    assert hits == genes + 7
    assert program.hit.tolist() == list(range(1000, 1000 + genes))
