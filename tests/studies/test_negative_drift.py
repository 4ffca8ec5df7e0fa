"""Theorem 11's conditions from numbers."""

import pytest

from gatewalk.errors import InputError
from gatewalk_studies.flat.negative_drift import conditions


def walk(up):
    return {1: up, -1: 1 - up}


def test_walk_away_from_the_target_meets_the_conditions():
    positions = range(1001)
    seen = conditions(
        a=0, b=1000, drift=dict.fromkeys(positions, 0.2), steps={x: walk(0.6) for x in positions}, delta=1.0
    )
    assert seen.hold
    assert seen.scale == pytest.approx(2.0)  # Pr(|step| >= 1) = 1 <= r / 2
    assert seen.exponent == pytest.approx(500)


def test_one_position_of_wrong_drift_breaks_the_first():
    seen = conditions(a=0, b=10, drift={1: 0.3, 5: -0.01}, steps={1: walk(0.6)})
    assert not seen.drift_holds
    assert not seen.hold


def test_only_the_interval_counts():
    seen = conditions(a=2, b=200, drift={1: -1.0, 50: 0.5, 300: -1.0}, steps={1: {-9: 1.0}, 50: {0: 1.0}})
    assert seen.drift == 0.5
    assert seen.scale == 1.0


def test_long_steps_break_the_second():
    seen = conditions(a=0, b=20, drift={5: 0.5}, steps={5: {10: 0.5, -9: 0.5}})
    assert not seen.steps_hold


def test_empty_intervals_are_refused():
    with pytest.raises(InputError, match="empty"):
        conditions(a=1, b=1, drift={1: 1.0}, steps={})
    with pytest.raises(InputError, match="no drift"):
        conditions(a=1, b=2, drift={5: 1.0}, steps={})
    with pytest.raises(InputError, match="delta"):
        conditions(a=1, b=2, drift={1.5: 1.0}, steps={}, delta=0)
