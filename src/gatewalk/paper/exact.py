"""Exact expected running times of the Xor experiment, from the Markov chain, where it is small enough."""

from __future__ import annotations

from gatewalk.paper.experiments import Cells


def exclusive_times(cells: Cells) -> dict[tuple[str, int], float]:
    """By (model, n)."""
    return {}
