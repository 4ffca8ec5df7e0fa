import pytest

from gatewalk.report.thinning import is_improvement, thinned
from gatewalk.search.recorder import record
from gatewalk.search.recording import Recording, parents
from gatewalk.search.settings import settings


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record(settings("and:9", nodes=18), seed=3)


def test_what_is_small_enough_stays_as_it_is(recording: Recording) -> None:
    assert thinned(recording, lambda one: True) is recording


@pytest.mark.parametrize("most", [60, 20, 10])
def test_improvements_and_the_end_stay_and_programs_are_the_same(recording: Recording, most: int) -> None:
    found = thinned(recording, lambda one: len(one.frames) <= most)
    assert most / 3 <= len(found.frames) <= most
    times = {frame.offspring for frame in found.frames}
    assert {frame.offspring for frame in recording.frames if is_improvement(frame)} <= times
    assert recording.frames[-1].offspring in times
    programs = {
        frame.offspring: after.tolist()
        for frame, (_, after) in zip(recording.frames, parents(recording), strict=True)
    }
    for frame, (_, after) in zip(found.frames, parents(found), strict=True):
        assert after.tolist() == programs[frame.offspring]


def test_improvements_go_last(recording: Recording) -> None:
    improvements = sum(map(is_improvement, recording.frames))
    assert improvements > 3
    found = thinned(recording, lambda one: len(one.frames) < improvements)
    assert 1 <= len(found.frames) < improvements
    assert found.frames[-1].offspring == recording.frames[-1].offspring


def test_what_cannot_be_small_enough_ends(recording: Recording) -> None:
    assert len(thinned(recording, lambda one: False).frames) <= 2
