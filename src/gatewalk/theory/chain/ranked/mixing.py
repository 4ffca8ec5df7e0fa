"""Averaging over SAM's changes of inactive genes, on ranked classes: each gene is kept or drawn anew.

As in `sam.mixing` the inactive genes walk for an exponential time of rate `ending`. A gene of k values,
each change uniform over the other values, has after time t its old value with probability exp(-κt) and a
uniform value otherwise, κ = k / (k-1): exp(-t κ (I - Π)) = exp(-κt) I + (1 - exp(-κt)) Π. So

    G h (x) = Σ_R p(R) mean of h over all programs that agree with x in the genes R

over the sets R of genes that are kept. p(R) is where a pure death process stops: every kept gene is lost at
rate κ, and all stops at rate `ending`. Everything is positive: nothing cancels.

If a function does not change when inputs are exchanged, neither do its means; they are functions of programs
in which some connections are a star (`programs`). The nodes are processed one after the other. In its
*stage*, a node is the last of the sequence, so all of its tokens lie side by side. On the way up, means over
one and over both of its connections are added. On the way down, each pair of connections gets the sum over
what may be kept of it. Between two stages, the next node is brought to the end by a table of places. So G
costs about twenty additions per class, classes need not be expanded over symmetries, and the tables take 35
bytes for each inactive part of a segment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import inlined, kernel
from gatewalk.theory.chain.ranked.programs import Bytes, Cells, count_sequences, sequences, take, token_of
from gatewalk.theory.chain.sam.mixing import on_threads
from gatewalk.theory.chain.sam.node_states import Floats, Ints

Places = NDArray[np.int32]
ALONE = 50_000  # a block with more sequences than this is shared by threads


class Locals(NamedTuple):
    """How the tokens of the last node are averaged, for each node and division.

    full, whole: the number of tokens without stars, and their places among all tokens.
    starred[.., i]: the places of token i with the second, the first or both connections replaced by a star.
    stars, star: the number and the places of tokens with one star. Each of them is the mean of `means` tokens
        without stars, whose places are `mean_of`, with weights mean_weight.
    both: the place of the token of two stars, which is the mean of those with one star, with weights
        star_weight.
    """

    full: Ints
    whole: Ints
    starred: Ints
    stars: Ints
    star: Ints
    means: Ints
    mean_of: Ints
    mean_weight: Floats
    both: Ints
    star_weight: Floats


class Stages(NamedTuple):
    """The stages of mixing a segment; stage j processes the node nodes[j].

    starts[j] : starts[j + 1] are its prefixes, the sequences of the other nodes.
    division, read, write: for each prefix, the division after it, and the first place of its tokens before
        and after stars are added.
    lost: the pattern of stars in the prefixes of the last stage.
    come[come_starts[j] + i]: the place after stage j - 1 that becomes place i of stage j.
    sizes: the number of places before each stage.
    chance: p(R) for each pattern of stars.
    """

    nodes: Ints
    starts: Ints
    division: Bytes
    read: Places
    write: Places
    lost: Places
    come_starts: Ints
    come: Places
    sizes: Ints
    chance: Floats


def locals_of(cells: Cells) -> Locals:
    """The tables of all nodes and divisions."""
    n, nodes = cells.inputs, cells.nodes
    star = n + nodes
    divisions, longest = cells.split.shape[0], int(cells.choices[0].max())
    shape = (nodes, divisions)
    result = Locals(
        np.zeros(shape, dtype=np.int64),
        np.zeros((*shape, longest), dtype=np.int64),
        np.zeros((*shape, longest, 3), dtype=np.int64),
        np.zeros(shape, dtype=np.int64),
        np.zeros((*shape, star), dtype=np.int64),
        np.zeros((*shape, star), dtype=np.int64),
        np.zeros((*shape, star, star), dtype=np.int64),
        np.zeros((*shape, star, star)),
        np.zeros(shape, dtype=np.int64),
        np.zeros((*shape, star)),
    )
    for node in range(nodes):
        for division in range(divisions):
            _fill_local(cells, result, node, division)
    return result


def _fill_local(cells: Cells, result: Locals, node: int, division: int) -> None:
    n, at = cells.inputs, (node, division)
    star, values = n + cells.nodes, n + node
    start = cells.start[division].tolist()
    full = cells.tokens[0, node, division, : cells.choices[0, node, division]].tolist()
    everything = cells.tokens[1, node, division, : cells.choices[1, node, division]].tolist()
    position = {token: index for index, token in enumerate(everything)}
    number = {token: index for index, token in enumerate(full)}
    result.full[at] = len(full)
    result.both[at] = position[token_of(start, n, star, star)]
    for index, token in enumerate(full):
        u, v = int(cells.low[token]), int(cells.high[token])
        with_star = [position[token_of(start, n, source, star)] for source in (u, v)]
        result.whole[(*at, index)] = position[token]
        result.starred[(*at, index)] = [*with_star, result.both[at]]
    single = [token for token in everything if cells.high[token] == star and cells.low[token] != star]
    result.stars[at] = len(single)
    for index, token in enumerate(single):
        u = int(cells.low[token])
        result.star[(*at, index)] = position[token]
        alike = int(cells.size[division, u]) if u < n else 1
        result.star_weight[(*at, index)] = alike / values
        sums: dict[int, int] = {}
        for other in range(values):
            to = number[token_of(start, n, u, other)]
            sums[to] = sums.get(to, 0) + 1
        result.means[(*at, index)] = len(sums)
        result.mean_of[(*at, index)][: len(sums)] = list(sums)
        result.mean_weight[(*at, index)][: len(sums)] = [count / values for count in sums.values()]


def stages_of(cells: Cells, inactive: Sequence[int], division: int, ending: int) -> Stages:
    """The stages of a segment with these inactive nodes, ascending, and this division."""
    order = list(reversed(inactive))
    starts, come_starts, sizes = [0], [0], []
    divisions, reads, writes, comes = [], [], [], []
    lost = np.zeros(0, dtype=np.int32)
    before: tuple[Ints, Ints] | None = None
    for stage, node in enumerate(order):
        # The node goes behind those already processed, whose order stays: so memory is read sequentially.
        rest = inactive[: len(inactive) - stage - 1]
        sequence = [*rest, *order[: stage + 1]]
        stars = [0] * len(rest) + [1] * stage + [0]
        nodes, flags = np.array(sequence, dtype=np.int64), np.array(stars, dtype=np.int64)
        size = int(count_sequences(cells, nodes, flags)[0][0, division])
        sizes.append(size)
        if before is None:
            comes.append(np.zeros(0, dtype=np.int32))
        else:
            comes.append(_come(cells, nodes, flags, division, size, before))
        come_starts.append(come_starts[-1] + comes[-1].size)
        prefixes = int(count_sequences(cells, nodes[:-1], flags[:-1])[0][0, division])
        tokens = np.zeros((prefixes, len(sequence) - 1), dtype=np.uint8)
        after = np.zeros(prefixes, dtype=np.uint8)
        sequences(cells, nodes[:-1], flags[:-1], division, prefixes, tokens, after)
        starts.append(starts[-1] + prefixes)
        divisions.append(after)
        reads.append(_running(cells.choices[0, node][after]))
        writes.append(_running(cells.choices[1, node][after]))
        flags_after = flags.copy()
        flags_after[-1] = 1
        before = (nodes, flags_after)
        if stage == len(order) - 1:
            lost = _patterns(cells, tokens)
    return Stages(
        np.array(order, dtype=np.int64),
        np.array(starts, dtype=np.int64),
        np.concatenate(divisions) if divisions else np.zeros(0, dtype=np.uint8),
        np.concatenate(reads) if reads else np.zeros(0, dtype=np.int32),
        np.concatenate(writes) if writes else np.zeros(0, dtype=np.int32),
        lost,
        np.array(come_starts, dtype=np.int64),
        np.concatenate(comes) if comes else np.zeros(0, dtype=np.int32),
        np.array(sizes, dtype=np.int64),
        _chances(cells.inputs, tuple(order), ending),
    )


def _running(counts: Ints) -> Places:
    return (np.cumsum(counts) - counts).astype(np.int32)


def _patterns(cells: Cells, tokens: Bytes) -> Places:
    """The number of stars in each node of the sequences, as digits in base three, the first node first."""
    star = cells.inputs + cells.nodes
    number = ((cells.high == star).astype(np.int32) + (cells.low == star)).astype(np.int32)
    total = np.zeros(len(tokens), dtype=np.int32)
    for column in range(tokens.shape[1]):
        total = 3 * total + number[tokens[:, column]]
    return total


@lru_cache(maxsize=4096)
def _chances(inputs: int, nodes: tuple[int, ...], ending: int) -> Floats:
    """p(R) for every pattern of stars, by the death process, where R is any one set with this pattern."""
    values = [inputs + node for node in nodes]
    kappas = [count / (count - 1) if count > 1 else 0.0 for count in values]
    length = len(nodes)
    visits = np.zeros(3**length)
    result = np.zeros(3**length)
    visits[0] = 1.0
    for pattern in range(3**length):  # ascending, because a loss only raises a digit
        digits = [pattern // 3 ** (length - 1 - node) % 3 for node in range(length)]
        rates = [(2 - lost) * kappa for lost, kappa in zip(digits, kappas, strict=True)]
        total = ending + sum(rates)
        ways = 2 ** sum(lost == 1 for lost in digits)
        result[pattern] = visits[pattern] * ending / total / ways
        for node, rate in enumerate(rates):
            if rate > 0:
                visits[pattern + 3 ** (length - 1 - node)] += visits[pattern] * rate / total
    return result


def _come(
    cells: Cells, nodes: Ints, stars: Ints, division: int, size: int, before: tuple[Ints, Ints]
) -> Places:
    """For every sequence in the new order of nodes, its place in the order before."""
    tokens = np.zeros((size, nodes.size), dtype=np.uint8)
    after = np.zeros(size, dtype=np.uint8)
    sequences(cells, nodes, stars, division, size, tokens, after)
    offset = count_sequences(cells, *before)[1]
    result = np.zeros(size, dtype=np.int32)
    where = np.array([nodes.tolist().index(node) for node in before[0].tolist()], dtype=np.int64)

    def rows(part: slice) -> None:
        _rank_again(cells, tokens[part], where, division, offset, result[part])

    on_threads(rows, size)
    return result


@kernel
def _rank_again(
    cells: Cells, tokens: Bytes, where: Ints, division: int, offset: Ints, result: Places
) -> None:
    label = np.zeros(max(cells.inputs, 1), dtype=np.int64)
    holder = np.zeros(max(cells.inputs, 1), dtype=np.int64)
    for row in range(tokens.shape[0]):
        for i in range(cells.inputs):
            label[i] = i
            holder[i] = i
        at = np.int64(division)
        total = np.int64(0)
        for step in range(where.size):
            old = tokens[row, where[step]]
            token = take(cells, at, cells.low[old], cells.high[old], label, holder)
            total += offset[step, at, token]
            at = cells.split[at, token]
        result[row] = total


def scratch_size(stages: Stages) -> int:
    """The size of the array `scratch` that `mix_blocks` needs if threads share a block; else 0."""
    return sum(_scratch_halves(stages)) if stages.sizes.size and stages.sizes[0] > ALONE else 0


def _scratch_halves(stages: Stages) -> tuple[int, int]:
    """The most places after odd and after even stages; stages use the two halves of `scratch` in turn."""
    odd, even = (stages.sizes[first::2] for first in (1, 2))
    return int(odd.max(initial=0)), int(even.max(initial=0))


def mix_blocks(tables: Locals, stages: Stages, values: Floats, scratch: Floats) -> None:
    """Apply G to values in place; they have a row per block and a column for each of its inactive parts."""
    if not stages.nodes.size:
        return
    if values.shape[1] > ALONE:
        for row in values:
            _mix_large(tables, stages, row, scratch)
        return
    few = max(1, ALONE // values.shape[1])
    on_threads(lambda rows: _mix_rows(tables, stages, values[rows]), len(values), alone=few)


def _mix_large(tables: Locals, stages: Stages, row: Floats, scratch: Floats) -> None:
    """Apply G to one block, each stage shared by threads."""
    last = stages.nodes.size - 1
    begins = (0, _scratch_halves(stages)[0])
    levels = [row]
    for stage, size in enumerate(stages.sizes[1:].tolist()):
        levels.append(scratch[begins[stage % 2] : begins[stage % 2] + size])

    def shared(stage: int, work: Callable[..., None], *arrays: Floats) -> None:
        first, count = int(stages.starts[stage]), int(stages.starts[stage + 1] - stages.starts[stage])

        def prefixes(part: slice) -> None:
            work(tables, stages, stage, first + part.start, first + part.stop, *arrays)

        on_threads(prefixes, count, alone=1000)

    for stage in range(last):
        shared(stage, _up, levels[stage], levels[stage + 1])
    shared(last, _turn, levels[last])
    for stage in reversed(range(last)):
        shared(stage, _down, levels[stage], levels[stage + 1])


@kernel
def _mix_rows(tables: Locals, stages: Stages, values: Floats) -> None:
    last = stages.nodes.size - 1
    most = 0
    for stage in range(stages.nodes.size):
        most += stages.sizes[stage]
    scratch = np.empty(most)
    for row in range(values.shape[0]):
        at = 0
        before = values[row]
        for stage in range(last):
            after = scratch[at : at + stages.sizes[stage + 1]]
            _up(tables, stages, stage, stages.starts[stage], stages.starts[stage + 1], before, after)
            at += stages.sizes[stage + 1]
            before = after
        _turn(tables, stages, last, stages.starts[last], stages.starts[last + 1], before)
        for stage in range(last - 1, -1, -1):
            at -= stages.sizes[stage + 1]
            after = scratch[at : at + stages.sizes[stage + 1]]
            before = values[row] if stage == 0 else scratch[at - stages.sizes[stage] : at]
            _down(tables, stages, stage, stages.starts[stage], stages.starts[stage + 1], before, after)


@inlined
def _stored_at(stages: Stages, stage: int, index: int) -> int:
    """Where the index-th value of a stage is stored."""
    if stage == 0:
        return index
    return int(stages.come[stages.come_starts[stage] + index])


@kernel
def _up(
    tables: Locals, stages: Stages, stage: int, first: int, last: int, before: Floats, after: Floats
) -> None:
    """Compute means over the stage's node, for some prefixes."""
    node = stages.nodes[stage]
    scratch = np.empty(tables.whole.shape[2])
    for prefix in range(first, last):
        c = stages.division[prefix]
        read, write = stages.read[prefix], stages.write[prefix]
        for i in range(tables.full[node, c]):
            value = before[_stored_at(stages, stage, read + i)]
            scratch[i] = value
            after[write + tables.whole[node, c, i]] = value
        both = 0.0
        for s in range(tables.stars[node, c]):
            total = 0.0
            for k in range(tables.means[node, c, s]):
                total += tables.mean_weight[node, c, s, k] * scratch[tables.mean_of[node, c, s, k]]
            after[write + tables.star[node, c, s]] = total
            both += tables.star_weight[node, c, s] * total
        after[write + tables.both[node, c]] = both


