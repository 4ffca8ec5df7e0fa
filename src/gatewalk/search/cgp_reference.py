"""`--evaluation reference`: the same search with the literal twin in place of the kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.core import EAGER, OFFSPRING, SKIPPED, STEPS, WAITING
from gatewalk.cgp.engines import Task, training_of
from gatewalk.reference import cgp as twin
from gatewalk.reference import lean, waiting
from gatewalk.reference.stream import Stream
from gatewalk.search.algorithms import Arrays
from gatewalk.search.cgp_search import circuit, gates, task_of, wanted
from gatewalk.search.reference_walk import ReferenceWalk, advance
from gatewalk.search.settings import Settings
from gatewalk.search.start import start_genes

__all__ = ["advance", "again", "circuit", "gates", "restored", "saved", "start", "wanted"]


def setting_of(task: Task) -> twin.Setting:
    """A task in the twin's words."""
    training = training_of(task)
    inputs = np.array([unpack(words, training.rows) for words in training.inputs], dtype=int).T
    wanted = np.array([unpack(words, training.rows) for words in training.outputs], dtype=int).T
    shape = task.shape
    return twin.Setting(
        Nin=shape.inputs,
        Nout=shape.outputs,
        Nfunc=shape.nodes,
        functions=shape.gates.gates,
        k=shape.arity,
        training=[
            (tuple(row), tuple(outputs))
            for row, outputs in zip(inputs.tolist(), wanted.tolist(), strict=True)
        ],
        strict=task.strict,
        mutation=task.mutation.name,
        strength=task.mutation.strength,
        offspring=task.offspring,
        sam_ends=task.law.sam_ends,
        sam_stream=task.law.sam_stream,
        ties=task.law.ties,
        starts=task.law.starts,
        levels_back=shape.levels_back,
        levels_over=shape.levels_over,
        rows=shape.rows,
    )


def start(settings: Settings, training: TrainingSet | None, stream: NDArray[np.uint64]) -> ReferenceWalk:
    """Begin a walk."""
    setting = setting_of(task_of(settings, training))
    source = Stream(stream.tolist())
    x = start_genes(settings.start)
    walk = _walk(setting, source, next(twin.cgp(setting, source, x=x, limit=0)))
    walk.improvements.append((0, walk.fitness))
    return walk


def again(settings: Settings, ended: ReferenceWalk, stream: NDArray[np.uint64]) -> ReferenceWalk:
    """Begin another walk with the settings of one that has ended: a twin keeps no memory to use again."""
    return start(settings, None, stream)


def saved(walk: ReferenceWalk) -> Arrays:
    """What must be kept to go on later, as a kernel's walk keeps it."""
    genes = np.array(walk.numbers(), dtype=np.int64)
    arrays: Arrays = {"genes": genes, "stream": walk.stream_words, "counters": walk.counters(8)}
    step = walk.step
    if isinstance(step, twin.Step) and (step.picks or step.undrawn or step.skipped or step.waiting):
        undrawn = np.zeros(genes.size + 1, dtype=np.int64)
        for ending, count in step.undrawn.items():
            undrawn[ending] = count
        arrays["counters"][[STEPS, EAGER]] = step.picks, step.accepted
        arrays["counters"][[WAITING, SKIPPED]] = step.waiting, step.skipped
        arrays["undrawn"] = undrawn
    return arrays


def restored(settings: Settings, training: TrainingSet | None, arrays: Arrays) -> ReferenceWalk:
    """Go on with a saved walk."""
    setting = setting_of(task_of(settings, training))
    x, counters = arrays["genes"].tolist(), arrays["counters"].tolist()
    step = twin.Step(x, twin.fitness(setting, x), counters[OFFSPRING], counters[STEPS])
    stream = Stream(arrays["stream"].tolist())
    if setting.sam_stream == "lean":
        step.picks, step.accepted = counters[STEPS], bool(counters[EAGER])
        step.waiting, step.skipped = counters[WAITING], counters[SKIPPED]
        undrawn = arrays.get("undrawn", np.zeros(0)).tolist()  # not kept before the first iteration
        step.undrawn = {e: count for e, count in enumerate(undrawn) if count}
        step.elementary_steps = _elementary_steps(setting, step, stream)
    return _walk(setting, stream, step)


def _elementary_steps(setting: twin.Setting, step: twin.Step, stream: Stream) -> int:
    if setting.strict:
        return waiting.elementary_steps(setting, step, stream)
    return lean.elementary_steps(setting, step, stream)


def _walk(setting: twin.Setting, stream: Stream, step: twin.Step) -> ReferenceWalk:
    def generation(limit: int) -> twin.Step:
        if setting.sam_stream == "lean" and setting.strict:
            return waiting.to_candidate(setting, step, stream, limit)
        if setting.sam_stream == "lean":
            return lean.iteration(setting, step, stream)
        return twin.generation(setting, step, stream, limit)

    return ReferenceWalk(stream, step, generation, lambda: list(step.x))
