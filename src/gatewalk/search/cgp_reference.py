"""`--evaluation reference` for Cartesian GP: the same search, by the literal twin instead of kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import TrainingSet, counted
from gatewalk.cgp.engines import Task, training_of
from gatewalk.reference import cgp as twin
from gatewalk.reference import waiting
from gatewalk.reference.stream import Stream
from gatewalk.search import cgp_waiting, reference_walk
from gatewalk.search.algorithms import Arrays
from gatewalk.search.cgp_search import check_programs, circuit, gates, task_of, wanted
from gatewalk.search.reference_walk import ReferenceWalk, advance
from gatewalk.search.seeds import kernel_state, sequence
from gatewalk.search.settings import Settings
from gatewalk.search.start import start_genes

__all__ = ["advance", "check_programs", "circuit", "gates", "restored", "saved", "start", "wanted"]


def rules_without_rows(task: Task) -> twin.Rules:
    """The twin's `Rules` for a task, without training rows, for callers that compute fitness themselves."""
    shape = task.shape
    name, _, strength = task.mutation.partition(":")
    return twin.Rules(
        Nin=shape.inputs,
        Nout=shape.outputs,
        Nfunc=shape.nodes,
        functions=shape.gates.gates,
        k=shape.arity,
        training=(),
        strict=task.strict,
        mutation=name,
        strength=float(strength or 0),
        offspring=task.offspring,
        sam_ends=task.law.sam_ends,
        waiting=task.law.waiting,
        ties=task.law.ties,
        starts=task.law.starts,
        levels_back=shape.levels_back,
        levels_over=shape.levels_over,
        rows=shape.rows,
    )


def rules_of(task: Task) -> twin.Rules:
    """The twin's `Rules` for a task, with its training rows."""
    training = training_of(task)
    inputs = np.array([unpack(words, training.rows) for words in training.inputs], dtype=int).T
    wanted = unpack(training.outputs, training.rows).T.astype(int).astype(object)
    wanted[~unpack(counted(training), training.rows).T] = None
    rows = [
        (tuple(row), tuple(outputs)) for row, outputs in zip(inputs.tolist(), wanted.tolist(), strict=True)
    ]
    return replace(rules_without_rows(task), training=rows)


def start(
    settings: Settings,
    training: TrainingSet | None,
    *,
    seed: int,
    cell: int,
    run: int,
    after: object = None,
) -> ReferenceWalk:
    """Begin a walk, see `Algorithm.start`."""
    rules = rules_of(task_of(settings, training))
    source = Stream(kernel_state(sequence(seed, cell, run)).tolist())
    x = start_genes(settings.start)
    walk = _walk(rules, source, next(twin.cgp(rules, source, x=x, limit=0)))
    walk.improvements.append((0, walk.fitness))
    return walk


def saved(walk: ReferenceWalk) -> Arrays:
    """The arrays from which `restored` continues, the same as those of a kernel's walk."""
    arrays = reference_walk.saved(walk)
    step = walk.step
    if isinstance(step, twin.Step) and walk.draws_waiting:
        undrawn = np.zeros(walk.program.size + 1, dtype=np.int64)
        for ending, count in step.undrawn.items():
            undrawn[ending] = count
        kept = [step.iterations, step.picks, step.until_candidate, step.skipped]
        arrays["counters"], arrays["undrawn"] = np.array(kept, dtype=np.int64), undrawn
    return arrays


def restored(settings: Settings, training: TrainingSet | None, arrays: Arrays) -> ReferenceWalk:
    """The walk that `saved` gave these arrays of."""
    rules = rules_of(task_of(settings, training))
    x, counters = arrays["program"].tolist(), arrays["counters"].tolist()
    step = twin.Step(x, twin.fitness(rules, x), counters[0], counters[1])
    stream = Stream(arrays["stream"].tolist())
    if rules.waiting == "drawn":
        # Called for its checks: it raises InputError for counters that no search can have.
        cgp_waiting.restored(replace(settings, evaluation="auto"), training, arrays)
        _, step.picks, step.until_candidate, step.skipped = counters
        step.undrawn = {e: count for e, count in enumerate(arrays["undrawn"].tolist()) if count}
        step.elementary_steps = waiting.elementary_steps(rules, step, stream)
    return _walk(rules, stream, step)


def _walk(rules: twin.Rules, stream: Stream, step: twin.Step) -> ReferenceWalk:
    draws_waiting = rules.waiting == "drawn"
    turn = waiting.to_candidate if draws_waiting else twin.generation

    def generation(limit: int) -> twin.Step:
        return turn(rules, step, stream, limit)

    return ReferenceWalk(stream, step, generation, lambda: list(step.x), draws_waiting=draws_waiting)