@kernel
def _down(
    tables: Locals, stages: Stages, stage: int, first: int, last: int, before: Floats, after: Floats
) -> None:
    """Sum over what may be kept of the stage's node, for some prefixes."""
    node = stages.nodes[stage]
    for prefix in range(first, last):
        c = stages.division[prefix]
        read, write = stages.read[prefix], stages.write[prefix]
        for i in range(tables.full[node, c]):
            total = after[write + tables.whole[node, c, i]]
            for k in range(3):
                total += after[write + tables.starred[node, c, i, k]]
            before[_stored_at(stages, stage, read + i)] = total


@kernel
def _turn(tables: Locals, stages: Stages, stage: int, first: int, last: int, before: Floats) -> None:
    """Process the last stage up and down, and multiply by the chances in between."""
    node = stages.nodes[stage]
    scratch = np.empty(tables.whole.shape[2])
    ones = np.empty(tables.whole.shape[2] + tables.star.shape[2] + 1)
    for prefix in range(first, last):
        c = stages.division[prefix]
        read = stages.read[prefix]
        pattern = 3 * stages.lost[prefix - stages.starts[stage]]
        keep_both, keep_one = stages.chance[pattern], stages.chance[pattern + 1]
        for i in range(tables.full[node, c]):
            scratch[i] = before[_stored_at(stages, stage, read + i)]
        both = 0.0
        for s in range(tables.stars[node, c]):
            total = 0.0
            for k in range(tables.means[node, c, s]):
                total += tables.mean_weight[node, c, s, k] * scratch[tables.mean_of[node, c, s, k]]
            ones[tables.star[node, c, s]] = keep_one * total
            both += tables.star_weight[node, c, s] * total
        both *= stages.chance[pattern + 2]
        for i in range(tables.full[node, c]):
            total = keep_both * scratch[i] + both
            for k in range(2):
                total += ones[tables.starred[node, c, i, k]]
            before[_stored_at(stages, stage, read + i)] = total
