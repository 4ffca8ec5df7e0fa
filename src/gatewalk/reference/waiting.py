"""Waiting times drawn (`waiting="drawn"`), in plain Python: the twin of `gatewalk.cgp.waiting`.

The law of a run is that of Algorithms 1-3; offspring that cannot be fitter are counted, but not made. The
docstring of `gatewalk.cgp.waiting` explains how.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from gatewalk.reference.cgp import Rules, Step, active_nodes, fitness, is_active, new_value, valid
from gatewalk.reference.stream import Stream

FOREVER = 2**62
MOST_STEPS = 2**63 - 1


@dataclass(frozen=True)
class Candidate:
    """The change of gene i to v that ends SAM's loop, and its probability.

    fresh: whether a fresh gene is picked before.
    """

    i: int
    v: int
    fresh: bool
    probability: float


@dataclass
class Candidates:
    """The candidates of parent x. stays[k]: the probability of a skipped offspring with e + f = k."""

    x: list[int]
    found: list[Candidate] = field(default_factory=list)
    stays: dict[int, float] = field(default_factory=dict)

    @property
    def upto(self) -> list[float]:
        return list(accumulate((one.probability for one in self.found), initial=0.0))[1:]


def changed(x: list[int], i: int, v: int) -> list[int]:
    """x with gene i set to v."""
    return [*x[:i], v, *x[i + 1 :]]


def ending_genes(s: Rules, active: set[int]) -> list[int]:
    """The genes that end SAM's loop when picked."""
    return [
        i
        for i in range(s.genes)
        if is_active(s, active, i) and (s.sam_ends == "picked" or len(valid(s, i)) > 1)
    ]


def fresh_genes(s: Rules, active: set[int], y: list[int]) -> list[int]:
    """The fresh genes: with other valid values, of nodes that are active in y but not in its parent."""
    nodes = sorted(active_nodes(s, y) - active)
    genes = [i for node in nodes for i in range((node - s.Nin) * (s.k + 1), (node - s.Nin + 1) * (s.k + 1))]
    return [i for i in genes if len(valid(s, i)) > 1]


def candidates_of(s: Rules, x: list[int]) -> Candidates:
    """All changes that may end SAM's loop, as candidates or among those that are skipped."""
    made = Candidates(x)
    active = active_nodes(s, x)
    ending = ending_genes(s, active)
    e, now = len(ending), fitness(s, x)
    for i in ending:
        others = [v for v in valid(s, i) if v != x[i]]
        if not others:
            made.stays[e] = made.stays.get(e, 0.0) + 1 / e
        for v in others:
            y = changed(x, i, v)
            f = len(fresh_genes(s, active, y))
            unmoved = 1 / (len(others) * (e + f))
            if fitness(s, y) < now:
                made.found.append(Candidate(i, v, False, unmoved))
            else:
                made.stays[e + f] = made.stays.get(e + f, 0.0) + unmoved
            if f:
                made.found.append(Candidate(i, v, True, f / (len(others) * (e + f) * e)))
    return made


_last: list[tuple[Rules, Candidates]] = []  # a cache for the latest parent: finding candidates is slow


def _candidates(s: Rules, x: list[int]) -> Candidates:
    if not _last or _last[0][0] is not s or _last[0][1].x != x:
        _last[:] = [(s, candidates_of(s, x))]
    return _last[0][1]


def iterations_until(probability: float, uniform: float) -> int:
    """The number of iterations up to the first success: geometric, 1 or more, by inversion."""
    if probability >= 1:
        return 1
    if probability <= 0:
        return FOREVER
    failures = math.log1p(-uniform) / math.log1p(-probability)
    return 1 + int(failures) if failures < FOREVER - 1 else FOREVER


def to_candidate(s: Rules, step: Step, stream: Stream, limit: int) -> Step:
    """All iterations up to and including the next candidate, or up to the limit; updates `step`."""
    found = _candidates(s, step.x)
    if step.until_candidate == 0:
        step.until_candidate = iterations_until(found.upto[-1] if found.upto else 0.0, stream.unit())
    skipped = limit - step.iterations
    if found.found:
        skipped = min(step.until_candidate - 1, skipped)
        step.until_candidate -= skipped
    step.iterations += skipped
    step.skipped += skipped
    if step.iterations < limit:
        step.iterations += 1
        step.until_candidate = 0
        y = play(s, step, found, stream)
        f = fitness(s, y)
        if f < step.fitness:
            step.undrawn = undrawn(step, found, stream)
            step.skipped = 0
            step.x, step.fitness = y, f
    if step.iterations == limit or step.fitness == 0:  # only here are the elementary steps reported
        step.elementary_steps = elementary_steps(s, step, stream)
    return step


def play(s: Rules, step: Step, found: Candidates, stream: Stream) -> list[int]:
    """Draw a candidate and make its offspring."""
    upto = found.upto
    one = found.found[min(bisect_right(upto, stream.unit() * upto[-1]), len(upto) - 1)]
    y = changed(step.x, one.i, one.v)
    active = active_nodes(s, step.x)
    fresh, ending = fresh_genes(s, active, y), set(ending_genes(s, active))
    drift_aside(s, step, y, ending | set(fresh), stream)
    if one.fresh:
        choice, spare = stream.pick(len(fresh))
        y[fresh[choice]] = new_value(s, y, fresh[choice], stream, spare)
        drift_aside(s, step, y, ending, stream)
    return y


def drift_aside(s: Rules, step: Step, y: list[int], met: set[int], stream: Stream) -> None:
    """Run SAM's loop on y up to the first pick of a gene in `met`; that gene is left as it is."""
    while True:
        i, spare = stream.pick(s.genes)
        step.picks += 1
        if i in met:
            return
        y[i] = new_value(s, y, i, stream, spare)


def undrawn(step: Step, found: Candidates, stream: Stream) -> dict[int, int]:
    """For each k = e + f, the offspring whose picks are not drawn yet, the skipped ones of x included."""
    counts = dict(step.undrawn)
    if step.skipped:
        words = np.array(stream.words, dtype=np.uint64).view(np.uint32).tolist()
        source = np.random.RandomState([*words, 1])
        kinds = sorted(found.stays)
        everything = math.fsum(found.stays.values())
        shares = source.multinomial(step.skipped, [found.stays[kind] / everything for kind in kinds])
        for kind, share in zip(kinds, shares.tolist(), strict=True):
            counts[kind] = counts.get(kind, 0) + share
    return {kind: count for kind, count in counts.items() if count}


def elementary_steps(s: Rules, step: Step, stream: Stream) -> int:
    """The elementary steps of Algorithm 3, drawn from their law by a generator seeded from the stream."""
    counts = undrawn(step, _candidates(s, step.x), stream) if step.skipped else step.undrawn
    source = np.random.RandomState(np.array(stream.words, dtype=np.uint64).view(np.uint32))
    picks = step.picks + sum(counts.values())
    for ending in sorted(counts):
        if ending < s.genes:
            share = ending / s.genes
            too_many = counts[ending] * (1 / share - 1) > 0.99 * MOST_STEPS  # for numpy, which says nothing
            picks += MOST_STEPS if too_many else int(source.negative_binomial(counts[ending], share))
    return min(picks, MOST_STEPS)
