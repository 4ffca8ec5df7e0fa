"""A twin's search behind the functions of a walk: it advances to a limit and logs improvements."""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.reference.stream import Stream
from gatewalk.search.reference_walk import ReferenceWalk, advance, saved


@dataclass
class Count:
    """A search that improves with every third offspring."""

    fitness: int = 4
    iterations: int = 0
    elementary_steps: int = 0


def counting() -> ReferenceWalk:
    step = Count()

    def generation(limit: int) -> None:
        assert step.iterations < limit
        step.iterations += 1
        step.elementary_steps += 2
        step.fitness = 4 - step.iterations // 3

    return ReferenceWalk(Stream([1, 2, 3, 4]), step, generation, lambda: [step.fitness, 9])


def test_it_stops_at_the_limit_and_when_solved() -> None:
    walk = counting()
    advance(walk, 7)
    assert (walk.offspring, walk.steps, walk.fitness, walk.solved) == (7, 14, 2, False)
    assert walk.improvements == [(3, 3), (6, 2)]
    advance(walk, 1000)
    assert (walk.offspring, walk.solved) == (12, True)


def test_what_is_saved() -> None:
    walk = counting()
    advance(walk, 4)
    arrays = {name: array.tolist() for name, array in saved(walk).items()}
    assert arrays == {"program": [3, 9], "stream": [1, 2, 3, 4], "counters": [4, 8]}
