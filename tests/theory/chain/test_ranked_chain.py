"""The chain of ranked classes: its segments cover all classes, level by level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gatewalk.search.settings import settings
from gatewalk.theory.chain.ranked_chain import chain_of
from gatewalk.theory.chain.sam_search import exact


@pytest.mark.parametrize(
    ("name", "nodes", "options"),
    [
        ("and:3", 3, {}),
        ("or:4", 3, {"selection": "strict"}),
        ("xor:3", 3, {}),
        ("and:2", 4, {"options": {"ties": "coin"}}),
    ],
)
def test_levels_and_classes_are_those_of_the_other_solver(
    name: str, nodes: int, options: dict[str, Any]
) -> None:
    found = chain_of(settings(name, nodes=nodes, **options))
    known = exact(name, nodes=nodes, **options).chain
    assert found.levels == known.levels
    assert found.count == known.classes
    assert found.tie == known.tie
    sizes = np.zeros(len(found.levels), dtype=np.int64)
    for segment in found.segments:
        sizes[segment.level] += segment.classes.stop - segment.classes.start
    assert sizes.tolist() == np.diff(known.level_start).tolist()


def test_segments_lie_side_by_side_best_level_first() -> None:
    found = chain_of(settings("and:4", nodes=4))
    ends = [0]
    for segment in found.segments:
        assert segment.classes.start == ends[-1]
        ends.append(segment.classes.stop)
    assert ends[-1] == found.count
    assert [segment.level for segment in found.segments] == sorted(
        segment.level for segment in found.segments
    )
    unsolved = found.classes.level >= 0
    assert (found.classes.base[unsolved] >= 0).all()
    assert (found.classes.base[~unsolved] == -1).all()
