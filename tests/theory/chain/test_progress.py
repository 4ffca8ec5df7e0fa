"""Phases of a computation share one progress bar."""

from __future__ import annotations

from gatewalk.theory.chain.progress import part_of


def test_a_phase_reports_its_part_of_the_whole() -> None:
    told: list[tuple[str, float]] = []
    first = part_of(lambda what, done: told.append((what, done)), 0.0, 0.25)
    assert first is not None
    second = part_of(first, 0.5, 1.0)  # a phase of a phase
    assert second is not None
    first("moves", 0.5)
    second("mean", 0.0)
    second("mean", 1.0)
    assert told == [("moves", 0.125), ("mean", 0.125), ("mean", 0.25)]


def test_without_a_listener_there_is_none_for_a_phase() -> None:
    assert part_of(None, 0.0, 1.0) is None
