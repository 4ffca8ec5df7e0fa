"""A program as in the paper's Figure 1: its nodes in a row with their edges, and its genes below them.

Inputs are squares, function nodes circles, outputs diamonds. Below each node is its block of genes: the
function gene, then the connection genes in blue. Inactive nodes are faded, and so are connection genes
that a gate of fewer inputs does not use.
"""

from __future__ import annotations

from collections.abc import Sequence

from gatewalk.cgp.genotype import Genes, Shape, active_nodes
from gatewalk.circuit.drawing.picture import Disc, Mark, Part, Picture, Step, Words, rounded_box
from gatewalk.circuit.drawing.picture import Shape as Outline

_MARGIN, _COLUMN, _ROW = 14.0, 66.0, 44.0
_RADIUS = 16.0
_DIGIT = 6.8
_ARCH, _FLAT = 0.9, 0.8  # the height of an edge's arch is _ARCH times its length to the power _FLAT
_GAP = 22.0  # additional distance between inputs and nodes
SIGNS = {"and": "∧", "or": "∨", "xor": "⊕", "not": "¬", "nand": "↑", "nor": "↓", "xnor": "⊙"}


def genotype_picture(
    shape: Shape, genes: Genes, *, input_labels: Sequence[str], output_labels: Sequence[str]
) -> Picture:
    """The picture of a program.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate_set
    >>> from gatewalk.cgp.genotype import check
    >>> shape = Shape(2, 1, 1, gate_set("and"))
    >>> picture = genotype_picture(
    ...     shape, check(shape, [0, 0, 1, 2]), input_labels=["x1", "x2"], output_labels=["y"]
    ... )
    >>> [mark.text for mark in picture.marks() if mark.role == "number"]
    ['0', '1', '2', '3']
    """
    listed = genes.tolist()
    active = [True] * shape.inputs + active_nodes(shape, genes).tolist() + [True] * shape.outputs
    column = max(_COLUMN, _block_width(shape, listed) + 12)
    edges = _edges(shape, listed)
    x = [_MARGIN + 30] * shape.inputs
    x += [_MARGIN + 30 + _GAP + column * (1 + i) for i in range(shape.nodes + shape.outputs)]
    y = [(s - (shape.inputs - 1) / 2) * _ROW for s in range(shape.inputs)]
    y += [0.0] * (shape.nodes + shape.outputs)
    highest, lowest = _reach(edges, x, y)
    y = [at + _MARGIN - highest for at in y]
    bottom = lowest - highest + _MARGIN + 16
    edges.sort(key=lambda edge: active[edge[1]])  # faded edges are drawn first, under the others
    parts = [_edge(x, y, start, end, j, faded=not active[end]) for start, end, j in edges]
    labels = [*input_labels, *("" for _ in range(shape.nodes)), *output_labels]
    for number in range(shape.inputs + shape.nodes + shape.outputs):
        kind = _kind(shape, number)
        text = labels[number] if kind != "node" else _sign(shape, listed, number)
        parts.append(_vertex(kind, number, text, x[number], y[number], faded=not active[number]))
    parts += _blocks(shape, listed, x, bottom, active)
    return Picture(x[-1] + column / 2 + _MARGIN, bottom + 24 + _MARGIN, tuple(parts))


def _kind(shape: Shape, number: int) -> str:
    if number < shape.inputs:
        return "input"
    return "node" if number < shape.inputs + shape.nodes else "output"


def _sign(shape: Shape, genes: list[int], number: int) -> str:
    gate = shape.gates.gates[genes[(number - shape.inputs) * shape.block]]
    return SIGNS.get(gate.name, gate.name[:6])


def _edges(shape: Shape, genes: list[int]) -> list[tuple[int, int, int]]:
    """The edges that gates use: from which source, to which vertex, as which of its inputs."""
    edges = []
    for node in range(shape.nodes):
        first = node * shape.block
        arity = shape.gates.gates[genes[first]].arity
        edges += [(genes[first + 1 + j], shape.inputs + node, j) for j in range(arity)]
    outputs = genes[shape.nodes * shape.block :]
    return edges + [(source, shape.inputs + shape.nodes + j, 0) for j, source in enumerate(outputs)]


