"""`--evaluation reference` for tree GP: the same search, by the literal twin instead of kernels."""

from __future__ import annotations

import numpy as np

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.reference import tgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.algorithms import Arrays
from gatewalk.search.reference_walk import ReferenceWalk, advance, saved
from gatewalk.search.seeds import kernel_state, sequence
from gatewalk.search.settings import Settings
from gatewalk.search.tgp_search import check_programs, circuit, gates, task_of, wanted
from gatewalk.tgp.law import widened
from gatewalk.tgp.walk import Task

__all__ = ["advance", "check_programs", "circuit", "gates", "restored", "saved", "start", "wanted"]


def rules_of(task: Task) -> twin.Rules:
    """The twin's `Rules` for a task."""
    training = task.training or complete(widened(task.target, task.law.terminals))
    inputs = np.array([unpack(words, training.rows) for words in training.inputs], dtype=int).T
    outputs = unpack(training.outputs[0], training.rows).astype(int)
    law = task.law
    return twin.Rules(
        inputs=task.terminals.inputs,
        functions=task.gates.gates,
        training=[(tuple(row), value) for row, value in zip(inputs.tolist(), outputs.tolist(), strict=True)],
        negated=task.terminals.negated,
        multi=task.multi,
        strict=task.strict,
        offspring=task.offspring,
        insert_at=law.insert_at,
        delete_at=law.delete_at,
        substitution=law.substitution,
        child_order=law.child_order,
        empty=law.empty,
        size_limit=law.size_limit,
        ties=law.ties,
        starts=law.starts,
    )


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
    walk = _walk(rules, source, next(twin.tgp(rules, source, limit=0)))
    walk.improvements.append((0, walk.fitness))
    return walk


def restored(settings: Settings, training: TrainingSet | None, arrays: Arrays) -> ReferenceWalk:
    """The walk that `saved` gave these arrays of."""
    rules = rules_of(task_of(settings, training))
    x = twin.tree_of(arrays["program"].tolist())
    step = twin.Step(x, twin.fitness(rules, x), int(arrays["counters"][0]), int(arrays["counters"][1]))
    return _walk(rules, Stream(arrays["stream"].tolist()), step)


def _walk(rules: twin.Rules, stream: Stream, step: twin.Step) -> ReferenceWalk:
    return ReferenceWalk(
        stream,
        step,
        lambda limit: twin.generation(rules, step, stream, limit),
        lambda: list(twin.program(step.x)),
    )
