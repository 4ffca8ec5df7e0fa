"""How large chains would be: estimates against chains that were built, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain.markov_chain import frame_of
from gatewalk.theory.chain.sam_search import exact
from gatewalk.theory.chain.size_check import axis_size, check_size, estimated_bytes, estimated_classes


@pytest.mark.parametrize(
    ("gates", "lump"), [("and", True), ("and", False), ("nimply,ncimply,or", True), ("not", True)]
)
def test_axis_sizes_are_foretold(gates: str, lump: bool) -> None:
    shape = shape_of(settings("and:3", nodes=3, gates=gates))
    training = complete(target("and:3"))
    frame = frame_of(shape, training, lump=lump)
    assert [len(axis) for axis in frame.axes] == [axis_size(shape, node, swaps=lump) for node in range(3)]


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("and:40", {}, "genotypes"),
        ("and:6", {"nodes": 12}, "up to 5 nodes are possible"),
        ("and:3", {"nodes": 40, "gates": "and,or,nand,nor,xor"}, "nodes are possible"),
        ("and:3", {"nodes": 3, "gates": "maj"}, "at most 2 inputs"),
        ("and:3", {"nodes": 3, "training": "sample"}, "complete"),
    ],
)
def test_refused_before_memory_is_taken(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        exact(name, **options)


@pytest.mark.parametrize(("name", "nodes", "symmetries"), [("and:3", 3, 6), ("and:2", 3, 2), ("xor:3", 3, 6)])
def test_the_estimate_of_classes_is_close(name: str, nodes: int, symmetries: int) -> None:
    found = exact(name, nodes=nodes)
    about = estimated_classes(shape_of(settings(name, nodes=nodes)), symmetries)
    assert 0.5 < about / found.chain.classes < 2


def test_more_nodes_take_more_memory_and_a_smaller_limit_refuses_more() -> None:
    needed = [estimated_bytes(shape_of(settings("and:4", nodes=nodes)), 24) for nodes in (2, 3, 4)]
    assert needed == sorted(needed)
    check_size(settings("and:4", nodes=4), memory=2 * needed[-1])
    with pytest.raises(InputError, match="up to 3 nodes are possible"):
        check_size(settings("and:4", nodes=4), memory=needed[-1] - 1)
