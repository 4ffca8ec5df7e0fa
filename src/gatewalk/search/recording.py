"""Runs of Cartesian GP recorded, with every gene that their mutations pick.

A recorded run is the same run that `evolve` makes. `Triggers` say which of its iterations become frames; the
algorithm does not decide that. A frame holds changes, not programs: the parents of all frames follow from the
first parent.

Kernels do the search. For a generation that is to be recorded, the literal twin makes the same generation
from the same random stream, pick by pick; if the two disagreed, that would be a bug. So recording needs no
kernels of its own, and works for every mutation and evaluation. An improvement is only known after it has
happened: the walk then returns to a point before it, and that part is made once more, generation by
generation.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp import walk as walks
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Shape, active_genes
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.reference import cgp as twin
from gatewalk.reference.cgp import Offspring, Pick
from gatewalk.reference.stream import Stream
from gatewalk.search.options import Search
from gatewalk.search.runs import Run
from gatewalk.search.scheduler import SLICE_SECONDS
from gatewalk.search.seeds import entropy, training_of_run
from gatewalk.search.session import Session, advance, begin, result
from gatewalk.search.twins import rules_without_rows

MOST_SOURCES = 10_000  # the most inputs, nodes and outputs of a program that a page can show
MOST_PICKS = 400_000  # after so many picks only improvements and powers of two are recorded
MOST_PICKS_EACH = 20_000  # the most picks of a generation
_FIRST_SLICE = 64  # generations
Genes = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class Triggers:
    """The iterations that are recorded, besides the start and the end of a run.

    first: all of the first `first` iterations.
    neutral: among the first `neutral` iterations, those that accepted an equally fit offspring with another
        active part.
    improvements: those in which the parent became fitter.
    around: with each improvement, up to so many generations before it and as many after it.
    powers: those whose number is a power of two.
    every: those whose number is a multiple of this; 0 is none.

    >>> Triggers(first=100, every=1000).is_due(3000)
    True
    """

    first: int = 2000
    neutral: int = 4000
    improvements: bool = True
    around: int = 12
    powers: bool = True
    every: int = 0

    def __post_init__(self) -> None:
        for name in ("first", "neutral", "around", "every"):
            whole_number(f"trigger {name}", getattr(self, name), least=0)
        for name in ("improvements", "powers"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise InputError(f"trigger {name} is {shown(value)}; it must be True or False")

    @property
    def followed(self) -> int:
        """The number of first iterations that must be made one by one."""
        return max(self.first, self.neutral)

    def is_due(self, offspring: int) -> bool:
        """Whether this iteration is recorded whatever happens in it."""
        return (
            offspring <= self.first
            or (self.powers and offspring & (offspring - 1) == 0)
            or (self.every > 0 and offspring % self.every == 0)
        )

    def next_due(self, offspring: int) -> int | None:
        """The next iteration that is recorded whatever happens in it; None if there is none."""
        if offspring < self.first:
            return offspring + 1
        due = [1 << offspring.bit_length()] if self.powers else []
        if self.every:
            due.append((offspring // self.every + 1) * self.every)
        return min(due, default=None)


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
    part: list[int] = np.where(active_genes(shape, wide), wide, -1).tolist()
    return part


def changes(old: Genes, new: Genes) -> tuple[Pick, ...]:
    """The genes in which two programs differ, with the values of the second."""
    return tuple((gene, int(new[gene])) for gene in np.flatnonzero(old != new).tolist())


def _write(genes: Genes, picks: Iterable[Pick]) -> None:
    for gene, value in picks:
        genes[gene] = value


class _Seen(NamedTuple):
    """A generation that the twin made too, and the parent before and after it."""

    frame: Frame
    before: Genes
    after: Genes


@dataclass(eq=False)
class Recorder:
    """A recording under way.

    asked: the triggers given. triggers: those still in force; fewer once `MOST_PICKS` are recorded.
    walk: the search, by kernels. probe: a second walk, on which offspring of the twin are evaluated.
    rules: those of the twin. start, start_fitness: the first parent.
    shown: the parent after the last frame.
    pending: the latest generations that are not recorded, in case an improvement follows.
    near: up to this number of offspring every generation is recorded, since an improvement is or was near.
    earlier: the saved walk before the last leap, if nothing was recorded since.
    slice: the generations of a leap.
    picks: the number recorded so far.
    full: see `Recording`.
    """

    session: Session
    asked: Triggers
    triggers: Triggers
    walk: walks.Walk
    probe: walks.Walk
    rules: twin.Rules
    start: Genes
    start_fitness: int
    shown: Genes
    pending: deque[_Seen]
    near: int = 0
    earlier: walks.Arrays | None = None
    slice: int = _FIRST_SLICE
    frames: list[Frame] = field(default_factory=list)
    picks: int = 0
    full: int | None = None

    @property
    def finished(self) -> bool:
        return self.session.finished


def check_recordable(search: Search) -> None:
    """Raise `InputError` for runs without picks to record, and for programs too large for a page."""
    if not isinstance(search, CgpSearch):
        raise InputError(f"only Cartesian GP can be watched, not {search.algorithm}; use --algorithm cgp")
    if search.law.waiting != "walked":
        raise InputError("a watched run makes every offspring; use --option waiting=walked, not drawn")
    if search.evaluation == "reference":
        raise InputError(
            "a watched run is made by kernels; remove --evaluation reference, the run is the same"
        )
    shape = search.shape
    picks = search.mutation.fewest_picks(shape.length) * search.offspring
    if picks > MOST_PICKS_EACH:
        raise InputError(
            f"{picks:,.0f} picks and more a generation are too many to watch: "
            f"use a smaller --lambda or --mutation, for at most {MOST_PICKS_EACH:,}"
        )
    size = shape.inputs + shape.nodes + shape.outputs
    if size > MOST_SOURCES:
        raise InputError(
            f"a program of {size:,} inputs, nodes and outputs is too large to watch: at most {MOST_SOURCES:,}"
        )


def begin_recording(
    search: Search, *, seed: int = 0, run: int = 0, triggers: Triggers | None = None
) -> Recorder:
    """The recording of a run, before its first iteration."""
    check_recordable(search)
    assert isinstance(search, CgpSearch)
    session = begin(search, seed=seed, run=run)
    walk = session.kernel
    assert walk is not None
    training = training_of_run(search, seed=seed, run=run)
    probe = walks.start(search, training, entropy=entropy(search, seed), runs=[run])
    first = walk.program.copy()
    when = triggers or Triggers()
    pending: deque[_Seen] = deque(maxlen=when.around if when.improvements else 0)
    rules = rules_without_rows(search)
    return Recorder(session, when, when, walk, probe, rules, first, walk.fitness, first.copy(), pending)


def advance_recording(recorder: Recorder) -> None:
    """Continue the run and its recording for about a tenth of a second."""
    until = time.perf_counter() + SLICE_SECONDS
    walk, session = recorder.walk, recorder.session
    while not session.finished and time.perf_counter() < until:
        if walk.offspring < max(recorder.triggers.followed, recorder.near):
            _follow(recorder)
        else:
            _leap(recorder)


def recording_of(recorder: Recorder) -> Recording:
    """The recording so far; its last frame leads to the present program."""
    walk, frames = recorder.walk, list(recorder.frames)
    if not frames or frames[-1].offspring < walk.offspring:
        frames.append(Frame(walk.offspring, changes(recorder.shown, walk.program), (), None, walk.fitness))
    return Recording(
        result(recorder.session),
        recorder.asked,
        recorder.start,
        recorder.start_fitness,
        tuple(frames),
        recorder.finished,
        recorder.full,
    )


def record(search: Search, *, seed: int = 0, run: int = 0, triggers: Triggers | None = None) -> Recording:
    """Make a whole run, the same as `evolve` does, and record it.

    >>> import gatewalk as gw
    >>> recording = record(gw.search_for("and:3", nodes=4), seed=1)
    >>> recording.frames[-1].offspring == recording.run.iterations
    True
    """
    recorder = begin_recording(search, seed=seed, run=run, triggers=triggers)
    while not recorder.finished:
        advance_recording(recorder)
    return recording_of(recorder)


def _follow(recorder: Recorder) -> None:
    """Make one generation by the kernel and by the twin, and record it if a trigger says so."""
    walk, session, triggers = recorder.walk, recorder.session, recorder.triggers
    before, fitness = walk.program.copy(), walk.fitness
    step = twin.Step(before.tolist(), fitness, walk.offspring, walk.steps)
    stream = Stream(walk.course.stream.tolist())
    twin.generation(recorder.rules, step, stream, session.search.limit, lambda _, y: _fitness(recorder, y))
    advance(session, 1)
    after = walk.program.copy()
    if step.x != after.tolist() or stream.words != walk.course.stream.tolist():
        raise RuntimeError(f"kernel and twin disagree in iteration {walk.offspring}")
    frame = Frame(walk.offspring, (), tuple(step.made), step.chosen, fitness)
    seen = _Seen(frame, before, after)
    if triggers.improvements and step.fitness < fitness:
        recorder.near = walk.offspring + triggers.around * session.search.offspring
        while recorder.pending:
            _store(recorder, recorder.pending.popleft())
        _store(recorder, seen)
    elif walk.offspring <= recorder.near or _is_wanted(recorder, seen):
        _store(recorder, seen)
    else:
        recorder.pending.append(seen)


def _is_wanted(recorder: Recorder, seen: _Seen) -> bool:
    """Whether a trigger asks for a generation that is not an improvement."""
    triggers, frame = recorder.triggers, seen.frame
    if any(triggers.is_due(frame.offspring - number) for number in range(len(frame.made))):
        return True
    if frame.chosen is None or frame.offspring > triggers.neutral:
        return False
    shape = recorder.walk.search.shape
    return active_part(shape, seen.before) != active_part(shape, seen.after)


def _leap(recorder: Recorder) -> None:
    """Make generations by the kernel alone, up to the next that must be recorded.

    If one of them improved, return to a point before it; the improvement is then followed by the twin too.
    """
    walk, session, triggers = recorder.walk, recorder.session, recorder.triggers
    generation = session.search.offspring
    due = triggers.next_due(walk.offspring)
    until = min(session.search.limit, walk.offspring + recorder.slice * generation)
    if due is not None:
        until = min(until, (due - 1) // generation * generation)
    if until <= walk.offspring:
        _follow(recorder)
        return
    arrays, rank, seconds = walks.saved(walk), walk.rank, session.seconds
    pending = list(recorder.pending)
    recorder.pending.clear()
    advance(session, until - walk.offspring)
    if not triggers.improvements or walk.rank == rank:
        recorder.earlier = arrays
        if session.seconds - seconds < SLICE_SECONDS / 2:
            recorder.slice *= 2
        return
    start = _offspring(arrays)
    improved = next(offspring for offspring, _ in walk.improvements if offspring > start)
    before = (improved - 1) // generation * generation - triggers.around * generation
    if recorder.earlier is not None and before < start:
        arrays = recorder.earlier
    for seen in pending:
        if seen.frame.offspring > before:
            _store(recorder, seen)
    walks.rewind(walk, arrays)
    if before > walk.offspring:
        advance(session, before - walk.offspring)
    recorder.earlier, recorder.slice, recorder.near = None, _FIRST_SLICE, improved


def _offspring(arrays: walks.Arrays) -> int:
    """The offspring made so far in a saved search."""
    return int(arrays["counters"][0])


def _fitness(recorder: Recorder, genes: list[int]) -> int:
    """The number of mismatches of a program on the training rows of this run."""
    arrays: walks.Arrays = {
        "program": np.array(genes, dtype=np.int32),
        "stream": recorder.walk.course.stream,
        "counters": np.zeros(2, dtype=np.int64),
    }
    walks.rewind(recorder.probe, arrays)
    return recorder.probe.fitness


def _store(recorder: Recorder, seen: _Seen) -> None:
    recorder.frames.append(replace(seen.frame, jump=changes(recorder.shown, seen.before)))
    recorder.shown, recorder.earlier = seen.after, None
    recorder.picks += sum(len(offspring.picks) for offspring in seen.frame.made)
    if recorder.full is None and recorder.picks >= MOST_PICKS:
        recorder.full = recorder.near = seen.frame.offspring
        recorder.triggers = replace(recorder.triggers, first=0, neutral=0, around=0, every=0)
        recorder.pending = deque(maxlen=0)
