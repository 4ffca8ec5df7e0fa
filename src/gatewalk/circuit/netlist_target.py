"""Targets of many inputs, given by a circuit that computes them: the text `netlist:` and the packed circuit.

The circuit is packed as Gatewalk's own JSON, compressed by zlib and written in URL-safe base64 (RFC 4648).
Where some rows do not count, / and a second circuit follow, whose outputs are 1 on the rows that count. A
name may precede everything, as in `mine@netlist:...`. Labels and names are for readers only: runs are seeded
by the gates and wires of the circuits.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from dataclasses import dataclass, replace
from urllib.parse import quote

import numpy as np

from gatewalk.boolean.tables import Words
from gatewalk.boolean.targets import Target
from gatewalk.boolean.truth_table import GATES
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.formats import native_json
from gatewalk.errors import InputError, shown

PREFIX = "netlist:"
_LONGEST = 1 << 24  # the most characters of a circuit's JSON
_MOST_WORDS = 1 << 24  # the most words that are evaluated at a time, of all gates together


@dataclass(frozen=True)
class Netlist:
    """A circuit as a function of columns of inputs, which are evaluated in pieces to save memory."""

    circuit: Circuit

    def __call__(self, columns: Words) -> Words:
        """The columns of the outputs."""
        sources = 1 + len(self.circuit.input_labels) + len(self.circuit)
        block = max(64, _MOST_WORDS // sources)
        words = columns.shape[1]
        outputs = np.empty((len(self.circuit.outputs), words), np.uint64)
        for at in range(0, words, block):
            outputs[:, at : at + block] = evaluate(self.circuit, columns[:, at : at + block])
        return outputs


def netlist_target(circuit: Circuit, *, cares: Circuit | None = None, name: str = "") -> Target:
    """The function of a circuit as a target. cares: a circuit that is 1 on the rows that count; None: all."""
    text = PREFIX + "/".join(map(_packed, [circuit] if cares is None else [circuit, cares]))
    return _target(circuit, cares, f"{quote(name, safe='')}@{text}" if name else text)


def is_netlist(text: str) -> bool:
    """Whether a text is meant as a netlist, well formed or not."""
    return text.rpartition("@")[2].strip().startswith(PREFIX)


def parse_netlist(text: str) -> Target:
    """The target that a text describes, in the form that the module's docstring explains."""
    name = text.strip()
    packed = name.rpartition("@")[2].removeprefix(PREFIX).split("/")
    try:
        if len(packed) > 2:
            raise InputError("it has more than two parts")
        circuits = [_unpacked(part) for part in packed]
        return _target(circuits[0], circuits[1] if len(circuits) > 1 else None, name)
    except (InputError, binascii.Error, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"target {shown(text)} is no packed netlist: {error}") from None


def _packed(circuit: Circuit) -> str:
    text = native_json.write(circuit)
    if len(text) > _LONGEST:
        raise InputError(f"a circuit of {len(circuit)} gates is too large to be a target")
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()


def _unpacked(text: str) -> Circuit:
    data = base64.urlsafe_b64decode(text.encode("ascii", "replace"))
    inflate = zlib.decompressobj()
    body = inflate.decompress(data, _LONGEST)
    if not inflate.eof or inflate.unused_data:
        raise InputError("it is cut short, or too large")
    return native_json.read(body.decode())


def _target(circuit: Circuit, cares: Circuit | None, name: str) -> Target:
    inputs, outputs = len(circuit.input_labels), len(circuit.outputs)
    if not inputs or not outputs:
        raise InputError("a target needs an input and an output at least")
    if cares is not None and (len(cares.input_labels), len(cares.outputs)) != (inputs, outputs):
        raise InputError("what it computes and what counts of it are of different sizes")
    return Target(
        name=name,
        inputs=inputs,
        outputs=outputs,
        input_labels=circuit.input_labels,
        output_labels=circuit.output_labels,
        gates=GATES,
        symmetric=False,
        fewest_nodes=0,
        family="netlist",
        evaluate=Netlist(circuit),
        cares=None if cares is None else Netlist(cares),
        content=PREFIX + "/".join(_digest(one) for one in (circuit, cares) if one is not None),
    )


def _digest(circuit: Circuit) -> str:
    """A hash of a circuit, by its gates and wires; labels do not matter."""
    bare = replace(
        circuit,
        input_labels=tuple(f"x{i}" for i in range(len(circuit.input_labels))),
        output_labels=tuple(f"y{i}" for i in range(len(circuit.outputs))),
    )
    return hashlib.sha256(native_json.write(bare).encode()).hexdigest()
