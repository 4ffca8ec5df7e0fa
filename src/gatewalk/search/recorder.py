"""Records a run of Cartesian GP, with every gene that its mutations pick.

It is the same run that `evolve` makes. Kernels do the search. For a generation that is to be recorded, the
literal twin makes the same generation from the same random stream, pick by pick; if the two disagreed, that
would be a bug. So recording needs no kernels of its own, and works for every mutation and evaluation. An
improvement is only known after it has happened: the walk then returns to a point before it, and that part is
made once more, generation by generation.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from gatewalk.cgp import walk as walks
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.cgp_reference import rules_of
from gatewalk.search.cgp_search import restored, shape_of
from gatewalk.search.recording import Frame, Genes, Recording, active_part, changes
from gatewalk.search.sampling import training_of_run
from gatewalk.search.session import Session, advance, begin, result
from gatewalk.search.settings import Settings
from gatewalk.search.triggers import Triggers

MOST_SOURCES = 10_000  # the most inputs, nodes and outputs of a program that a page can show
MOST_PICKS = 400_000  # after so many picks only improvements and powers of two are recorded
MOST_PICKS_EACH = 20_000  # the most picks of a generation
SLICE_SECONDS = 0.1
_FIRST_SLICE = 64


class _Seen(NamedTuple):
    """A generation that the twin made too, and the parent before and after it."""

    frame: Frame
    before: Genes
    after: Genes


@dataclass(eq=False)
class Recorder:
    """A recording under way.

    asked: the triggers given. triggers: those still in force; fewer once `MOST_PICKS` are recorded.
    walk: the search, by kernels. judge: a second walk, which evaluates offspring for the twin.
    rules: the twin's setting. start, start_fitness: the first parent.
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
    judge: walks.Walk
    rules: twin.Setting
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


def check_recordable(settings: Settings) -> None:
    """Raise `InputError` for runs without picks to record, and for programs too large for a page."""
    law = settings.law
    if settings.algorithm != "cgp" or not isinstance(law, CgpLaw):
        raise InputError(f"only Cartesian GP can be watched, not {settings.algorithm}: use --algorithm cgp")
    if law.waiting != "walked":
        raise InputError("a watched run makes every offspring: use --option waiting=walked, not drawn")
    if settings.evaluation == "reference":
        raise InputError(
            "a watched run is made by kernels: leave out --evaluation reference, the run is the same"
        )
    shape = shape_of(settings)
    name, _, strength = (settings.mutation or "sam").partition(":")
    each = {"sam": 1.0, "point": 1.0, "rate": float(shape.length)}.get(name, 1.0) * float(strength or 1)
    if each * settings.offspring > MOST_PICKS_EACH:
        raise InputError(
            f"{each * settings.offspring:,.0f} picks and more a generation are too many to watch: "
            f"use a smaller --lambda or --mutation, for at most {MOST_PICKS_EACH:,}"
        )
    size = shape.inputs + shape.nodes + shape.outputs
    if size > MOST_SOURCES:
        raise InputError(
            f"a program of {size:,} inputs, nodes and outputs is too large to watch: at most {MOST_SOURCES:,}"
        )


def begin_recording(
    settings: Settings, *, seed: int = 0, run: int = 0, triggers: Triggers | None = None
) -> Recorder:
    """The recording of a run, before its first iteration."""
    check_recordable(settings)
    session = begin(settings, seed=seed, run=run)
    walk = session.walk
    if not isinstance(walk, walks.Walk):
        raise TypeError("not a walk of Cartesian GP")
    judge = restored(settings, training_of_run(settings, seed=seed, run=run), walks.saved(walk))
    first = walk.program.copy()
    when = triggers or Triggers()
    pending: deque[_Seen] = deque(maxlen=when.around if when.improvements else 0)
    return Recorder(
        session, when, when, walk, judge, rules_of(walk.task), first, walk.fitness, first.copy(), pending
    )


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


def record(settings: Settings, *, seed: int = 0, run: int = 0, triggers: Triggers | None = None) -> Recording:
    """Make a whole run and record it.

    Parameters
    ----------
    settings
        What to search for, and how; made by `gatewalk.settings`.
    seed, run
        The seed and the number of the run, as in `evolve`: it is the same run.
    triggers
        Which iterations become frames.

    Examples
    --------
    >>> import gatewalk as gw
    >>> found = record(gw.settings("and:3", nodes=4), seed=1)
    >>> found.frames[-1].offspring == found.run.iterations
    True
    """
    recorder = begin_recording(settings, seed=seed, run=run, triggers=triggers)
    while not recorder.finished:
        advance_recording(recorder)
    return recording_of(recorder)


def _follow(recorder: Recorder) -> None:
    """Make one generation by the kernel and by the twin, and record it if a trigger says so."""
    walk, session, triggers = recorder.walk, recorder.session, recorder.triggers
    before, fitness = walk.program.copy(), walk.fitness
    step = twin.Step(before.tolist(), fitness, walk.offspring, walk.steps)
    stream = Stream(walk.course.stream.tolist())
    twin.generation(recorder.rules, step, stream, session.limit, lambda _, y: _fitness(recorder, y))
    advance(session, 1)
    after = walk.program.copy()
    if step.x != after.tolist() or stream.words != walk.course.stream.tolist():
        raise RuntimeError(f"kernel and twin disagree in iteration {walk.offspring}")
    frame = Frame(walk.offspring, (), tuple(step.made), step.chosen, fitness)
    seen = _Seen(frame, before, after)
    if triggers.improvements and step.fitness < fitness:
        recorder.near = walk.offspring + triggers.around * session.settings.offspring
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
    shape = shape_of(recorder.session.settings)
    return active_part(shape, seen.before) != active_part(shape, seen.after)


def _leap(recorder: Recorder) -> None:
    """Make generations by the kernel alone, up to the next that must be recorded.

    If one of them improved, return to a point before it; the improvement is then followed by the twin too.
    """
    walk, session, triggers = recorder.walk, recorder.session, recorder.triggers
    generation = session.settings.offspring
    due = triggers.next_due(walk.offspring)
    until = min(session.limit, walk.offspring + recorder.slice * generation)
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
    walks.rewind(recorder.judge, arrays)
    return recorder.judge.fitness


def _store(recorder: Recorder, seen: _Seen) -> None:
    recorder.frames.append(replace(seen.frame, jump=changes(recorder.shown, seen.before)))
    recorder.shown, recorder.earlier = seen.after, None
    recorder.picks += sum(len(one.picks) for one in seen.frame.made)
    if recorder.full is None and recorder.picks >= MOST_PICKS:
        recorder.full = recorder.near = seen.frame.offspring
        recorder.triggers = replace(recorder.triggers, first=0, neutral=0, around=0, every=0)
        recorder.pending = deque(maxlen=0)
