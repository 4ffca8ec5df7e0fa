"""AIGER in its binary form, .aig: and gates as differences of their literals, seven bits to a byte.

See `circuit/aiger.py` for the format's source and for what is read.
"""

from __future__ import annotations

from gatewalk.circuit import aig, aiger
from gatewalk.circuit.circuit import Circuit

SUFFIXES = (".aig",)
BINARY = True

read = aiger.read


def write(circuit: Circuit) -> bytes:
    """The circuit as an and-inverter graph in binary form."""
    graph = aig.of_circuit(circuit)
    n, gates = graph.inputs, len(graph.ands)
    head = [f"aig {n + gates} {n} 0 {len(graph.outputs)} {gates}", *map(str, graph.outputs), ""]
    body = bytearray("\n".join(head).encode())
    for k, (a, b) in enumerate(graph.ands):
        body += _number(2 * (n + 1 + k) - a)
        body += _number(a - b)
    return bytes(body) + aiger.symbols(circuit).encode()


def _number(value: int) -> bytes:
    found = bytearray()
    while value >= 128:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
