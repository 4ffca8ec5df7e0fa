"""Wires between two layers as horizontal and vertical lines: channel routing.

Each wire leaves its place to the right, climbs on a vertical *trunk* and continues to the right. Trunks
that would overlap stand on different tracks. Where a wire leaves the left side at the height at which
another one arrives on the right, its trunk must stand further left; if such demands are circular, a
wire changes track half way (a dogleg). Hashimoto and Stevens, "Wire routing by optimizing channel
assignment within large apertures", 1971; Deutsch, "A dogleg channel router", 1976. Within these
demands trunks are ordered so that wires cross little.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

NEAR = 6.0  # lines closer than this look like one
_MOST_MOVED = 50  # with more trunks in a channel, improving it is slow, and the picture unreadable anyway


@dataclass(frozen=True, eq=False)
class Net:
    """A wire through a channel: the height at which it leaves the left side, and those at which it arrives.

    number: of the wire.
    part: 0, or 1 for the part of a wire after a dogleg, which begins on a trunk and not at the side.
    """

    number: int
    left: float
    rights: tuple[float, ...]
    part: int = 0

    @cached_property
    def top(self) -> float:
        return min(self.left, *self.rights)

    @cached_property
    def bottom(self) -> float:
        return max(self.left, *self.rights)


@dataclass(frozen=True)
class Channel:
    """The nets with the track of their trunks, from the left; a straight net has none."""

    tracks: dict[Net, int]
    straight: tuple[Net, ...]

    @property
    def width(self) -> int:
        """The number of tracks."""
        return 1 + max(self.tracks.values(), default=-1)


def route(nets: Sequence[Net]) -> Channel:
    """Tracks for the trunks of all nets; every net must arrive somewhere."""
    straight = tuple(net for net in nets if net.top == net.bottom)
    climbing = [net for net in nets if net.top != net.bottom]
    heights = [y for net in nets for y in (net.left, *net.rights)]
    order = _without_circles(climbing, heights)
    if len(order) <= _MOST_MOVED:
        order = _fewer_crossings(order)
    tracks: dict[Net, int] = {}
    for net in order:
        tracks[net] = 1 + max((tracks[other] for other in tracks if _touch(net, other)), default=-1)
    return Channel(tracks, straight)


def _touch(one: Net, other: Net) -> bool:
    """Whether the trunks of both would overlap on one track, or look as if they did."""
    return one.top < other.bottom + NEAR and other.top < one.bottom + NEAR


def _must_precede(one: Net, other: Net) -> bool:
    """Whether the trunk of one must stand left of the other's, since their lines would overlap otherwise."""
    if one.number == other.number:
        return one.part < other.part
    return any(abs(one.left - right) < NEAR for right in other.rights)


def _without_circles(nets: list[Net], heights: list[float]) -> list[Net]:
    """The nets in an order that meets all demands; where that is impossible, nets are cut in two."""
    unplaced, order = list(nets), list[Net]()
    before = _demanded(unplaced)
    while unplaced:
        done = set(order)
        free = [net for net in unplaced if before[net] <= done]
        if free:
            order += free
            unplaced = [net for net in unplaced if net not in set(free)]
            continue
        whole = [net for net in unplaced if _is_whole(net, unplaced)]
        if not whole:  # lines are so crowded that cutting more wires does not help
            order += unplaced
            break
        cut = min(whole, key=lambda net: len(before[net] - done))
        halfway = _free_height(cut, heights)
        heights.append(halfway)
        unplaced.remove(cut)
        unplaced += [replace(cut, rights=(halfway,)), replace(cut, left=halfway, part=1)]
        before = _demanded(order + unplaced)
    return order


def _demanded(nets: list[Net]) -> dict[Net, set[Net]]:
    """For each net, the nets whose trunks must stand left of its own."""
    by_left = sorted(nets, key=lambda net: net.left)
    lefts = [net.left for net in by_left]
    before: dict[Net, set[Net]] = {}
    for net in nets:
        found = set[Net]()
        for right in net.rights:
            found.update(by_left[bisect_right(lefts, right - NEAR) : bisect_left(lefts, right + NEAR)])
        before[net] = {other for other in found if _must_precede(other, net)}
    for net in nets:
        if net.part:
            before[net].update(other for other in nets if other.number == net.number and not other.part)
    return before


def _is_whole(net: Net, nets: list[Net]) -> bool:
    return net.part == 0 and not any(other.number == net.number and other.part for other in nets)


def _free_height(net: Net, heights: list[float]) -> float:
    """A height near the middle of a net at which no line of the channel runs."""
    middle = (net.top + net.bottom) / 2
    steps = (middle + sign * step for step in range(10_000) for sign in (1, -1))
    return next(y for y in steps if all(abs(y - other) >= NEAR for other in heights))


def _fewer_crossings(order: list[Net]) -> list[Net]:
    """Move nets within the order as long as that saves crossings and meets all demands."""
    order = list(order)
    count = len(order)
    saved = {
        (one, other): _crossings(one, other) - _crossings(other, one)
        for one in order
        for other in order
        if one is not other
    }
    for _ in range(count):
        improved = False
        for net in list(order):
            improved |= _move(order, net, saved)
        if not improved:
            break
    return order


def _move(order: list[Net], net: Net, saved: dict[tuple[Net, Net], int]) -> bool:
    """Move a net to where it crosses least; returns whether it was moved."""
    at = order.index(net)
    best, place = 0, at
    for step in (-1, 1):
        gain, j = 0, at + step
        while 0 <= j < len(order):
            first, second = (order[j], net) if step < 0 else (net, order[j])
            if _must_precede(first, second):
                break
            gain += saved[first, second]
            if gain > best:
                best, place = gain, j
            j += step
    order.insert(place, order.pop(at))
    return place != at


def _crossings(one: Net, other: Net) -> int:
    """How often two nets cross if the trunk of one stands left of the other's."""
    entering = one.top < other.left < one.bottom
    return entering + sum(other.top < right < other.bottom for right in one.rights)
