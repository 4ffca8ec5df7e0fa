"""The scenes of a short animation of a run: which moments are shown and for how long, and their pictures.

The first offspring are shown pick by pick, to explain what a mutation does. After that only accepted moves
are shown, neutral ones briefly and improvements longer. A picture has the program, as a row of nodes or as
cells if it is large, and the fitness over the whole run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, log2

import numpy as np

from gatewalk.boolean.gates import Gate
from gatewalk.cgp.drawing import SIGNS
from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.circuit.drawing.picture import Disc, Mark, Part, Picture, Step, Words, polyline, rounded_box
from gatewalk.circuit.drawing.picture import Shape as Outline
from gatewalk.numbers import counted, fitness_text
from gatewalk.report.replay import is_improvement, mismatches, search_of, title
from gatewalk.search.recording import Frame, Genes, Recording, parents

MOST_SCENES = 72
_IN_DETAIL = 3  # offspring that are shown pick by pick
_MOST_PICKS = 6  # shown of one such offspring
START, PICK, WORTH, SELECTED, NEUTRAL, IMPROVED, END = 1400, 700, 900, 900, 350, 1100, 3000  # milliseconds


@dataclass(frozen=True, eq=False)
class Scene:
    """A program as it is shown.

    frame: how many frames of the recording have begun.
    lit: which nodes are active.
    picked: a gene, or -1.
    changed: genes that differ from the parent.
    outcome: improved, neutral or rejected; None before the selection.
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

    >>> from gatewalk import search_for
    >>> from gatewalk.search.recording import record
    >>> scenes = scenes_of(record(search_for("and:4"), seed=1))
    >>> scenes[-1].words.split(":")[0]
    'solved'
    """
    shape = search_of(recording).shape
    states = list(parents(recording))
    start = recording.start
    words = f"start: {mismatches(recording.start_fitness)}"
    scenes = [Scene(0, start, _lit(shape, start), -1, frozenset(), None, words, START)]
    for index, (before, _) in enumerate(states[:_IN_DETAIL]):
        scenes += _in_detail(shape, recording.frames[index], before, index + 1)
    for index in _accepted(recording, MOST_SCENES - len(scenes) - 1):
        scenes.append(_selected(shape, recording.frames[index], *states[index], index + 1))
    last = states[-1][1] if states else start
    words = f"{'solved' if recording.run.solved else 'the end'}: {_end(recording)}"
    scenes.append(Scene(len(states), last, _lit(shape, last), -1, frozenset(), None, words, END))
    return scenes if len(scenes) <= most else [scenes[index] for index in _spread(len(scenes), max(2, most))]


def _end(recording: Recording) -> str:
    run = recording.run
    gates = counted(run.gates, "gate") if run.solved else f"{mismatches(run.fitness)} left"
    return f"{gates} after {counted(run.iterations, 'iteration')}"


def _accepted(recording: Recording, most: int) -> list[int]:
    """Indices of the frames with an accepted offspring; if there are too many, improvements come first."""
    accepted = [
        index
        for index, frame in enumerate(recording.frames)
        if index >= _IN_DETAIL and frame.chosen is not None
    ]
    better = [index for index in accepted if is_improvement(recording.frames[index])]
    if len(better) >= most:
        return [better[i] for i in _spread(len(better), most)]
    neutral = [index for index in accepted if not is_improvement(recording.frames[index])]
    most_neutral = min(len(neutral), most - len(better))
    return sorted([*better, *(neutral[i] for i in _spread(len(neutral), most_neutral))])


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
        "improved": f"improved, {fitness_text(frame.before)} → {mismatches(frame.fitness)}",
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


_ROW_MOST = 48  # the most inputs, nodes and outputs that are drawn as a row
_LEFT, _COLUMN, _RADIUS, _HIGH = 26.0, 46.0, 15.0, 80.0
_TOP = 64.0  # height of the space for the text
_LEAST_WIDTH, _CELLS_WIDTH = 640.0, 880.0
_GENE = 16.0
_CELL = 12.0
_CURVE, _RUG = 90.0, 34.0
_LINEAR_MOST = 2000  # iterations: for longer runs the axis is logarithmic


def scene_pictures(recording: Recording, scenes: Sequence[Scene]) -> list[Picture]:
    """A picture of each scene. All have the same size and the same layers of marks."""
    shape = search_of(recording).shape
    count = shape.inputs + shape.nodes + shape.outputs
    is_row = count <= _ROW_MOST
    width = max(_LEAST_WIDTH, 2 * _LEFT + _COLUMN * (count - 1)) if is_row else _CELLS_WIDTH
    across = int((width - 2 * _LEFT) // _CELL)
    high = 2 * _HIGH + 50 + _GENE * shape.block if is_row else _CELL * ceil(count / across) + 16
    curve_top = _TOP + high + 24
    height = curve_top + _CURVE + _RUG + 24
    lasting = _curve(recording, width, curve_top)
    pictures = []
    for scene in scenes:
        program = (
            _row(recording, shape, scene, _TOP + _HIGH + 20) if is_row else _cells(shape, scene, across, _TOP)
        )
        marks = [*_words(recording, scene), *lasting, *_now(recording, scene, width, curve_top), *program]
        pictures.append(Picture(width, height, tuple(Part(None, (mark,)) for mark in marks)))
    return pictures


def _words(recording: Recording, scene: Scene) -> list[Mark]:
    marks: list[Mark] = [Words("title", _LEFT - 12, 26, title(recording), anchor="start")]
    at = _LEFT - 12
    if scene.outcome is not None:
        marks.append(Disc(scene.outcome, at + 6, 45, 6))
        at += 20
    return [*marks, Words("note", at, 50, scene.words, anchor="start")]


def _row(recording: Recording, shape: Shape, scene: Scene, row: float) -> list[Mark]:
    edges, others = [], []
    nodes_end = shape.inputs + shape.nodes
    total = nodes_end + shape.outputs
    labels = [*recording.run.circuit.input_labels, *[""] * shape.nodes, *recording.run.circuit.output_labels]
    for number in range(total):
        x, node = _LEFT + _COLUMN * number, number - shape.inputs
        if number < shape.inputs:
            others += _vertex("input", x, row, labels[number], number, faded=False)
            continue
        is_node = number < nodes_end
        gate = gate_of(shape, scene.genes, node) if is_node else None
        first = node * shape.block if is_node else shape.nodes * shape.block + number - nodes_end
        lit = not is_node or scene.lit[node]
        text = SIGNS.get(gate.name, gate.name[:4]) if gate else labels[number]
        role = "output" if gate is None else "lit" if lit else "gate"
        others += _vertex(role, x, row, text, number, faded=not lit)
        used = 1 + gate.arity if gate else 1
        for j in range(shape.block if is_node else 1):
            value, is_idle = int(scene.genes[first + j]), not lit or j >= used
            written = text if is_node and j == 0 else str(value)
            y = row + _HIGH + 30 + _GENE * j
            role = "changed" if first + j in scene.changed else "idle" if is_idle else "label"
            others.append(Words(role, x, y, written))
            if first + j == scene.picked:
                others.append(Outline("picked", rounded_box(x - 18, y - 12, 36, 16, 3)))
            if (j or not is_node) and j < used:
                look = "changed_wire" if first + j in scene.changed else "lit_wire" if lit else "wire"
                edges.append(
                    _edge(look, value, number, j if is_node else 1, total, row, faded=look == "wire")
                )
    edges.sort(key=lambda edge: ("wire", "lit_wire", "changed_wire").index(edge.role))
    return [*edges, *others]


def _vertex(role: str, x: float, row: float, text: str, number: int, *, faded: bool) -> list[Mark]:
    short = text if len(text) <= 4 else text[:3] + "…"
    words = Words("kind" if len(short) > 2 else "idle" if faded else "label", x, row + 4.5, short)
    if role == "input":
        return [Outline("input", rounded_box(x - 15, row - 13, 30, 26, 3)), words]
    if role == "output":
        corners = [(x - 18, row), (x, row - 18), (x + 18, row), (x, row + 18)]
        return [Outline("output", (*polyline(corners), ("Z", ()))), words]
    width = 6.0 * len(str(number)) + 4
    # A box in the colour of the page, so that no edge crosses the number.
    behind = Outline("page", rounded_box(x - width / 2, row - _RADIUS - 14, width, 12, 3))
    above = Words("number", x, row - _RADIUS - 4, str(number))
    return [Disc(role, x, row, _RADIUS, faded), words, behind, above]


def _edge(role: str, start: int, end: int, j: int, total: int, row: float, *, faded: bool) -> Outline:
    """An edge: above the row for the first input of a gate, below it for the others."""
    side = -1.0 if j <= 1 else 1.0
    left, right = _LEFT + _COLUMN * start, _LEFT + _COLUMN * end
    length, y = right - left, row + side * _RADIUS
    high = side * (_HIGH - 8) * (length / (_COLUMN * total)) ** 0.6 * 4 / 3
    steps: tuple[Step, ...] = (
        ("M", (left, y)),
        ("C", (left + 0.15 * length, y + high, right - 0.15 * length, y + high, right, y)),
    )
    return Outline(role, steps, faded)


def _cells(shape: Shape, scene: Scene, across: int, top: float) -> list[Mark]:
    """All nodes as faded cells, the same in every scene, and over them the cells that are lit."""
    faded: list[Step] = []
    marks: list[Mark] = []
    owners = {_owner(shape, gene) for gene in scene.changed}
    for number in range(shape.inputs + shape.nodes + shape.outputs):
        node = number - shape.inputs
        x, y = _LEFT + _CELL * (number % across), top + _CELL * (number // across)
        right, bottom = x + _CELL - 2, y + _CELL - 2
        box: tuple[Step, ...] = (*polyline([(x, y), (right, y), (right, bottom), (x, bottom)]), ("Z", ()))
        if 0 <= node < shape.nodes:
            faded += box
            marks += [Outline("lit", box)] if scene.lit[node] else []
        else:
            marks.append(Outline("input" if node < 0 else "output", box))
        if number in owners:
            marks.append(Disc("changed", x + _CELL / 2 - 1, y + _CELL / 2 - 1, 3.5))
        if scene.picked >= 0 and _owner(shape, scene.picked) == number:
            marks.append(Outline("picked", box))
    return [Outline("gate", tuple(faded), True), *marks]


def _owner(shape: Shape, gene: int) -> int:
    """The number of the node, or output, that a gene belongs to."""
    past = gene - shape.nodes * shape.block
    return shape.inputs + (shape.nodes + past if past >= 0 else gene // shape.block)


def _x(recording: Recording, offspring: int, width: float) -> float:
    last = max(1, recording.frames[-1].offspring if recording.frames else 1)
    share = offspring / last if last <= _LINEAR_MOST else log(1 + offspring) / log(1 + last)
    return _LEFT + 30 + (width - 2 * _LEFT - 40) * share


def _curve(recording: Recording, width: float, top: float) -> list[Mark]:
    """The fitness over the whole run; below it, a line for each outcome of offspring, such as neutral."""
    most = max([1, recording.start_fitness, *(frame.before for frame in recording.frames)])
    bottom = top + _CURVE

    def y(fitness: int) -> float:
        return bottom - _CURVE * log2(1 + fitness) / log2(1 + most)

    x, at = _x(recording, 0, width), y(recording.start_fitness)
    points = [(x, at)]
    ticks: dict[str, list[Step]] = {"improved": [], "neutral": [], "rejected": []}
    rows = {name: bottom + 6 + 10 * i for i, name in enumerate(ticks)}
    for frame in recording.frames:
        x, below = _x(recording, frame.offspring, width), y(frame.fitness)
        if below != at:
            points += [(x, at), (x, below)]
            at = below
        outcome = outcome_of(frame)
        if outcome:
            ticks[outcome] += [("M", (x, rows[outcome])), ("L", (x, rows[outcome] + 8))]
    points.append((x, at))
    marks: list[Mark] = [Outline("axis", polyline([(_LEFT + 30, bottom), (width - _LEFT - 10, bottom)]))]
    marks += [Outline(f"{name}_tick", tuple(steps)) for name, steps in ticks.items() if steps]
    marks.append(Outline("curve", polyline(points)))
    marks += [Disc("improved", *point, 3.5) for point in points[2::2]]
    end = recording.frames[-1].offspring if recording.frames else 0
    base = bottom + _RUG + 18
    marks += [
        Words("note", _LEFT + 22, bottom + 4, "0", anchor="end"),
        Words("note", _LEFT + 36, top - 6, "mismatches", anchor="start"),
        Words("note", width - _LEFT - 10, base, f"{end:,} iterations", anchor="end"),
    ]
    left = _LEFT + 36
    for name in ticks:
        marks += [Disc(name, left, base - 4, 5), Words("note", left + 10, base, name, anchor="start")]
        left += 84
    return marks


def _now(recording: Recording, scene: Scene, width: float, top: float) -> list[Mark]:
    offspring = recording.frames[scene.frame - 1].offspring if scene.frame else 0
    x = _x(recording, offspring, width)
    return [Outline("picked", polyline([(x, top - 4), (x, top + _CURVE + _RUG)]))]
