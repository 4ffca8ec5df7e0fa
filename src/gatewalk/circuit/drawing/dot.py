"""Graphviz: inputs are squares on the left, gates circles, outputs diamonds on the right.

Shapes as in Figure 1 of the paper. Where the order of a gate's inputs matters, its wires
carry the letters a, b, c of `boolean/gates.py`.
"""

from __future__ import annotations

from gatewalk.boolean.gates import is_symmetric
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.files import Format
from gatewalk.circuit.labels import source_names

_HEAD = """digraph circuit {
  rankdir=LR; ranksep=0.6; nodesep=0.25; splines=spline;
  node [shape=ellipse, style=filled, fillcolor="#ffffff", color="#333c48", penwidth=1.1];
  node [fontname="Helvetica", fontsize=12, height=0.45, width=0.5, margin="0.08,0.04"];
  edge [fontname="Helvetica", fontsize=9, arrowsize=0.6, color="#5a6472", labeldistance=1.4];
"""


def write(circuit: Circuit) -> str:
    """The circuit as a graph for `dot -Tsvg`."""
    n = len(circuit.input_labels)
    names = source_names(circuit)
    inputs = [(f"s{i}", label) for i, label in enumerate(circuit.input_labels)]
    outputs = [(f"o{j}", label) for j, label in enumerate(circuit.output_labels)]
    lines = [*_side("source", "box", "#dcebfa", inputs), *_side("sink", "diamond", "#fdebd3", outputs)]
    for i, node in enumerate(circuit.nodes):
        label = f"label={_quoted(node.gate.name.upper())}, tooltip={_quoted(names[n + i])}"
        lines.append(f"  s{n + i} [{label}];")
    for i, node in enumerate(circuit.nodes):
        lettered = not is_symmetric(node.gate)
        for j, source in enumerate(node.sources):
            letter = f" [headlabel={chr(ord('a') + j)}]" if lettered else ""
            lines.append(f"  s{source} -> s{n + i}{letter};")
    lines += [f"  s{source} -> o{j};" for j, source in enumerate(circuit.outputs)]
    return _HEAD + "\n".join(lines) + "\n}\n"


def _side(rank: str, shape: str, colour: str, nodes: list[tuple[str, str]]) -> list[str]:
    named = [f"    {name} [label={_quoted(label)}];" for name, label in nodes]
    style = f'    rank={rank}; node [shape={shape}, fillcolor="{colour}"];'
    # Invisible edges keep the labels in order from top to bottom.
    order = " -> ".join(name for name, _ in nodes)
    return ["  {", style, *named, *([f"    edge [style=invis]; {order};"] if len(nodes) > 1 else []), "  }"]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


FORMATS = (Format(suffixes=(".dot", ".gv"), write=write),)
