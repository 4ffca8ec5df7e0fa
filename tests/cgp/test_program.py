from __future__ import annotations

import numba
import numpy as np
import pytest
from kernels import entry
from scipy import stats

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import program as programs
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.observing import Nobody
from gatewalk.cgp.program import change, draw_program, drop_whole, keep_whole
from gatewalk.cgp.small import small_of
from gatewalk.native.registers import load, pick, store
from gatewalk.reference import cgp as reference
from gatewalk.reference.stream import Stream

write_program, read_parent = entry(programs.write_program), entry(programs.read_parent)
keep_whole_, drop_whole_ = entry(keep_whole), entry(drop_whole)
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


def chi_square(found: np.ndarray, values: list[int]) -> tuple[float, int]:
    """The statistic against the uniform law on these values, and its degrees of freedom."""
    assert set(np.unique(found)) <= set(values)
    counts = np.array([(found == value).sum() for value in values])
    return float(((counts - found.size / len(values)) ** 2).sum() * len(values) / found.size), len(values) - 1


@of_both_kinds
@of_all_shapes
def test_random_programs_are_uniform_over_valid_values(shape: Shape, room_of) -> None:
    # Genes are independent, so their chi-squares add up: a false alarm in 1e7.
    layout = layout_of(shape)
    stream = np.array([1, 2, 3, 4], dtype=u)
    found = drawn_programs(room_of(layout, picked=False), layout, stream, SAMPLES)
    pairs = [chi_square(found[:, gene], valid_values(shape, gene)) for gene in range(shape.length)]
    assert stats.chi2.sf(*np.sum(pairs, axis=0)) > 1e-7


@of_both_kinds
@of_all_shapes
def test_random_programs_are_those_of_the_twin(shape: Shape, room_of) -> None:
    words = np.array([11, 12, 13, 14], dtype=u)
    stream = Stream(words)
    setting = reference.Setting(
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
    assert found.tolist() == [reference.random_program(setting, stream) for _ in range(20)]
    assert words.tolist() == stream.words


@of_both_kinds
@of_all_shapes
def test_a_new_value_is_uniform_over_the_others(shape: Shape, room_of) -> None:
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


@of_both_kinds
def test_programs_are_written_and_read_back(room_of) -> None:
    shape = SHAPES["unlimited"]
    program = room_of(layout_of(shape), picked=False)
    genes = np.random.default_rng(1).integers(0, shape.ranges.count).astype(np.int32)
    found = np.zeros_like(genes)
    write_program(program, genes)
    read_parent(program, found)
    assert not found.any()
    keep_whole_(program)
    read_parent(program, found)
    assert found.tolist() == genes.tolist()
    write_program(program, np.zeros_like(genes))
    drop_whole_(program)
    assert program.genes[program.places].tolist() == genes.tolist()
