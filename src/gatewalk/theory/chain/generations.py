"""One generation of the chain on vectors over its classes: values backwards, probabilities forwards.

For one offspring the operator is that of `markov_chain`. For λ offspring of one parent at level ℓ, let
A_F = G[Σ_m P(m) 1(fitness m = F)] be the probability that a single one has fitness F, u_F that its
fitness is F or worse. The best has fitness F with probability u_F^λ - (u_F - A_F)^λ, and is then
distributed as a single offspring of fitness F, because equally fit ones are drawn uniformly. So

    (Q h)(x) = Σ_F share_F(x) G[Σ_m P(m) 1(fitness m = F) h(m)](x) + stay(x) h(x),
    share_F = (u_F^λ - (u_F - A_F)^λ) / A_F = Σ_{j<λ} u_F^(λ-1-j) (u_F - A_F)^j

over better fitness values F. For F = ℓ the share is the same if ties are accepted, 0 if selection
is strict, and Σ_e C(λ,e) A^(e-1) w^(λ-e) e / (e+1) if the parent is drawn among the equally best,
w = u_ℓ - A_ℓ. A generation ends with its first solved offspring.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gatewalk.native.jit import kernel
from gatewalk.theory.chain.inactive_mixing import mixed
from gatewalk.theory.chain.markov_chain import Chain, Segment
from gatewalk.theory.chain.moves import SOLVED, TIE
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.offspring_sums import log_of_rest, share_of_best, share_of_ties
from gatewalk.theory.chain.program_classes import Ids
from gatewalk.theory.chain.threads import each


@dataclass(frozen=True, eq=False)
class Generation:
    """One generation from the classes of a segment.

    solved: the probability that one offspring is solved. leaving: the probability that the parent is replaced
    or the search ends. shares: for λ > 1, the first and the last class of each fitness F, and share_F.
    """

    segment: Segment
    solved: Floats
    leaving: Floats
    shares: list[tuple[int, int, Floats]]


def generations_of(chain: Chain) -> list[Generation]:
    """One generation from every segment, in the order of the segments."""
    return [_generation(chain, segment) for segment in chain.segments]


def onward(chain: Chain, generation: Generation, values: Floats) -> Floats:
    """Q without the term for staying: the mean of `values` over accepted offspring; solved ones count 0."""
    if not generation.shares:
        return mix(chain, generation.segment, _gathered(chain, generation.segment, values, 0, chain.classes))
    total = np.zeros(generation.leaving.size)
    for first, last, share in generation.shares:
        part = _gathered(chain, generation.segment, values, first, last, tie=1.0)
        total += share * mix(chain, generation.segment, part)
    return total


def onward_transposed(chain: Chain, generation: Generation, flow: Floats, into: Floats) -> None:
    """The transpose of `onward`: add the probability on the segment's classes to where it moves."""
    segment = generation.segment
    if not generation.shares:
        mixed_flow = mix_transposed(chain, segment, flow)
        _scatter(segment.moves, segment.probabilities, mixed_flow, chain.tie, 0, chain.classes, into)
    for first, last, share in generation.shares:
        mixed_flow = mix_transposed(chain, segment, share * flow)
        _scatter(segment.moves, segment.probabilities, mixed_flow, 1.0, first, last, into)


def chance_to(
    chain: Chain, segment: Segment, wanted: Floats, first: int, last: int, *, solved: float = 0.0
) -> Floats:
    """For each class, the mean of `wanted` over accepted offspring whose class is in [first, last).

    solved: the value of a solved offspring.
    """
    return mix(chain, segment, _gathered(chain, segment, wanted, first, last, solved=solved))


def mix(chain: Chain, segment: Segment, values: Floats) -> Floats:
    """Apply G to the values of a segment, one per class."""
    axes = [chain.axes[node] for node in segment.axes]
    if not axes:
        return values
    shape = [*(len(axis) for axis in axes), segment.keys.size]
    if not chain.of_place.size:
        return mixed(values.reshape(shape), axes, segment.ending).reshape(-1)
    tensor = _expanded(chain, segment, values)
    return np.take(mixed(tensor.reshape(shape), axes, segment.ending).reshape(-1), segment.example)


