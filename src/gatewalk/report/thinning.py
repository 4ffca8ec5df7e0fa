"""Leave frames out of a recording until it is small enough; improvements are kept longest."""

from __future__ import annotations

from collections.abc import Callable

from gatewalk.search.recording import Frame, Recording, with_frames


def thinned(recording: Recording, is_small: Callable[[Recording], bool]) -> Recording:
    """The recording if it is small enough; else with every second of its frames, every fourth and so on.

    The last frame stays, and improvements stay as long as something else can be left out.

    Examples
    --------
    >>> from gatewalk.search.recorder import record
    >>> from gatewalk.search.settings import settings
    >>> found = record(settings("and:5"), seed=1)
    >>> len(thinned(found, lambda one: len(one.frames) <= 10).frames) <= 10
    True
    """
    found, stride, stays = recording, 1, True
    while not is_small(found):
        if stride >= len(recording.frames):
            if not stays:
                break
            stride, stays = 1, False
        stride *= 2
        last = len(recording.frames) - 1
        found = with_frames(
            recording,
            (
                place
                for place, frame in enumerate(recording.frames)
                if place % stride == 0 or place == last or (stays and is_improvement(frame))
            ),
        )
    return found


def is_improvement(frame: Frame) -> bool:
    """Whether the parent became fitter in this frame."""
    return frame.fitness < frame.before
