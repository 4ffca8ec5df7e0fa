"""Any evaluator driven from Python, and programs evaluated row by row to check it."""

import numba
import numpy as np
import pytest

from gatewalk.boolean.tables import unpack
from gatewalk.cgp.evaluators import count_active, drop, evaluate, evaluate_anew, is_active, keep, load, save
from gatewalk.cgp.genotype import active_genes, active_nodes, layout_of, valid_values
from gatewalk.cgp.program import (
    Changes,
    drop_child,
    hit,
    keep_child,
    keep_whole,
    read_parent,
    touch,
    write_program,
)
from gatewalk.cgp.slots import gene_of, others_of

ZERO = np.uint64(0)
STEPS = 300
AGAIN = 60  # steps until another program is taken


@numba.njit
def taken(evaluator, program, genes):
    """Take a program as the parent; its rank."""
    write_program(program, genes)
    rank = evaluate_anew(evaluator, program)
    keep_whole(program)
    return rank


@numba.njit
def tried(evaluator, program, genes, values, parent, worst, is_kept):
    """Evaluate the offspring that gets these values, one after the other; keep it or drop it; its rank."""
    state = load(evaluator)
    touched = hits = ZERO
    for number in range(genes.size):
        slot = program.slots[genes[number]]
        program.genes[gene_of(slot)] = values[number]
        touched = touch(program, touched, slot)
        if is_active(evaluator, program, state, slot) and others_of(slot) != ZERO:
            hits = hit(program, hits, slot)
    changes = Changes(touched, hits, np.uint64(genes.size))
    rank, trial = evaluate(evaluator, program, state, changes, parent, worst)
    if is_kept:
        state = keep(evaluator, program, state, changes, trial)
        keep_child(program, changes)
    else:
        state = drop(evaluator, program, state, changes, trial)
        drop_child(program, changes)
    save(evaluator, state)
    return rank


@numba.njit
def known_active(evaluator, program, found):
    """Which genes the evaluator takes as active; how many nodes."""
    state = load(evaluator)
    for gene in range(program.slots.size):
        found[gene] = is_active(evaluator, program, state, program.slots[gene])
    return count_active(evaluator, program, state)


@numba.njit
def parent_of(program, genes):
    read_parent(program, genes)


def wrong_bits(shape, training, genes):
    """Mismatches by the truth tables of the gates, row by row."""
    columns = list(unpack(training.inputs, training.rows).astype(np.int64))
    for node in range(shape.nodes):
        first = node * shape.block
        gate = shape.gates.gates[int(genes[first])]
        row = np.zeros(training.rows, dtype=np.int64)
        for place in range(gate.arity):
            row += columns[genes[first + 1 + place]] << place
        columns.append(gate.table >> row & 1)
    wanted = unpack(training.outputs, training.rows)
    tops = genes[shape.nodes * shape.block :]
    return sum(int((columns[top] != goal).sum()) for top, goal in zip(tops, wanted, strict=True))