def mix_transposed(chain: Chain, segment: Segment, flow: Floats) -> Floats:
    """The transpose of `mix`: it moves probabilities of classes."""
    axes = [chain.axes[node] for node in segment.axes]
    if not axes:
        return flow
    shape = [*(len(axis) for axis in axes), segment.keys.size]
    if not chain.of_place.size:
        return mixed(flow.reshape(shape), axes, segment.ending, transposed=True).reshape(-1)
    tensor = np.zeros(segment.places.stop - segment.places.start)
    tensor[segment.example] = flow
    tensor = mixed(tensor.reshape(shape), axes, segment.ending, transposed=True).reshape(-1)
    return _collected(chain.of_place[segment.places], segment.classes.start, tensor, np.zeros(flow.size))


def _expanded(chain: Chain, segment: Segment, values: Floats) -> Floats:
    tensor = np.empty(segment.places.stop - segment.places.start)
    here = chain.of_place[segment.places]

    def part(rows: slice) -> None:
        _spread(here[rows], segment.classes.start, values, tensor[rows])

    each(part, tensor.size, alone=1_000_000)
    return tensor


def _generation(chain: Chain, segment: Segment) -> Generation:
    nothing = np.zeros(chain.classes)
    solved = mix(chain, segment, _gathered(chain, segment, nothing, 0, 0, solved=1.0))
    if chain.offspring == 1:
        everything = np.ones(chain.classes)
        accepted = _gathered(chain, segment, everything, 0, chain.classes, solved=1.0)
        return Generation(segment, solved, mix(chain, segment, accepted), [])
    ones = np.ones(chain.classes)
    shares: list[tuple[int, int, Floats]] = []
    better = solved  # the chance that one offspring is fitter than the level under consideration
    leaving = -np.expm1(chain.offspring * log_of_rest(better))
    for level in range(segment.level + 1):
        first, last = chain.level_start[level], chain.level_start[level + 1]
        chance = mix(chain, segment, _gathered(chain, segment, ones, first, last, tie=1.0))
        log_at_least, better = log_of_rest(better), better + chance
        tie = 1.0 if level < segment.level else chain.tie
        if tie > 0.0:
            share = SHARES[tie](log_at_least, log_of_rest(better), chain.offspring)
            shares.append((first, last, share))
            leaving = leaving + share * chance
    return Generation(segment, solved, leaving, shares)


# By the probability that the only equally fit offspring is accepted.
SHARES = {1.0: share_of_best, 0.5: share_of_ties}


def _gathered(
    chain: Chain,
    segment: Segment,
    values: Floats,
    first: int,
    last: int,
    *,
    tie: float | None = None,
    solved: float = 0.0,
) -> Floats:
    """Σ_m P(m) A(m) values[m] over moves to classes in [first, last), and to solved ones."""
    result = np.empty(segment.moves.shape[0])
    accept = chain.tie if tie is None else tie

    def rows(part: slice) -> None:
        moves, into = segment.moves[part], result[part]
        _gather(moves, segment.probabilities, values, accept, solved, first, last, into)

    each(rows, result.size)
    return result


@kernel
def _gather(
    moves: Ids,
    chances: Floats,
    values: Floats,
    tie: float,
    solved: float,
    first: int,
    last: int,
    result: Floats,
) -> None:
    for row in range(moves.shape[0]):
        total = 0.0
        for move in range(moves.shape[1]):
            to = np.int64(moves[row, move])
            if to == SOLVED:
                total += chances[move] * solved
                continue
            accept = 1.0
            if to <= TIE:
                to = TIE - to
                accept = tie
            if first <= to < last:
                total += chances[move] * accept * values[to]
        result[row] = total


@kernel
def _scatter(
    moves: Ids, chances: Floats, flow: Floats, tie: float, first: int, last: int, into: Floats
) -> None:
    for row in range(moves.shape[0]):
        for move in range(moves.shape[1]):
            to = np.int64(moves[row, move])
            accept = 1.0
            if to <= TIE:
                to = TIE - to
                accept = tie
            if first <= to < last:
                into[to] += chances[move] * accept * flow[row]


@kernel
def _spread(of_place: Ids, first: int, values: Floats, tensor: Floats) -> None:
    for place in range(of_place.size):
        tensor[place] = values[of_place[place] - first]


@kernel
def _collected(of_place: Ids, first: int, tensor: Floats, result: Floats) -> Floats:
    for place in range(of_place.size):
        result[of_place[place] - first] += tensor[place]
    return result
