"""Settings are resolved from what was written, else from the target's defaults; bad ones are one line."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.boolean.targets import defaults
from gatewalk.circuit.own_target import target
from gatewalk.errors import InputError
from gatewalk.search.resolving import (
    LARGEST_SAMPLE_BYTES,
    count_of,
    resolve_gate_names,
    resolve_law,
    resolve_mutation,
    resolve_nodes,
    resolve_target_name,
    resolve_training,
    training_rows,
)

SO_FAR: dict[str, Any] = {
    "target": "and:8",
    "algorithm": "cgp",
    "profile": "paper",
    "nodes": 16,
    "gates": ("and",),
}


def test_what_is_not_written_comes_from_the_target() -> None:
    assert resolve_nodes(None, SO_FAR) == defaults(target("and:8")).nodes == 16
    assert resolve_gate_names(None, SO_FAR) == ("and",)
    assert count_of("budget", "budget", least=0)(None, SO_FAR) == 1_000_000


def test_what_is_written_wins() -> None:
    assert resolve_nodes("3n+1", SO_FAR) == 25
    assert resolve_gate_names("and,or", SO_FAR) == ("and", "or")
    assert resolve_target_name("and:8", {}) == "and:8"
    assert count_of("budget", "budget", least=0)(7, SO_FAR) == 7
    assert resolve_law({"ties": "coin"}, SO_FAR).ties == "coin"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("written", "resolved"),
    [
        ("sam", "sam"),
        ("rate:5e-2", "rate:0.05"),
        ("rate:1%", "rate:0.01"),
        ("point:10%", "point:5"),  # of 16 nodes with a function and two connections each, and an output: 49
        ("point:0.1%", "point:1"),
    ],
)
def test_mutations_are_written_in_one_way(written: str, resolved: str) -> None:
    assert resolve_mutation(written, SO_FAR) == resolved


@pytest.mark.parametrize(("text", "rows"), [("complete", None), ("sample", 15), ("sample:7", 7)])
def test_rows_of_a_training_set(text: str, rows: int | None) -> None:
    assert training_rows(text, target("and:8")) == rows
    assert resolve_training(text, SO_FAR) == text


@pytest.mark.parametrize("text", ["", "all", "sample:", "sample:0", "sample:-3", "sample:x", "complete:5"])
def test_an_unknown_training_set_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="use complete, sample or sample:ROWS"):
        training_rows(text, target("and:8"))


def test_a_sample_that_does_not_fit_into_memory_is_refused() -> None:
    fits = LARGEST_SAMPLE_BYTES * 8 // 9
    assert training_rows(f"sample:{fits}", target("and:8")) == fits
    with pytest.raises(InputError, match="GiB of memory: use fewer"):
        training_rows(f"sample:{fits + 100}", target("and:8"))


def test_a_count_below_the_least_is_refused() -> None:
    with pytest.raises(InputError, match="offspring"):
        count_of("offspring", "offspring", least=1)(0, SO_FAR)
