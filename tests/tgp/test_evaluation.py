"""Evaluation of trees: words of gates, the words computed first, and ranks from counts of leaves."""

from itertools import combinations, product

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import apply, projections
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete, fitness
from gatewalk.tgp import table
from gatewalk.tgp.counts import counts_of
from gatewalk.tgp.table import gate_words, telling_order
from gatewalk.tgp.tgp_search import TerminalSet, widened

tail_start, compute, compute_tail, differs, mismatches, compute_and_count = (
    entry(getattr(table, name))
    for name in ("tail_start", "compute", "compute_tail", "differs", "mismatches", "compute_and_count")
)


def test_every_gate_of_two_inputs_has_its_words():
    a, b = 0b1010, 0b1100
    gates = [gate for gate in GATES.values() if gate.arity == 2]
    assert len(gates) == 16
    for gate in gates:
        kind, x, y, z = gate_words(gate)
        value = ((a ^ x) & (b ^ y)) ^ z if kind else (a & x) ^ (b & y) ^ z
        assert value & 0b1111 == gate.table


def test_tails_tell_any_two_conjunctions_and_any_two_disjunctions_apart():
    n = 13
    inputs = projections(n)
    words = inputs.shape[1]
    start = int(tail_start(words))
    assert 0 < start < words
    subsets = [list(used) for size in range(1, n + 1) for used in combinations(range(n), size)]
    for gate, mostly_ones in ((np.bitwise_and, False), (np.bitwise_or, True)):
        tails = inputs[:, telling_order(words, mostly_ones)[start:]]
        assert len({gate.reduce(tails[used], axis=0).tobytes() for used in subsets}) == len(subsets)


def test_the_order_has_every_word_once_and_keeps_the_last():
    for words in (1, 2, 3, 64, 100, 512):
        for mostly_ones in (False, True):
            order = telling_order(words, mostly_ones).tolist()
            assert sorted(order) == list(range(words))
            assert order[-1] == words - 1


TWO = [name for name, gate in GATES.items() if gate.arity == 2]


def rows_of(seed, count, size):
    return np.random.default_rng(seed).integers(0, 1 << 64, (count, size), dtype=np.uint64, endpoint=False)


@pytest.mark.parametrize("name", TWO)
def test_every_gate(name):
    a, b, outputs = rows_of(1, 3, 70)
    gate = np.array(gate_words(GATES[name]), dtype=np.uint64)
    value = np.broadcast_to(apply(GATES[name], a, b), a.shape)
    new = np.zeros_like(a)
    compute(a, b, gate, new)
    assert (new == value).all()
    assert not differs(a, b, gate, new)
    new[13] ^= np.uint64(1)
    assert differs(a, b, gate, new)
    assert compute_and_count(a, b, gate, new, outputs) == np.bitwise_count(value ^ outputs).sum()
    assert (new == value).all()


def test_only_the_tail_is_computed_and_compared():
    size = 100
    start = tail_start(size)
    assert (start, tail_start(10)) == (36, 0)
    rows = rows_of(2, 4, size)
    gate = np.array(gate_words(GATES["and"]), dtype=np.uint64)
    rows[2] = rows[0] & rows[1]
    rows[2, start - 1] ^= np.uint64(1)  # a difference before the tail is not seen
    before = rows[3].copy()
    assert not compute_tail(rows, 0, 1, gate, 2, 3)
    assert (rows[3, start:] == rows[2, start:]).all()
    assert (rows[3, :start] == before[:start]).all()
    rows[2, start] ^= np.uint64(1)
    assert compute_tail(rows, 0, 1, gate, 2, 3)


def test_unused_bits_of_the_last_word_do_not_count():
    value, outputs = rows_of(3, 2, 3)
    mask = np.uint64(0b1011)
    expected = np.bitwise_count(value[:2] ^ outputs[:2]).sum() + np.bitwise_count((value ^ outputs)[2] & mask)
    assert mismatches(value, outputs, mask) == expected


def test_conjunctions_with_undesired_inputs():
    for n, extra in product((1, 2, 3), (0, 1, 2)):
        terminals = TerminalSet(n, extra, False)
        counts, value = counts_of("conjunction", terminals)
        training = complete(widened(family_target(f"and:{n}"), f"inputs+undesired:{extra}"))
        for i, j in product(range(n + 1), range(extra + 1)):
            used = [*range(i), *range(n, n + j)]
            words = np.bitwise_and.reduce(training.inputs[used], axis=0, keepdims=True)
            if not used:
                words = ~np.zeros_like(training.outputs)
            rank = int(counts.ranks[i * (extra + 1) + j])
            assert value(rank) == fitness(words, training)


def test_ranks_order_as_fitness_does():
    _, value = counts_of("conjunction", TerminalSet(5, 3, False))
    assert value(0) == 0
    assert list(value.values) == sorted(set(value.values))
    _, plain = counts_of("conjunction", TerminalSet(300, 0, False))
    assert plain(299) == 2**299 - 1


def test_parities_are_right_or_wrong_on_half_of_the_rows():
    _, value = counts_of("parity", TerminalSet(7, 2, False))
    assert (value(0), value(1)) == (0, 2**8)
