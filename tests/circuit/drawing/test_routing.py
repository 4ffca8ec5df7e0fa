"""Wires through a channel neither overlap nor miss their places, and cross no more than they must."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.circuit.drawing.routing import Net, route


def lines(channel):
    """All lines of a channel: net number, whether vertical, where, from, to; the sides are -1 and 1000."""
    drawn = [(net.number, False, net.left, -1, 1000) for net in channel.straight]
    for net, track in channel.tracks.items():
        begin = -1
        if net.part:
            begin = next(
                t for other, t in channel.tracks.items() if other.number == net.number and not other.part
            )
        parts = [other.part for other in channel.tracks if other.number == net.number]
        drawn.append((net.number, True, track, net.top, net.bottom))
        drawn.append((net.number, False, net.left, begin, track))
        if net.part == max(parts):
            drawn += [(net.number, False, y, track, 1000) for y in net.rights]
    return drawn


def overlaps(channel):
    return [
        (one, other)
        for one, other in combinations(lines(channel), 2)
        if one[0] != other[0] and one[1:3] == other[1:3] and min(one[4], other[4]) - max(one[3], other[3]) > 0
    ]


@st.composite
def nets(draw):
    """Up to eight nets, each from one height on the left to one or two on the right."""
    count = draw(st.integers(1, 8))
    heights = [8 * i for i in range(2 * count)]
    lefts, rights = draw(st.permutations(heights)), draw(st.permutations(heights))
    return [
        Net(number, lefts[number], tuple(sorted(rights[2 * number : 2 * number + draw(st.integers(1, 2))])))
        for number in range(count)
    ]


@settings(max_examples=300)
@given(nets())
def test_no_line_lies_on_another(nets):
    channel = route(nets)
    assert overlaps(channel) == []
    for net in nets:
        parts = sorted(
            (one for one in [*channel.tracks, *channel.straight] if one.number == net.number),
            key=lambda one: one.part,
        )
        assert parts[0].left == net.left
        assert parts[-1].rights == net.rights
        if len(parts) == 2:
            assert parts[0].rights == (parts[1].left,)
            assert channel.tracks[parts[0]] < channel.tracks[parts[1]]


def test_an_exchange_of_heights_takes_a_dogleg():
    channel = route([Net(0, 0, (40,)), Net(1, 40, (0,))])
    assert len(channel.tracks) == 3
    assert overlaps(channel) == []


def test_straight_wires_take_no_track():
    channel = route([Net(0, 0, (0,)), Net(1, 40, (40,))])
    assert channel.width == 0
    assert len(channel.straight) == 2


def test_trunks_that_do_not_meet_share_a_track():
    assert route([Net(0, 0, (20,)), Net(1, 60, (80,))]).width == 1
    assert route([Net(0, 0, (40,)), Net(1, 20, (80,))]).width == 2


def test_parallel_steps_do_not_cross():
    channel = route([Net(number, 20 * number, (20 * number + 100,)) for number in range(5)])
    tracks = [channel.tracks[net] for net in sorted(channel.tracks, key=lambda net: net.number)]
    assert tracks == sorted(tracks, reverse=True)
