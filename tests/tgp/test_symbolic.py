"""Ranks from counts of leaves are the ranks of mismatches counted on tables."""

from __future__ import annotations

from itertools import product

import numpy as np

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete, fitness
from gatewalk.tgp.symbolic import counts_of
from gatewalk.tgp.terminals import TerminalSet, widened


def test_conjunctions_with_undesired_inputs() -> None:
    for n, extra in product((1, 2, 3), (0, 1, 2)):
        terminals = TerminalSet(n, extra, False)
        counts, value = counts_of("conjunction", terminals)
        training = complete(widened(target(f"and:{n}"), f"inputs+undesired:{extra}"))
        for i, j in product(range(n + 1), range(extra + 1)):
            used = [*range(i), *range(n, n + j)]
            words = np.bitwise_and.reduce(training.inputs[used], axis=0, keepdims=True)
            if not used:
                words = ~np.zeros_like(training.outputs)
            rank = int(counts.ranks[i * (extra + 1) + j])
            assert value(rank) == fitness(words, training)


def test_ranks_order_as_fitness_does() -> None:
    _, value = counts_of("conjunction", TerminalSet(5, 3, False))
    assert value(0) == 0
    assert list(value.values) == sorted(set(value.values))
    _, plain = counts_of("conjunction", TerminalSet(300, 0, False))
    assert plain(299) == 2**299 - 1


def test_parities_are_right_or_wrong_on_half_of_the_rows() -> None:
    _, value = counts_of("parity", TerminalSet(7, 2, False))
    assert (value(0), value(1)) == (0, 2**8)
