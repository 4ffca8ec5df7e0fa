"""A seeded search that can be advanced in slices, saved, and continued to the identical end."""

from __future__ import annotations

import io
import json
import time
import zipfile
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import TrainingSet, generalisation_ability, sample
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import InputError, whole_number
from gatewalk.search.algorithms import Walk, algorithm_of
from gatewalk.search.run import Run
from gatewalk.search.seeds import cell_number, kernel_state, sequence, word_sources
from gatewalk.search.settings import Settings, law_text, training_rows

_FORMAT = "gatewalk-session-1"


@dataclass(eq=False)
class Session:
    """A search under way; `limit` is the number of offspring that its budget allows.

    seconds: spent on it, without those in which kernels were compiled or loaded.
    """

    settings: Settings
    seed: int
    run: int
    walk: Walk
    validation: TrainingSet | None
    limit: int
    seconds: float = 0.0

    @property
    def finished(self) -> bool:
        return self.walk.solved or self.walk.offspring >= self.limit

    @property
    def iterations(self) -> int:
        """Offspring made so far, less those the law does not count."""
        return max(0, self.walk.offspring - self.settings.law.uncounted)


@lru_cache(maxsize=256)
def _cell(settings: Settings) -> int:
    return cell_number(law_text(settings))


def begin(settings: Settings, *, seed: int, run: int, after: Session | None = None) -> Session:
    """The search of run number `run`, before its first iteration.

    after: one with the same settings that nobody needs any more; its memory is used again.
    """
    whole_number("seed", seed, least=0)
    whole_number("run", run, least=0)
    algorithm = algorithm_of(settings)
    started = _now()
    source = sequence(seed, _cell(settings), run)
    training, validation = _rows(settings, source)
    if after is None or training is not None:
        walk = algorithm.start(settings, training, kernel_state(source))
    else:
        walk = algorithm.again(settings, after.walk, kernel_state(source))
    session = Session(settings, seed, run, walk, validation, settings.budget + settings.law.uncounted)
    session.seconds = _now() - started
    return session


def advance(session: Session, iterations: int | None = None) -> None:
    """Go on for about so many iterations, in whole generations, or to the end of the budget."""
    started = _now()
    limit = session.limit
    if iterations is not None:
        per_generation = session.settings.offspring
        generations = -(-max(1, iterations) // per_generation)
        limit = min(limit, session.walk.offspring + generations * per_generation)
    algorithm_of(session.settings).advance(session.walk, limit)
    session.seconds += _now() - started


def result(session: Session) -> Run:
    """The run as it stands."""
    settings, walk = session.settings, session.walk
    algorithm = algorithm_of(settings)
    program = walk.program
    generalisation = None
    if session.validation is not None:
        outputs = evaluate(algorithm.circuit(settings, program), session.validation.inputs)
        generalisation = generalisation_ability(outputs, session.validation)
    return Run(
        settings=settings,
        seed=session.seed,
        run=session.run,
        iterations=session.iterations,
        evaluations=walk.offspring + (settings.law.starts if settings.start == "random" else 1),
        elementary_steps=walk.steps,
        solved=walk.solved,
        fitness=walk.fitness,
        gates=algorithm.gates(settings, program),
        generalisation=generalisation,
        seconds=session.seconds,
        evaluation=walk.evaluation,
        program=program,
        improvements=tuple(walk.improvements),
    )


def save(session: Session) -> bytes:
    """The session as bytes that `restore` understands: an .npz file without pickles."""
    note = {
        "format": _FORMAT,
        "law": law_text(session.settings),
        "seed": session.seed,
        "run": session.run,
        "seconds": session.seconds,
        "improvements": [[offspring, hex(fitness)] for offspring, fitness in session.walk.improvements],
    }
    file = io.BytesIO()
    arrays = algorithm_of(session.settings).saved(session.walk)
    np.savez_compressed(file, allow_pickle=False, note=np.array(json.dumps(note)), **arrays)
    return file.getvalue()


def restore(settings: Settings, data: bytes) -> Session:
    """The session that was saved; its budget and evaluation may have changed since, its law not."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            note = json.loads(str(stored["note"]))
            arrays = {name: stored[name] for name in stored.files if name != "note"}
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError("these bytes are not a saved search") from error
    if note.get("format") != _FORMAT:
        raise InputError(f"a saved search of another kind: {note.get('format')}")
    if note["law"] != law_text(settings):
        raise InputError("the saved search has other settings")
    source = sequence(note["seed"], _cell(settings), note["run"])
    training, validation = _rows(settings, source)
    walk = algorithm_of(settings).restored(settings, training, arrays)
    walk.improvements[:] = [(offspring, int(fitness, 16)) for offspring, fitness in note["improvements"]]
    limit = settings.budget + settings.law.uncounted
    return Session(settings, note["seed"], note["run"], walk, validation, limit, note["seconds"])


def _now() -> float:
    """A clock that stands still while this thread waits for kernels to be compiled or loaded."""
    from gatewalk.jit import seconds_compiling

    return time.perf_counter() - seconds_compiling()


def _rows(
    settings: Settings, source: np.random.SeedSequence
) -> tuple[TrainingSet | None, TrainingSet | None]:
    """Training and validation rows of this run; None and None for the complete set."""
    if settings.training == "complete":  # before anything is looked up: short runs begin often
        return None, None
    rows = training_rows(settings.training, target(settings.target))
    if rows is None:
        return None, None
    wanted = algorithm_of(settings).wanted(settings)
    for_training, for_validation = word_sources(source)
    return sample(wanted, rows, for_training), sample(wanted, rows, for_validation)
