"""A C function, one statement per gate, that works on 64 rows at once: bit r of every word is row r.

`void circuit(const uint64_t *in, uint64_t *out)` in C99: word i of `in` is input i, word j of `out` is
output j; the two may be the same array. Inside, inputs are x1, x2, ... and gates g1, g2, ...; a comment
says which labels they have, with escapes for what is not printable ASCII.
"""

from __future__ import annotations

import json

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.files import Format
from gatewalk.circuit.text import gate_formula, operands_read


def write(circuit: Circuit) -> str:
    """The circuit as a C function."""
    n = len(circuit.input_labels)
    names = [*(f"x{i + 1}" for i in range(n)), *(f"g{i + 1}" for i in range(len(circuit)))]
    lines = ["#include <stdint.h>", "", f"/* Inputs:  {_listed('in', circuit.input_labels)}"]
    lines += [f"   Outputs: {_listed('out', circuit.output_labels)} */"]
    lines += ["void circuit(const uint64_t *in, uint64_t *out)", "{"]
    lines += [f"    const uint64_t {name} = in[{i}];" for i, name in enumerate(names[:n])]
    for i, node in enumerate(circuit.nodes):
        operands = [names[source] for source in node.sources]
        value = gate_formula(node.gate, operands, zero="UINT64_C(0)", one="~UINT64_C(0)")
        lines.append(f"    const uint64_t {names[n + i]} = {value};")
    # Names that nothing reads are cast to void, so that compilers do not warn.
    lines += [f"    (void){name};" for name in _unread(circuit, names)]
    lines += [f"    out[{j}] = {names[source]};" for j, source in enumerate(circuit.outputs)]
    return "\n".join([*lines, "}", ""])


def _listed(array: str, labels: tuple[str, ...]) -> str:
    # A / is escaped, because it could begin or end a comment.
    named = (json.dumps(label).replace("/", "\\u002f") for label in labels)
    return ", ".join(f"{array}[{i}] is {label}" for i, label in enumerate(named)) or "none"


def _unread(circuit: Circuit, names: list[str]) -> list[str]:
    mark = {names[source] for source in circuit.outputs}
    for node in circuit.nodes:
        mark |= {names[node.sources[position]] for position in operands_read(node.gate)}
    arrays = [] if circuit.input_labels else ["in"]
    arrays += [] if circuit.outputs else ["out"]
    return [name for name in names if name not in mark] + arrays


FORMATS = (Format(suffixes=(".c",), write=write),)