class Follower:
    """Random offspring of random programs, evaluated by an evaluator and by `rank_of`."""

    def __init__(self, shape, room_of, evaluator_of, rank_of, *, seed, picked):
        self.shape, self.layout, self.rank_of, self.picked = shape, layout_of(shape), rank_of, picked
        self.room_of, self.evaluator_of = room_of, evaluator_of
        self.program, self.evaluator = room_of(self.layout, picked=picked), evaluator_of(self.layout)
        self.random = np.random.default_rng(seed)
        self.values = [valid_values(shape, gene) for gene in range(shape.length)]
        self.kept = self.dropped = self.hidden = 0

    def take_another(self):
        """Begin with another random program."""
        self.parent = np.array([self.random.choice(values) for values in self.values], dtype=np.int32)
        self.rank = self.rank_of(self.parent)
        assert taken(self.evaluator, self.program, self.parent) == self.rank
        self.check_parent()

    def check_parent(self):
        """What the evaluator and the program say of the parent, and what a new evaluator says of it."""
        shape = self.shape
        active = active_genes(shape, self.parent) & (self.picked | (shape.ranges.count > 1))
        found, stored = np.zeros(shape.length, dtype=np.bool_), np.zeros(shape.length, dtype=np.int32)
        assert known_active(self.evaluator, self.program, found) == active_nodes(shape, self.parent).sum()
        assert found.tolist() == active.tolist()
        parent_of(self.program, stored)
        assert stored.tolist() == self.parent.tolist()
        places = self.program.places
        assert np.array_equal(self.program.genes[places], self.program.parent[places])
        evaluator, program = self.evaluator_of(self.layout), self.room_of(self.layout, picked=self.picked)
        assert taken(evaluator, program, self.parent) == self.rank
        fresh = np.zeros(shape.length, dtype=np.bool_)
        known_active(evaluator, program, fresh)
        assert fresh.tolist() == found.tolist()

    def some_genes(self):
        """Where an offspring is changed: anywhere, at active genes, in one node, at the outputs."""
        shape, random = self.shape, self.random
        active = np.flatnonzero(active_genes(shape, self.parent))
        kind = random.integers(7)
        if kind == 0:
            return random.integers(shape.length, size=random.integers(1, 9)).tolist()
        if kind == 1:  # all genes of a node, one of them twice
            first = int(random.choice(active)) // shape.block * shape.block
            genes = [gene for gene in range(first, first + shape.block) if gene < shape.length]
            return [*genes, genes[-1]]
        if kind == 2:
            outputs = shape.nodes * shape.block + random.integers(shape.outputs, size=2)
            return [*outputs.tolist(), int(random.choice(active))]
        if kind == 3:  # inactive genes, then one that is active, as SAM does
            inactive = np.setdiff1d(np.arange(shape.length), active)
            picks = random.choice(inactive, size=3).tolist() if inactive.size else []
            return [*picks, int(random.choice(active))]
        return random.choice(active, size=random.integers(1, 5) if kind == 4 else 1).tolist()

    def offspring(self):
        """The genes that are written, what is written, and the offspring."""
        child, values, genes = self.parent.copy(), [], self.some_genes()[: self.shape.length - 1]
        if len(genes) > 1 and self.random.integers(4) == 0:  # the first one back to what it was
            genes.append(genes[0])
        for number, gene in enumerate(genes):
            others = [value for value in self.values[gene] if value != child[gene]] or [int(child[gene])]
            is_back = number == len(genes) - 1 and gene == genes[0] and number > 0
            child[gene] = self.parent[gene] if is_back else self.random.choice(others)
            values.append(child[gene])
        return np.array(genes), np.array(values), child

    def step(self):
        """Evaluate an offspring a few times with different bounds; the last time it may be kept."""
        genes, values, child = self.offspring()
        rank = self.rank_of(child)
        bounds = [rank - 1, rank, rank + 1, self.rank, 0, rank // 2, 1 << 40]
        for worst in self.random.choice(bounds, size=self.random.integers(4)).tolist():
            found = tried(self.evaluator, self.program, genes, values, self.rank, worst, False)
            assert found == rank if rank <= worst else found > worst
            self.hidden += int(rank > worst)
        is_kept = bool(self.random.integers(2))
        worst = rank if is_kept else int(self.random.choice([rank, 1 << 40]))
        assert tried(self.evaluator, self.program, genes, values, self.rank, worst, is_kept) == rank
        if is_kept:
            self.parent, self.rank = child, rank
        self.kept += is_kept
        self.dropped += not is_kept
        self.check_parent()


@pytest.fixture(scope="session")
def mismatches():
    """mismatches(shape, training, genes): row by row."""
    return wrong_bits


@pytest.fixture(scope="session")
def take_program():
    """take_program(evaluator, program, genes): write the genes and take them as the parent; the rank."""
    return taken


@pytest.fixture(scope="session")
def follow_evaluator():
    """Follow random offspring: follow_evaluator(shape, room_of, evaluator_of, rank_of, seed=0, picked=False).

    Every rank is compared with rank_of(genes), or found above the bound; after every offspring the active
    genes, the parent and an evaluator that is new are compared.
    """

    def check(shape, room_of, evaluator_of, rank_of, *, seed=0, picked=False):
        follower = Follower(shape, room_of, evaluator_of, rank_of, seed=seed, picked=picked)
        for step in range(STEPS):
            if step % AGAIN == 0:
                follower.take_another()
            follower.step()
        assert min(follower.kept, follower.dropped, follower.hidden) > STEPS // 10

    return check
