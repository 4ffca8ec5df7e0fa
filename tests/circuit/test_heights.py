"""Heights keep order and distance, lie on the grid, and leave wires as straight as they can be."""

import random
from itertools import pairwise

import pytest

from gatewalk.circuit import heights as module
from gatewalk.circuit.heights import Pull, heights


def drawn(seed):
    generator = random.Random(seed)
    layers = [[(i, j) for j in range(generator.randint(1, 6))] for i in range(6)]
    space = {place: generator.choice([12.0, 36.0, 44.0]) for layer in layers for place in layer}
    pulls = [
        Pull(generator.choice(one), generator.choice(other), generator.choice([-8.0, 0.0, 8.0]), 1.0)
        for one, other in pairwise(layers)
        for _ in range(5)
    ]
    return layers, space, pulls


def climbs(y, pulls):
    return sum(abs(y[start] - y[end] - offset) for start, end, offset, _ in pulls)


@pytest.mark.parametrize("most", [5000, 0], ids=["programme", "sweeps"])
@pytest.mark.parametrize("seed", range(20))
def test_order_and_distance_are_kept(seed, most, monkeypatch):
    monkeypatch.setattr(module, "MOST_PLACES", most)
    layers, space, pulls = drawn(seed)
    y = heights(layers, space, pulls, grid=4.0)
    for layer in layers:
        for above, below in pairwise(layer):
            assert y[below] - y[above] >= (space[above] + space[below]) / 2
    assert min(y[place] - space[place] / 2 for place in y) == 0
    assert len({at % 4.0 for at in y.values()}) == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_programme_is_never_beaten_by_the_sweeps(seed, monkeypatch):
    layers, space, pulls = drawn(seed)
    best = climbs(heights(layers, space, pulls, grid=4.0), pulls)
    monkeypatch.setattr(module, "MOST_PLACES", 0)
    swept = climbs(heights(layers, space, pulls, grid=4.0), pulls)
    assert best <= swept
    middles = {
        place: at
        for layer in layers
        for place, at in zip(layer, module._stacked([space[p] for p in layer]), strict=True)
    }
    assert best <= climbs(middles, pulls)


@pytest.mark.parametrize("most", [5000, 0], ids=["programme", "sweeps"])
def test_what_can_be_straight_is(most, monkeypatch):
    monkeypatch.setattr(module, "MOST_PLACES", most)
    layers = [["a", "b"], ["c", "d"], ["e", "f"]]
    pulls = [
        Pull("a", "c", 8.0, 1.0),
        Pull("c", "e", 0.0, 1.0),
        Pull("b", "d", -8.0, 1.0),
        Pull("d", "f", 0.0, 1.0),
    ]
    y = heights(layers, dict.fromkeys("abcdef", 44.0), pulls, grid=4.0)
    assert (y["a"], y["c"]) == (y["c"] + 8, y["e"])
    assert (y["b"], y["d"]) == (y["d"] - 8, y["f"])


def test_nothing_and_one():
    assert heights([], {}, [], grid=4.0) == {}
    assert heights([["a"], ["b"]], {"a": 12.0, "b": 12.0}, [Pull("a", "b", 0.0, 1.0)], grid=4.0) == {
        "a": 6,
        "b": 6,
    }
