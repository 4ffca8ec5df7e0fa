"""Two searches that must have come to the same point."""

from __future__ import annotations

from gatewalk.search.session import Session


def check_equal(fast: Session, slow: Session) -> None:
    """The same program by the same history; the settings are named if not."""
    assert fast.walk.program.tolist() == slow.walk.program.tolist(), fast.settings
    assert fast.walk.fitness == slow.walk.fitness, fast.settings
    assert fast.walk.offspring == slow.walk.offspring, fast.settings
    assert fast.improvements == slow.improvements, fast.settings
    assert fast.walk.steps == slow.walk.steps, fast.settings
