"""The law of the (1+1) CGP: every choice that changes the distribution of a run, and the two profiles.

`PAPER` is Algorithms 1-3 of Dang, Kalkreuth and Opris (2026) to the letter. `TINYVERSE` is how
the experiments published with it really behaved. Each difference is a field of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gatewalk.errors import whole_number


@dataclass(frozen=True, kw_only=True)
class CgpLaw:
    """Options of the search law; the defaults are the paper's.

    sam_ends: SAM's loop ends when a gene of an active node has a "changed" value
        (Algorithm 3), or as soon as one is "picked", changed or not.
    waiting: how a search under strict selection, with SAM and one offspring, comes to its next parent.
        "walked": every offspring is made. "drawn": those that cannot be fitter are skipped, and how many
        there are is drawn at random. The distribution of a run is the same; the run of a given seed is not
        (`gatewalk.cgp.waiting`).
    ties: under non-strict selection an equally fit offspring is always accepted
        ("accept"), or the parent is uniform among the best ("coin").
    starts: the search starts from the best of this many uniform programs (among equals a
        uniform one if selection is non-strict, the first if it is strict).
    uncounted: iterations reported are max(0, T - uncounted), where T offspring were evaluated.
    levels_back: how far back a connection reaches; None is unlimited, "nodes" is D.
    levels_over: what levels_back counts: "sources" (inputs and nodes alike: block b reaches
        [max(0, n+b-L), n+b-1]) or "columns" (the original CGP: columns of nodes, with the
        inputs always in reach).
    rows: rows of the grid; a node reads only from columns before its own.
    """

    sam_ends: Literal["changed", "picked"] = "changed"
    waiting: Literal["walked", "drawn"] = "walked"
    ties: Literal["accept", "coin"] = "accept"
    starts: int = 1
    uncounted: int = 0
    levels_back: int | Literal["nodes"] | None = None
    levels_over: Literal["sources", "columns"] = "columns"
    rows: int = 1

    def __post_init__(self) -> None:
        whole_number("option starts", self.starts, least=1)
        whole_number("option uncounted", self.uncounted, least=0)
        whole_number("option rows", self.rows, least=1)


PAPER = CgpLaw()
TINYVERSE = CgpLaw(
    sam_ends="picked",
    ties="coin",
    starts=2,
    uncounted=1,
    levels_back="nodes",
    levels_over="sources",
)
PROFILES = {"paper": PAPER, "tinyverse": TINYVERSE}
