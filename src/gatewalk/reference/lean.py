"""SAM without waste (`sam_stream="lean"`), in plain Python, after `gatewalk.cgp.lean`'s description.

The law of a run is that of Algorithms 1-3; the random stream is used in another way.
"""

from __future__ import annotations

import numpy as np

from gatewalk.reference.cgp import Setting, Step, active_nodes, fitness, is_active, new_value, valid
from gatewalk.reference.stream import Stream


def drawn_genes(s: Setting) -> list[int]:
    """All genes, but not the gate genes if there is a single gate and a gene must change."""
    only = len(s.functions) == 1 and s.sam_ends == "changed"
    return [i for i in range(s.genes) if not (only and i < s.Nfunc * (s.k + 1) and i % (s.k + 1) == 0)]


def active_genes(s: Setting, active: set[int]) -> list[int]:
    """Active genes that are drawn from: by kind, then by node, the outputs last."""
    genes = [i for i in drawn_genes(s) if is_active(s, active, i)]
    nodes, last = s.Nfunc * (s.k + 1), s.k + 1
    return sorted(genes, key=lambda i: (last, i) if i >= nodes else (i % (s.k + 1), i))


def ending_genes(s: Setting, active: set[int]) -> list[int]:
    """Those of them that end SAM's loop when picked."""
    return [i for i in active_genes(s, active) if s.sam_ends == "picked" or len(valid(s, i)) > 1]


def literal_loop(s: Setting, y: list[int], active: set[int], stream: Stream) -> tuple[int, int, int]:
    """SAM's loop over the genes drawn from; returns the gene that ended it, its old value, and the picks."""
    genes, ending = drawn_genes(s), set(ending_genes(s, active))
    picks = 0
    while True:
        choice, spare = stream.pick(len(genes))
        i = genes[choice]
        old = y[i]
        y[i] = new_value(s, y, i, stream, spare)
        picks += 1
        if i in ending:
            return i, old, picks


def drift(s: Setting, y: list[int], active: set[int], stream: Stream) -> int:
    """The changes before the end of SAM's loop, without the one that ends it; returns the picks."""
    i, old, picks = literal_loop(s, y, active, stream)
    y[i] = old
    return picks


def active_change(s: Setting, y: list[int], active: set[int], stream: Stream) -> int:
    """Change one active gene; returns which. One that cannot end SAM's loop is drawn again."""
    genes, ending = active_genes(s, active), set(ending_genes(s, active))
    while True:
        choice, spare = stream.pick(len(genes))
        i = genes[choice]
        if i in ending:
            y[i] = new_value(s, y, i, stream, spare)
            return i


def leads_to_inactive(s: Setting, y: list[int], active: set[int], i: int) -> bool:
    """Does gene i, or any connection of its node, lead to an inactive node?"""
    first = i - i % (s.k + 1)
    connections = [y[i]] if i >= s.Nfunc * (s.k + 1) else y[first + 1 : first + s.k + 1]
    return any(v >= s.Nin and v not in active for v in connections)


def iteration(s: Setting, step: Step, stream: Stream) -> Step:
    """One turn of Algorithm 1's loop; `step` is brought up to date."""
    active = active_nodes(s, step.x)
    y = list(step.x)
    # The loop itself, if an offspring is likely to be accepted, if a pick in 8 or more ends it, or in small
    # programs.
    is_short = s.Nin + s.Nfunc <= 63 or len(drawn_genes(s)) <= 8 * len(active_genes(s, active))
    drawn = step.accepted or is_short
    if drawn:
        step.picks += literal_loop(s, y, active, stream)[2]
    else:
        i = active_change(s, y, active, stream)
        if y[i] != step.x[i] and leads_to_inactive(s, y, active, i):
            step.picks += drift(s, y, active, stream)
            drawn = True
    f = fitness(s, y)
    step.iterations += 1
    step.accepted = f < step.fitness
    if f == step.fitness and not s.strict:
        step.accepted = s.ties == "accept" or stream.below(2) != 0  # ties
    if step.accepted:
        if not drawn:
            step.picks += drift(s, y, active, stream)
        step.x, step.fitness = y, f
    elif not drawn:
        ending = len(ending_genes(s, active))
        step.undrawn[ending] = step.undrawn.get(ending, 0) + 1
    step.elementary_steps = elementary_steps(s, step, stream)
    return step


def elementary_steps(s: Setting, step: Step, stream: Stream) -> int:
    """What Algorithm 3 would have counted: a draw from its law, seeded by where the stream is."""
    source = np.random.RandomState(np.array(stream.words, dtype=np.uint64).view(np.uint32))
    drawn = len(drawn_genes(s))
    picks = step.picks + sum(step.undrawn.values())
    for ending in sorted(step.undrawn):
        if ending < drawn:
            picks += int(source.negative_binomial(step.undrawn[ending], ending / drawn))
    if picks and drawn < s.genes:
        picks += int(source.negative_binomial(picks, drawn / s.genes))
    return picks
