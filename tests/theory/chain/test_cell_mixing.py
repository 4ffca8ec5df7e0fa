"""G on classes against G on the whole tensor, and the chances of what is kept."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain import cell_mixing
from gatewalk.theory.chain.cell_mixing import locals_of, mix_blocks, scratch_size, stages_of
from gatewalk.theory.chain.inactive_mixing import mixed
from gatewalk.theory.chain.input_cells import cells_of
from gatewalk.theory.chain.node_states import axes_of
from gatewalk.theory.chain.ranked_programs import sequences


def allowed(n: int, division: int) -> list[tuple[int, ...]]:
    """The exchanges of inputs within the cells of a division."""
    start = cells_of(n, 1).start[division]
    return [one for one in permutations(range(n)) if all(start[one[i]] == start[i] for i in range(n))]


@pytest.mark.parametrize("division", [0b000, 0b001, 0b010, 0b111])
@pytest.mark.parametrize("inactive", [(1,), (0, 1), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("alone", [10, 10**9])
def test_against_the_whole_tensor(
    division: int, inactive: tuple[int, ...], alone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_mixing, "ALONE", alone)
    n, nodes, ending = 4, 3, 5
    shape = shape_of(settings("and:4", nodes=nodes))
    cells = cells_of(n, nodes)
    axes = [axes_of(shape)[node] for node in inactive]
    stages = stages_of(cells, inactive, division, ending)
    ways = int(stages.sizes[0])
    tokens = np.zeros((ways, len(inactive)), dtype=np.uint8)
    after = np.zeros(ways, dtype=np.uint8)
    order = np.array(inactive, dtype=np.int64)
    sequences(cells, order, np.zeros_like(order), division, ways, tokens, after)
    values = np.random.default_rng(1).random((2, ways))
    tensor = np.full([2, *(len(axis) for axis in axes)], np.nan)
    examples = []
    for row in range(ways):
        pairs = [(int(cells.low[token]), int(cells.high[token])) for token in tokens[row]]
        for one in allowed(n, division):
            full = (*one, *range(n, n + nodes))
            place = tuple(
                int(axis.lookup[0, full[u], full[v]]) for axis, (u, v) in zip(axes, pairs, strict=True)
            )
            if not np.isnan(tensor[(0, *place)]):
                assert (tensor[(slice(None), *place)] == values[:, row]).all()
            tensor[(slice(None), *place)] = values[:, row]
        identity = tuple(int(axis.lookup[0, u, v]) for axis, (u, v) in zip(axes, pairs, strict=True))
        examples.append(identity)
    assert not np.isnan(tensor).any()
    whole = mixed(np.moveaxis(tensor, 0, -1).copy(), axes, ending)
    mix_blocks(locals_of(cells), stages, values, np.empty(scratch_size(stages)))
    for row, place in enumerate(examples):
        assert values[:, row] == pytest.approx(whole[place], rel=1e-12)


def test_chances_are_those_of_an_exponential_time() -> None:
    """By quadrature: two nodes of 3 and 4 values, the time of rate 2."""
    chances = cell_mixing._chances(3, (0, 1), 2)
    time, weight = np.polynomial.laguerre.laggauss(60)
    time, weight = time / 2, weight
    lost = [1 - np.exp(-kappa * time) for kappa in (3 / 2, 4 / 3)]
    for pattern, chance in enumerate(chances):
        first, second = divmod(pattern, 3)
        product = np.ones_like(time)
        for one, stars in zip(lost, (first, second), strict=True):
            product *= one**stars * (1 - one) ** (2 - stars)
        assert chance == pytest.approx(float(weight @ product), rel=1e-7)
    ways = [2 ** (pattern // 3 == 1) * 2 ** (pattern % 3 == 1) for pattern in range(9)]
    assert chances @ ways == pytest.approx(1.0, rel=1e-14)
