"""LaTeX: the circuit drawn by TikZ, a file that pdflatex compiles and whose picture one can copy out.

Manual: T. Tantau, "TikZ and PGF", library circuits.logic.US. Inputs are on the left, outputs on the right.
Gates with a distinctive shape are drawn in it, with circles for negations; others are boxes with their names.
Labels are set in typewriter type; characters outside ASCII are written as U+ and their number.
"""

from __future__ import annotations

from gatewalk.boolean.gates import Gate, anf, is_symmetric
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.covers import cubes_of
from gatewalk.circuit.drawing.layout import Layout, Place, arrange
from gatewalk.circuit.files import Format
from gatewalk.errors import InputError

_CM = 0.035  # cm of a unit of the layout
_COLUMN = 2.6  # cm from layer to layer
_WIDTH = 0.75  # cm on either side of a layer for its gates
_PIN = 0.2  # cm between the inputs of a box
_LARGEST = 500  # the largest length in cm that TeX can handle

_HEAD = r"""\documentclass{article}
\usepackage[paperwidth=%.2fcm,paperheight=%.2fcm,margin=5mm]{geometry}
\usepackage{tikz}
\usetikzlibrary{circuits.logic.US}
\pagestyle{empty}
\parindent=0pt
\begin{document}
\begin{tikzpicture}[circuit logic US, box/.style={draw, minimum height=8mm, minimum width=10mm},
    port/.style={font=\ttfamily}, every node/.style={font=\small}]
"""


def write(circuit: Circuit) -> str:
    """The circuit as a LaTeX document with one picture."""
    layout = arrange(circuit)
    at = {(p.number, p.layer): p for layer in layout.layers for p in layer if p.kind != "output"}
    lines = [line for layer in layout.layers for place in layer for line in _part(circuit, layout, place)]
    for layer in layout.layers:
        for place in layer:
            lines += _wires(circuit, layout, at, place)
    heights = list(layout.y.values()) or [0.0]
    width = _COLUMN * len(layout.layers) + 4
    height = (max(heights) - min(heights)) * _CM + 3
    if max(width, height) > _LARGEST:
        raise InputError(f"the picture would be {max(width, height) / 100:.0f} m long, too much for LaTeX")
    body = "\n".join(lines)
    return _HEAD % (width, height) + body + "\n\\end{tikzpicture}\n\\end{document}\n"


def _part(circuit: Circuit, layout: Layout, place: Place) -> list[str]:
    """The node of an input, a gate or an output; a wire that passes a layer has none."""
    n = len(circuit.input_labels)
    where = f"at ({place.layer * _COLUMN:.2f}, {-layout.y[place] * _CM:.2f})"
    if place.kind == "wire":
        return []
    if place.kind == "output":
        label = _text(circuit.output_labels[place.number])
        return [rf"  \node[port, anchor=west] (o{place.number}) {where} {{{label}}};"]
    if place.number < n:
        label = _text(circuit.input_labels[place.number])
        return [rf"  \node[port, anchor=east] (s{place.number}) {where} {{{label}}};"]
    gate = circuit.nodes[place.number - n].gate
    shape = _shape(gate)
    if shape is None:
        return [rf"  \node[box] (s{place.number}) {where} {{{_text(gate.name)}}};"]
    kind, negated = shape
    # TikZ does not accept a list of inputs for a gate of one input.
    inputs = f", inputs={{{''.join('in'[not one] for one in negated)}}}" if len(negated) > 1 else ""
    return [rf"  \node[{kind} gate{inputs}] (s{place.number}) {where} {{}};"]


def _shape(gate: Gate) -> tuple[str, list[bool]] | None:
    """The name of TikZ's gate for this function, and which inputs are negated; None if there is none."""
    if gate.arity == 1:
        return {0b01: ("not", [False]), 0b10: ("buffer", [False])}.get(gate.table)
    if gate.arity < 2:
        return None
    if gate.arity == 2 and [bool(one) for one in anf(gate)[1:]] == [True, True, False]:
        return ("xnor" if gate.table & 1 else "xor"), [False, False]
    opposite = Gate(gate.name, gate.arity, gate.table ^ (1 << (1 << gate.arity)) - 1, "")
    for one, positive, negative, negated in ((gate, "and", "nor", "0"), (opposite, "or", "nand", "1")):
        cubes = cubes_of(one).cubes
        if len(cubes) == 1 and "-" not in cubes[0]:
            signs = [sign == negated for sign in cubes[0]]
            return (negative, [False] * len(signs)) if all(signs) else (positive, signs)
    return None


def _wires(circuit: Circuit, layout: Layout, at: dict[tuple[int, int], Place], place: Place) -> list[str]:
    """The wires that end at a place, each with its own vertical line between the layers."""
    n = len(circuit.input_labels)
    if place.kind == "wire":
        return [_wire(layout, at[place.number, place.layer - 1], _point(layout, place))]
    if place.kind == "output":
        start = at[circuit.outputs[place.number], place.layer - 1]
        return [_wire(layout, start, f"o{place.number}.west")]
    if place.number < n:
        return []
    node = circuit.nodes[place.number - n]
    starts = [at[source, place.layer - 1] for source in node.sources]
    if is_symmetric(node.gate):
        starts.sort(key=lambda start: layout.y[start])
    return [_wire(layout, start, _input(node.gate, place.number, j)) for j, start in enumerate(starts)]


def _wire(layout: Layout, start: Place, end: str) -> str:
    layer = layout.layers[start.layer]
    share = (layer.index(start) + 1) / (len(layer) + 1)
    turn = start.layer * _COLUMN + _WIDTH + (_COLUMN - 2 * _WIDTH) * share
    begin = _point(layout, start) if start.kind == "wire" else f"s{start.number}.east"
    return rf"  \draw ({begin}) -- ({begin} -| {turn:.3f},0) |- ({end});"


def _point(layout: Layout, place: Place) -> str:
    return f"{place.layer * _COLUMN:.2f},{-layout.y[place] * _CM:.2f}"


def _input(gate: Gate, source: int, j: int) -> str:
    if _shape(gate) is not None:
        return f"s{source}.input" if gate.arity == 1 else f"s{source}.input {j + 1}"
    shift = _PIN * ((gate.arity - 1) / 2 - j)
    return f"[yshift={shift:.2f}cm]s{source}.west"


_ESCAPES = {sign: rf"\{sign}" for sign in "{}$&#_%"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    " ": r"\ ",
    # TeX joins two of these into one sign (a ligature), so they are kept apart.
    "-": "{-}",
    "'": "{'}",
    "`": "{`}",
    ",": "{,}",
    "<": "{<}",
    ">": "{>}",
    "?": "{?}",
    "!": "{!}",
}


def _text(label: str) -> str:
    signs = [sign if " " <= sign <= "~" else f"U+{ord(sign):04X}" for sign in label]
    return "".join(_ESCAPES.get(sign, sign) for sign in signs)


FORMATS = (Format(suffixes=(".tex",), write=write),)
