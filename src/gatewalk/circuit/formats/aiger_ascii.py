"""AIGER in ascii, .aag: and gates of two inputs whose wires may negate, for model checkers and ABC.

See `circuit/aiger.py` for the format's source and for what is read.
"""

from __future__ import annotations

from gatewalk.circuit import aig, aiger
from gatewalk.circuit.circuit import Circuit

SUFFIXES = (".aag",)
BINARY = True  # read as bytes, since comments and symbols may be in any encoding

read = aiger.read


def write(circuit: Circuit) -> bytes:
    """The circuit as an and-inverter graph in ascii."""
    graph = aig.of_circuit(circuit)
    n, gates = graph.inputs, len(graph.ands)
    lines = [f"aag {n + gates} {n} 0 {len(graph.outputs)} {gates}"]
    lines += [f"{2 * (i + 1)}" for i in range(n)]
    lines += [f"{literal}" for literal in graph.outputs]
    lines += [f"{2 * (n + 1 + k)} {a} {b}" for k, (a, b) in enumerate(graph.ands)]
    return ("\n".join([*lines, ""]) + aiger.symbols(circuit)).encode()
