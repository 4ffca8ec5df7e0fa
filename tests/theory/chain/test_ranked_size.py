"""Which searches have ranked classes, and how many classes there are."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain.ranked_chain import chain_of
from gatewalk.theory.chain.ranked_size import (
    STRICT_BYTES,
    about_classes,
    check_ranked_size,
    is_ranked,
    ranked_bytes,
    ranked_classes,
)


def test_numbers_of_classes() -> None:
    # One node of six inputs reads {a, a} or {a, b}, and the output is the node, a, b or another input.
    assert ranked_classes(shape_of(settings("and:6", nodes=1))) == 6
    assert ranked_classes(shape_of(settings("and:6", nodes=5))) == 1_960_694
    assert chain_of(settings("and:6", nodes=5)).count == 1_960_678


def test_what_is_not_ranked() -> None:
    others: list[dict[str, Any]] = [
        {"profile": "tinyverse"},
        {"gates": "and,or"},
        {"gates": "nimply"},
        {"offspring": 2},
        {"mutation": "point:1"},
        {"training": "sample:4"},
        {"options": {"uncounted": 2}},
        {"options": {"levels_back": 1}},
        {"options": {"rows": 2}},
    ]
    for options in others:
        assert not is_ranked(settings("and:3", nodes=4, **options))
    assert not is_ranked(settings("table:2:0x2", nodes=2, gates="and"))
    assert is_ranked(settings("xor:3", nodes=4))


def test_an_estimate_is_of_the_right_size() -> None:
    for nodes in (3, 4, 5):
        search = settings("and:5", nodes=nodes)
        assert 0.3 < about_classes(search) / ranked_classes(shape_of(search)) < 3


def test_memory_is_asked_for_by_the_class() -> None:
    search = settings("and:4", nodes=4)
    shape = shape_of(search)
    strict, loose = (ranked_bytes(shape, ties=ties) for ties in (False, True))
    assert ranked_classes(shape) * STRICT_BYTES <= strict < loose
    check_ranked_size(search, memory=2 * loose)
    with pytest.raises(InputError, match="too many for --memory"):
        check_ranked_size(search, memory=strict // 2)
