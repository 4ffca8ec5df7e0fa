"""The scenes of a short animation of a run: which moments are shown, and for how long.

The first offspring are shown pick by pick, to explain what a mutation does. After that only accepted moves
are shown, neutral ones briefly and improvements longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gatewalk.bigint import short
from gatewalk.boolean.gates import Gate
from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.report.replay_words import many, mismatches
from gatewalk.report.thinning import is_improvement
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.recording import Frame, Genes, Recording, parents

MOST_SCENES = 72
_IN_DETAIL = 3  # offspring that are shown pick by pick
_MOST_PICKS = 6  # shown of one such offspring
START, PICK, WORTH, SELECTED, NEUTRAL, IMPROVED, END = 1400, 700, 900, 900, 350, 1100, 3000  # milliseconds


@dataclass(frozen=True, eq=False)
class Scene:
    """A program as it is shown. frame: how many frames of the recording have begun.

    lit: active nodes. picked: a gene, or -1. changed: genes that differ from the parent. outcome: improved,
    neutral or rejected; None before the selection.
    """

    frame: int
    genes: Genes
    lit: tuple[bool, ...]
    picked: int
    changed: frozenset[int]
    outcome: str | None
    words: str
    milliseconds: int


def outcome_of(frame: Frame) -> str | None:
    """What became of the offspring of a frame: improved, neutral or rejected; None if there are none."""
    if not frame.made:
        return None
    if frame.chosen is None:
        return "rejected"
    return "improved" if is_improvement(frame) else "neutral"


def scenes_of(recording: Recording, *, most: int = MOST_SCENES) -> list[Scene]:
    """At most `most` scenes of a recording, always with the first and the last.

    Examples
    --------
    >>> from gatewalk.search.recorder import record
    >>> from gatewalk.search.settings import settings
    >>> scenes = scenes_of(record(settings("and:4"), seed=1))
    >>> scenes[-1].words.split(":")[0]
    'solved'
    """
    shape = shape_of(recording.run.settings)
    states = list(parents(recording))
    start = recording.start
    words = f"start: {mismatches(recording.start_fitness)}"
    scenes = [Scene(0, start, _lit(shape, start), -1, frozenset(), None, words, START)]
    for place, (before, _) in enumerate(states[:_IN_DETAIL]):
        scenes += _in_detail(shape, recording.frames[place], before, place + 1)
    for place in _accepted(recording, MOST_SCENES - len(scenes) - 1):
        scenes.append(_selected(shape, recording.frames[place], *states[place], place + 1))
    last = states[-1][1] if states else start
    words = f"{'solved' if recording.run.solved else 'the end'}: {_end(recording)}"
    scenes.append(Scene(len(states), last, _lit(shape, last), -1, frozenset(), None, words, END))
    return scenes if len(scenes) <= most else [scenes[place] for place in _spread(len(scenes), max(2, most))]


def _end(recording: Recording) -> str:
    run = recording.run
    gates = many(run.gates, "gate") if run.solved else f"{mismatches(run.fitness)} left"
    return f"{gates} after {many(run.iterations, 'iteration')}"


def _accepted(recording: Recording, most: int) -> list[int]:
    """Indices of the frames with an accepted offspring; if there are too many, improvements come first."""
    places = [
        place
        for place, frame in enumerate(recording.frames)
        if place >= _IN_DETAIL and frame.chosen is not None
    ]
    better = [place for place in places if is_improvement(recording.frames[place])]
    if len(better) >= most:
        return [better[place] for place in _spread(len(better), most)]
    neutral = [place for place in places if not is_improvement(recording.frames[place])]
    most_neutral = min(len(neutral), most - len(better))
    return sorted([*better, *(neutral[place] for place in _spread(len(neutral), most_neutral))])


def _spread(count: int, chosen: int) -> list[int]:
    """Some of `count` indices at about equal distances, with the first and the last among them."""
    return np.linspace(0, count - 1, chosen).astype(int).tolist() if chosen else []


def _in_detail(shape: Shape, frame: Frame, before: Genes, number: int) -> list[Scene]:
    """The scenes of a frame in detail: the picks of its first offspring, its fitness, and the selection."""
    if not frame.made:
        return []
    scenes = []
    genes = before.copy()
    lit = _lit(shape, before)
    offspring = frame.made[0]
    iteration = frame.offspring - len(frame.made) + 1
    for count, (gene, value) in enumerate(offspring.picks, start=1):
        genes[gene] = value
        if count <= _MOST_PICKS - 1 or count == len(offspring.picks):
            words = f"iteration {iteration:,}, pick {count}: {gene_words(shape, gene)}"
            changed = _changed(before, genes)
            scenes.append(Scene(number, genes.copy(), lit, gene, changed, None, words, PICK))
    words = f"iteration {iteration:,}: the offspring has {mismatches(offspring.fitness)}"
    scenes.append(
        Scene(number, genes.copy(), _lit(shape, genes), -1, _changed(before, genes), None, words, WORTH)
    )
    after = before.copy()
    for gene, value in [] if frame.chosen is None else frame.made[frame.chosen].picks:
        after[gene] = value
    return [*scenes, _selected(shape, frame, before, after, number, SELECTED)]


def _selected(
    shape: Shape, frame: Frame, before: Genes, after: Genes, number: int, least: int = NEUTRAL
) -> Scene:
    outcome = outcome_of(frame)
    moved = {
        "improved": f"improved, {short(frame.before)} → {mismatches(frame.fitness)}",
        "neutral": f"neutral move, still {mismatches(frame.fitness)}",
        "rejected": f"rejected, still {mismatches(frame.fitness)}",
        None: "",
    }[outcome]
    return Scene(
        number,
        after,
        _lit(shape, after),
        -1,
        _changed(before, after),
        outcome,
        f"iteration {frame.offspring:,}: {moved}",
        IMPROVED if outcome == "improved" else least,
    )


def gene_words(shape: Shape, gene: int) -> str:
    """Where a gene is, such as "node 9, input 2"."""
    if gene >= shape.nodes * shape.block:
        return f"output {gene - shape.nodes * shape.block + 1}"
    argument = gene % shape.block
    node = shape.inputs + gene // shape.block
    return f"node {node}, {f'input {argument}' if argument else 'gate'}"


def gate_of(shape: Shape, genes: Genes, node: int) -> Gate:
    """The gate of a node."""
    return shape.gates.gates[int(genes[node * shape.block])]


def _lit(shape: Shape, genes: Genes) -> tuple[bool, ...]:
    return tuple(active_nodes(shape, genes.astype(np.int64)).tolist())


def _changed(before: Genes, after: Genes) -> frozenset[int]:
    return frozenset(np.flatnonzero(before != after).tolist())