def _arch(x: list[float], y: list[float], start: int, end: int, j: int) -> list[tuple[float, ...]]:
    """An edge as cubic curves: above the row for a first input, else below it, as in the paper's figure.

    An edge that begins on the other side of the row crosses it in the gap between inputs and nodes.
    """
    length = x[end] - x[start]
    lift = (-1.0 if j == 0 else 1.0) * _ARCH * length**_FLAT
    third = length / 3
    if (y[start] - y[end]) * lift >= 0 or length < _GAP + 2 * _COLUMN:
        pull = (x[start] + third, y[start] + lift)
        return [(x[start], y[start], *pull, x[end] - third, y[end] + lift, x[end], y[end])]
    left, right = x[start] + _RADIUS, x[start] + _GAP + _COLUMN - _RADIUS - 6
    there = y[end] + lift / 2
    steep = (right - left) / 6, (there - y[start]) / 3
    return [
        (left, y[start], (left + right) / 2, y[start], right - steep[0], there - steep[1], right, there),
        (right, there, right + steep[0], there + steep[1], x[end] - third, y[end] + lift, x[end], y[end]),
    ]


def _reach(edges: list[tuple[int, int, int]], x: list[float], y: list[float]) -> tuple[float, float]:
    """The y of the highest and of the lowest point of all vertices, their numbers, and edges."""
    heights = [min(y) - _RADIUS - 18, max(y) + _RADIUS + 4]
    for start, end, j in edges:
        for _, a, _, b, _, c, _, d in _arch(x, y, start, end, j):
            for t in (0.25, 0.5, 0.75):
                s = 1 - t
                heights.append(s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d)
    return min(heights), max(heights)


def _edge(x: list[float], y: list[float], start: int, end: int, j: int, *, faded: bool) -> Part:
    curves = _arch(x, y, start, end, j)
    steps: list[Step] = [("M", curves[0][:2])]
    steps += [("C", curve[2:]) for curve in curves]
    return Part(None, (Outline("wire", tuple(steps), faded),))


def _vertex(kind: str, number: int, text: str, x: float, y: float, *, faded: bool) -> Part:
    marks: list[Mark]
    if kind == "input":
        marks = [Outline("input", rounded_box(x - _RADIUS, y - 13, 2 * _RADIUS, 26, 2), faded)]
        marks.append(Words("number", x - _RADIUS - 5, y + 4, str(number), faded, "end"))
    else:
        width = _DIGIT * len(str(number)) + 4
        corners: tuple[Step, ...] = (
            ("M", (x - 19, y)), ("L", (x, y - 19)), ("L", (x + 19, y)), ("L", (x, y + 19)), ("Z", ()),
        )  # fmt: skip
        marks = [
            Disc("gate", x, y, _RADIUS, faded) if kind == "node" else Outline("output", corners, faded),
            Outline(
                "page", rounded_box(x - width / 2, y - 32, width, 12, 3), faded
            ),  # a background, so that no edge crosses the number
            Words("number", x, y - 22, str(number), faded),
        ]
    short = text if len(text) <= 4 else text[:3] + "…"
    return Part(
        f"{number}: {text}", (*marks, Words("kind" if len(short) > 3 else "label", x, y + 4, short, faded))
    )


def _block_width(shape: Shape, genes: list[int]) -> float:
    """The width of the widest block of genes."""
    blocks = [genes[i : i + shape.block] for i in range(0, shape.nodes * shape.block, shape.block)]
    return max(_DIGIT * len(" ".join(map(str, block))) + 14 for block in blocks)


def _blocks(shape: Shape, genes: list[int], x: list[float], top: float, active: list[bool]) -> list[Part]:
    """The genes of every node in a box, and those of the outputs."""
    parts = []
    for node in range(shape.nodes):
        number, first = shape.inputs + node, node * shape.block
        used = 1 + shape.gates.gates[genes[first]].arity
        parts.append(_block(genes[first : first + shape.block], used, x[number], top, not active[number]))
    for j, source in enumerate(genes[shape.nodes * shape.block :]):
        parts.append(_block([source], 1, x[shape.inputs + shape.nodes + j], top, False, first_role="gene"))
    return parts


def _block(
    genes: list[int], used: int, x: float, top: float, faded: bool, *, first_role: str = "label"
) -> Part:
    texts = [str(gene) for gene in genes]
    width = _DIGIT * len(" ".join(texts)) + 14
    marks: list[Mark] = [Outline("gate", rounded_box(x - width / 2, top, width, 24, 6), faded)]
    at = x - width / 2 + 7
    for i, text in enumerate(texts):
        at += _DIGIT * len(text) / 2
        marks.append(Words("gene" if i else first_role, at, top + 16, text, faded or i >= used))
        at += _DIGIT * (len(text) / 2 + 1)
    return Part(None, tuple(marks))
