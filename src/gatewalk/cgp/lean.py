"""SAM without waste: draws that cannot matter are not made; the law of a run stays as it is.

In Algorithm 3 every pick ends the loop with the same probability, whatever else was picked. So the
gene that ends it is uniform among the active ones, and independent of how many picks came before it
and of what these changed. `sam_stream="lean"` draws the active change first, directly. What the
picks before it changed is inactive in the parent: it is drawn, by the literal loop, only if it can
matter: before the evaluation if a connection of the changed node now leads to an inactive node,
after it if the offspring is accepted. A rejected offspring takes its inactive changes with it. How many
picks it took is not drawn either: of r offspring whose parent has e genes that end the loop, of m, it is
r and a negative binomial number, drawn when someone asks (`elementary_steps`).

Where it does not pay, the loop is walked as it is written: if the last offspring was accepted, since this
one may well be; if one pick in RARE or more ends it; and always in programs of up to SMALL sources. A few
picks, which the processor makes ahead, are done sooner than one that depends on the parent.

With a single gate, gate genes cannot change; they are not drawn at all where a changed gene is asked
for, which makes the picks among all genes another negative binomial number. Active genes are counted
by kind (gate, first connection, ...), then by node, the outputs last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout
from gatewalk.jit import inlined, part_by_types

RARE = np.uint64(8)
ALWAYS = np.uint64(1 << 32)
SMALL = 63
F = TypeVar("F", bound=Callable[..., object])


class Lean(NamedTuple):
    """kinds: as many entries as genes of a node are drawn from; none: the literal stream, all genes.
    (A length is a constant to the compiler.) fixed: if lean, has some gene drawn from one valid value only?
    picked: does picking an active gene end SAM, or only changing it (`CgpLaw.sam_ends`)? rare: the loop is
    walked if at least one pick in so many ends it.
    """

    kinds: tuple[int, ...]
    fixed: bool
    picked: bool
    rare: np.uint64


def lean_of(law: CgpLaw, layout: Layout) -> Lean:
    """How SAM draws under a law."""
    picked = law.sam_ends == "picked"
    rare = ALWAYS if layout.inputs + layout.nodes <= SMALL else RARE
    if law.sam_stream == "literal":  # asked for with every run: nothing is looked up
        return Lean((), False, picked, rare)
    no_gates = not picked and len(layout.arities) == 1
    lean = Lean((0,) * (layout.block - no_gates), False, picked, rare)
    return lean._replace(fixed=bool((layout.choices[drawn_genes(lean, layout)] == 1).any()))


def drawn_genes(lean: Lean, layout: Layout) -> NDArray[np.int64]:
    """The genes that SAM draws from: all, or all but the gate genes."""
    genes = np.arange(layout.owner.size)
    left_out = layout.block - len(lean.kinds) if lean.kinds else 0
    is_node = genes < layout.nodes * layout.block
    return genes[~is_node | (genes % layout.block >= left_out)]


def elementary_steps(
    picks: int, undrawn: NDArray[np.int64], lean: Lean, layout: Layout, stream: NDArray[np.uint64]
) -> int:
    """Elementary steps of a run that drew so many picks, and did not draw those of undrawn[e] offspring.

    The random source is seeded by the state that the stream has come to, which stays as it is.
    """
    if not lean.kinds:
        return picks
    source = np.random.RandomState(stream.view(np.uint32))  # its numbers never change between versions
    drawn, genes = drawn_genes(lean, layout).size, layout.owner.size
    picks += int(undrawn.sum())
    for ending in np.flatnonzero(undrawn[:drawn]):
        picks += int(source.negative_binomial(undrawn[ending], ending / drawn))
    return picks + int(source.negative_binomial(picks, drawn / genes) if picks and drawn < genes else 0)


def _leans_in(kinds: Iterable[Any]) -> Iterator[Any]:
    """The types of all `Lean` among types of arguments and of their entries."""
    for kind in kinds:
        if getattr(kind, "instance_class", None) is Lean:
            yield kind
        else:
            yield from _leans_in(getattr(kind, "types", ()))


def by_stream(literal: F, drawn: F) -> F:
    """One of two functions, by the `Lean` in their arguments."""

    def choose(kinds: tuple[Any, ...]) -> F:
        lean = next(_leans_in(kinds))
        return drawn if len(lean.types[0]) > 0 else literal

    return cast(F, part_by_types(choose))


@inlined
def kind_and_rank(kinds: np.uint64, choice: np.uint64, nodes: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Which of so many kinds of gene, of which of so many active nodes, the choice stands for.

    Without branches, which the processor could not guess.
    """
    kind = np.uint64(0)
    for border in range(np.uint64(1), kinds):
        kind += np.uint64(choice >= np.uint64(border) * nodes)
    return kind, choice - kind * nodes


@inlined
def is_short(lean: Lean, drawn: np.uint64, active: np.uint64) -> bool:
    """Is SAM's loop short, with so many genes drawn from and so many of them active?"""
    return bool(drawn <= lean.rare * active)
