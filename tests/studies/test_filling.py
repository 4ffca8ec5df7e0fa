"""The model of the last levels against all orders, one by one, in fractions."""

from fractions import Fraction
from itertools import pairwise, permutations

import pytest

from gatewalk.errors import InputError
from gatewalk_studies.traps.filling import filling


def by_orders(nodes):
    """The chance of each node to be left, and the time before, summed over all orders of becoming active.

    Nodes are named by how many come after them.
    """
    left, before = [Fraction(0)] * nodes, Fraction(0)
    for order in permutations(range(nodes)):
        chance, time = Fraction(1), Fraction(0)
        for step, node in enumerate(order[:-1]):
            rates = {w: 1 + sum(a < w for a in order[:step]) for w in order[step:]}
            chance *= Fraction(rates[node], sum(rates.values()))
            time += Fraction(1, len(rates) * sum(rates.values()))
        left[order[-1]] += chance
        before += chance * time
    return left, before


@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_sets_give_what_orders_give(nodes):
    model, (left, before) = filling(nodes), by_orders(nodes)
    assert model.left == pytest.approx([float(share) for share in left], abs=1e-14)
    assert model.before == pytest.approx(float(before), abs=1e-14)
    assert model.last_wait == pytest.approx(sum(float(share) / (r + 1) for r, share in enumerate(left)))


def test_three_nodes_by_hand():
    assert filling(3).left[0] == pytest.approx(7 / 18)


def test_the_last_node_is_left_most_often_and_the_chance_settles():
    """Each two nodes more change the chance of the last node by less than half as much as the two before."""
    shares = [filling(nodes).left for nodes in (8, 10, 12, 14)]
    assert all(list(share) == sorted(share, reverse=True) for share in shares)
    falls = [before[0] - after[0] for before, after in pairwise(shares)]
    assert all(0 < later < earlier / 2 for earlier, later in pairwise(falls))


def test_sizes_are_checked():
    with pytest.raises(InputError, match="give it 1 to 18"):
        filling(19)
    with pytest.raises(InputError, match="give it 1 to 18"):
        filling(0)
