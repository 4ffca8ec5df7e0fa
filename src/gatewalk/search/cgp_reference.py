"""`--evaluation reference`: the same search with the literal twin in place of the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.engines import Task, training_of
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.algorithms import Arrays
from gatewalk.search.cgp_search import circuit, gates, task_of, wanted
from gatewalk.search.settings import Settings
from gatewalk.search.start import start_genes

__all__ = ["advance", "circuit", "gates", "restored", "saved", "start", "wanted"]


@dataclass(eq=False)
class ReferenceWalk:
    """The twin's search under way."""

    setting: twin.Setting
    stream: Stream
    step: twin.Step
    improvements: list[tuple[int, int]] = field(default_factory=list)
    evaluation: str = "reference"

    @property
    def offspring(self) -> int:
        return self.step.iterations

    @property
    def steps(self) -> int:
        return self.step.elementary_steps

    @property
    def solved(self) -> bool:
        return self.step.fitness == 0

    @property
    def fitness(self) -> int:
        return self.step.fitness

    @property
    def program(self) -> NDArray[np.int32]:
        return np.array(self.step.x, dtype=np.int32)


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
    walk = ReferenceWalk(setting, source, next(twin.cgp(setting, source, x=x, limit=0)))
    walk.improvements.append((0, walk.fitness))
    return walk


def advance(walk: ReferenceWalk, limit: int) -> None:
    """Walk until solved or until `limit` offspring in all."""
    while not walk.solved and walk.offspring < limit:
        before = walk.fitness
        twin.generation(walk.setting, walk.step, walk.stream, limit)
        if walk.fitness < before:
            walk.improvements.append((walk.offspring, walk.fitness))


def saved(walk: ReferenceWalk) -> Arrays:
    """What must be kept to go on later, as a kernel's walk keeps it."""
    counters = np.zeros(8, dtype=np.int64)
    counters[:3] = walk.offspring, walk.steps, walk.fitness
    return {
        "genes": np.array(walk.step.x, dtype=np.int64),
        "stream": np.array(walk.stream.words, dtype=np.uint64),
        "counters": counters,
    }


def restored(settings: Settings, training: TrainingSet | None, arrays: Arrays) -> ReferenceWalk:
    """Go on with a saved walk."""
    setting = setting_of(task_of(settings, training))
    x = arrays["genes"].tolist()
    step = twin.Step(x, twin.fitness(setting, x), int(arrays["counters"][0]), int(arrays["counters"][1]))
    return ReferenceWalk(setting, Stream(arrays["stream"].tolist()), step)
