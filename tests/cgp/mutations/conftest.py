"""Mutations driven from Python, with every change written down."""

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from gatewalk.boolean.tables import pack
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.evaluators import evaluate_anew, load, small, table
from gatewalk.cgp.genotype import Shape, active_genes, layout_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.mutations import mutate, mutation_from_text
from gatewalk.cgp.observers import register
from gatewalk.cgp.program import Changes, drop_child, keep_child, keep_whole, write_program
from gatewalk.cgp.small import small_of
from gatewalk.native.jit import inlined
from gatewalk.native.stream import load as load_stream
from gatewalk.native.stream import store as store_stream


class Recorder(NamedTuple):
    """What was written where, in order; count[0] writes."""

    places: np.ndarray
    values: np.ndarray
    count: np.ndarray


@inlined
def note(recorder, gene, old, value):
    recorder.places[recorder.count[0]] = gene
    recorder.values[recorder.count[0]] = value
    recorder.count[0] += 1


register(Recorder, on_change=note)


class Maker(NamedTuple):
    """All that makes offspring of a shape."""

    shape: Shape
    program: Any
    evaluator: Any
    mutation: Any
    recorder: Recorder


@numba.njit
def begun(program, evaluator, genes):
    write_program(program, genes)
    evaluate_anew(evaluator, program)
    keep_whole(program)


@numba.njit
def mutated(mutation, program, evaluator, recorder, stream):
    """Make an offspring and leave it there."""
    recorder.count[0] = 0
    changes, registers = mutate(mutation, program, evaluator, load(evaluator), load_stream(stream), recorder)
    store_stream(stream, registers)
    return changes


@numba.njit
def ended(program, changes, is_kept):
    if is_kept:
        keep_child(program, changes)
    else:
        drop_child(program, changes)


@numba.njit
def sampled(mutation, program, evaluator, recorder, stream, samples):
    """The offspring of the same parent, so many, and their elementary steps."""
    drawn = np.zeros((samples, program.places.size), dtype=np.int64)
    steps = np.zeros(samples, dtype=np.int64)
    for sample in range(samples):
        recorder.count[0] = 0
        changes, registers = mutate(
            mutation, program, evaluator, load(evaluator), load_stream(stream), recorder
        )
        store_stream(stream, registers)
        for gene in range(program.places.size):
            drawn[sample, gene] = program.genes[program.places[gene]]
        steps[sample] = changes.steps
        drop_child(program, changes)
    return drawn, steps


class Driver:
    """The functions above."""

    begun, mutated, ended, sampled = map(staticmethod, (begun, mutated, ended, sampled))

    @staticmethod
    def maker(shape, mutation, *, large, picked=False, most=2048):
        """Room for a shape; `most` writes are recorded."""
        layout = layout_of(shape)
        bits = np.random.default_rng(1).integers(0, 2, size=(shape.inputs + shape.outputs, 8))
        training = TrainingSet("sample", 8, pack(bits[: shape.inputs]), pack(bits[shape.inputs :]))
        if large:
            program, evaluator = large_of(layout, picked=picked), table.plain_of(layout, training)
        else:
            program, evaluator = small_of(layout, picked=picked), small.table_of(layout, training)
        recorder = Recorder(*np.zeros((2, most), dtype=np.int64), np.zeros(1, dtype=np.int64))
        return Maker(shape, program, evaluator, mutation_from_text(mutation).arrays(), recorder)

    @staticmethod
    def begin(maker, genes):
        """Take a program as the parent."""
        begun(maker.program, maker.evaluator, np.asarray(genes, dtype=np.int32))

    @staticmethod
    def make(maker, stream):
        """Make an offspring and leave it there: what changed."""
        changes = mutated(maker.mutation, maker.program, maker.evaluator, maker.recorder, stream)
        return Changes(*map(np.uint64, changes))  # Python gets whole numbers

    @staticmethod
    def sample(maker, stream, samples):
        """Offspring of the same parent, and their elementary steps."""
        return sampled(maker.mutation, maker.program, maker.evaluator, maker.recorder, stream, samples)

    @staticmethod
    def child(maker):
        return maker.program.genes[maker.program.places].tolist()

    @staticmethod
    def parent(maker):
        return maker.program.parent[maker.program.places].tolist()

    @staticmethod
    def written(maker):
        """(gene, value) of all writes to genes that can change."""
        gene_at = {place: gene for gene, place in enumerate(maker.program.places.tolist())}
        count = maker.recorder.count[0]
        places, values = maker.recorder.places[:count].tolist(), maker.recorder.values[:count].tolist()
        return [
            (gene_at[place], value) for place, value in zip(places, values, strict=True) if place in gene_at
        ]

    @staticmethod
    def active(maker):
        """Active genes of the parent that can change."""
        parent = np.array(Driver.parent(maker))
        return active_genes(maker.shape, parent) & (maker.shape.ranges.count > 1)


@pytest.fixture(scope="session")
def driver():
    """Functions that make offspring and look at them."""
    return Driver
