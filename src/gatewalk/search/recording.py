"""A recorded run: its frames, and the programs that they stand for; `recorder` makes it.

A frame holds changes, not programs: the parents of all frames follow from the first parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape, active_genes
from gatewalk.reference.cgp import Offspring, Pick
from gatewalk.search.run import Run
from gatewalk.search.triggers import Triggers

Genes = NDArray[np.int32]


@dataclass(frozen=True)
class Frame:
    """A recorded generation; or, without offspring, the state at the end of the recording.

    offspring: the number of offspring made in the run up to the end of the generation.
    jump: the genes, with their values, that changed in the parent since the frame before, in generations that
        were not recorded.
    made: the offspring of this generation.
    chosen: which of them became the parent; None if none did.
    before: the fitness of the parent that they were made from.
    """

    offspring: int
    jump: tuple[Pick, ...]
    made: tuple[Offspring, ...]
    chosen: int | None
    before: int

    @property
    def fitness(self) -> int:
        """The fitness of the parent after the generation."""
        return self.before if self.chosen is None else self.made[self.chosen].fitness


@dataclass(frozen=True, eq=False)
class Recording:
    """A run and its frames.

    run: the result, as it stood when the recording ended.
    triggers: which iterations were to be recorded.
    start, start_fitness: the first parent.
    finished: whether the run is over.
    full: the iteration from which on only improvements and powers of two were recorded, to keep the
        recording small; None if there is none.
    """

    run: Run
    triggers: Triggers
    start: Genes
    start_fitness: int
    frames: tuple[Frame, ...]
    finished: bool
    full: int | None = None


def parents(recording: Recording) -> Iterator[tuple[Genes, Genes]]:
    """For each frame, the parent before and after the generation."""
    genes = recording.start.copy()
    for frame in recording.frames:
        _write(genes, frame.jump)
        before = genes.copy()
        if frame.chosen is not None:
            _write(genes, frame.made[frame.chosen].picks)
        yield before, genes.copy()


def with_frames(recording: Recording, places: Iterable[int]) -> Recording:
    """The recording with the frames at these indices only, in their order."""
    kept = set(places)
    shown = recording.start
    frames = []
    for place, (frame, (before, after)) in enumerate(zip(recording.frames, parents(recording), strict=True)):
        if place in kept:
            frames.append(replace(frame, jump=changes(shown, before)))
            shown = after
    return replace(recording, frames=tuple(frames))


def active_part(shape: Shape, genes: Genes) -> list[int]:
    """The genes of a program, with -1 for those that have no effect."""
    wide = genes.astype(np.int64)
    found: list[int] = np.where(active_genes(shape, wide), wide, -1).tolist()
    return found


def changes(old: Genes, new: Genes) -> tuple[Pick, ...]:
    """The genes in which two programs differ, with the values of the second."""
    return tuple((gene, int(new[gene])) for gene in np.flatnonzero(old != new).tolist())


def _write(genes: Genes, picks: Iterable[Pick]) -> None:
    for gene, value in picks:
        genes[gene] = value
