"""Where a search begins: a random program, a named one that is nearly right, or one from a file.

A file holds genes, or a circuit in any format that Gatewalk reads. The gates of the circuit become the first
nodes of the program, in their order; the other nodes are inactive.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gatewalk.boolean.targets import Target
from gatewalk.cgp.genotype import Shape, check
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.files import read_bytes, read_file
from gatewalk.errors import InputError, shown


def start_genes(written: object, shape: Shape, target: Target) -> tuple[int, ...]:
    """The genes of a program to begin from, for a search for this target with programs of this shape.

    written: what the user gave: penultimate (Theorem 4, D = n-1), near-optimum (xor:N), genes:0,1,..., the
        genes themselves, a JSON file with a list of genes or an object with a key "genes", the file of a
        circuit, or a circuit.
    """
    if isinstance(written, Circuit):
        genes = placed(written, shape, target)
    elif isinstance(written, (Sequence, np.ndarray)) and not isinstance(written, (str, bytes)):
        genes = _integers(list(written), "start")
    elif not isinstance(written, str):
        raise InputError(
            f"start is {shown(written)}; it must be text, as in start='penultimate', genes or a circuit"
        )
    elif written == "penultimate":
        genes = penultimate(target.inputs, shape.nodes)
    elif written == "near-optimum":
        if target.family != "xor" or shape.gates.names != ("xor",):
            raise InputError("the start near-optimum is for xor:N with gates xor")
        genes = near_optimum(target.inputs, shape.nodes)
    elif written.startswith("genes:"):
        genes = _integers(written.removeprefix("genes:").split(","), "--start")
    else:
        genes = _from_file(Path(written), shape, target)
    return tuple(check(shape, genes).tolist())


def genes_text(genes: Sequence[int]) -> str:
    """Genes as a text that `start_genes` reads.

    >>> genes_text([0, 0, 1, 2])
    'genes:0,0,1,2'
    """
    return "genes:" + ",".join(map(str, genes))


def penultimate(n: int, nodes: int) -> list[int]:
    """Theorem 4's program: the first n-2 nodes conjoin n-1 inputs, the last node is inactive.

    The last node reads neither the remaining input nor the node that the output reads.
    """
    if n < 3 or nodes != n - 1:
        raise InputError(f"the penultimate start needs n >= 3 and n-1 nodes, not n = {n} and {nodes} nodes")
    genes = [0, 0, 1]
    for node in range(1, n - 2):
        genes += [0, n + node - 1, node + 1]
    return [*genes, 0, 0, 1, n + n - 3]


def near_optimum(n: int, nodes: int) -> list[int]:
    """A program that is one input short of the exclusive disjunction, where Lemma 8 bounds the drift.

    A chain of n-2 nodes joins all inputs but the last, and the output reads its end. All other nodes read the
    first input twice, which changes no parity. Lemma 8's potential is 2 for n >= 3.
    """
    if n < 2 or nodes < n - 1:
        raise InputError(
            f"the start near-optimum needs n >= 2 and at least n-1 nodes, not n = {n} and {nodes} nodes"
        )
    genes: list[int] = []
    for node in range(n - 2):
        genes += [0, n + node - 1 if node else 0, node + 1]
    genes += [0, 0, 0] * (nodes - (n - 2))
    return [*genes, n + n - 3 if n > 2 else 0]


def placed(circuit: Circuit, shape: Shape, target: Target) -> list[int]:
    """The genes of a program whose first nodes are a circuit.

    The inputs and outputs of the circuit are matched with those of the target by their labels or, if the
    labels differ, by their order.
    """
    if len(circuit.input_labels) != shape.inputs or len(circuit.outputs) != shape.outputs:
        raise InputError(
            f"the start has {len(circuit.input_labels)} inputs and {len(circuit.outputs)} outputs, "
            f"{target.label} has {shape.inputs} and {shape.outputs}"
        )
    if len(circuit) > shape.nodes:
        raise InputError(f"the start has {len(circuit)} gates; use --nodes {len(circuit)} or more")
    known = {(gate.arity, gate.table): index for index, gate in enumerate(shape.gates.gates)}
    gates = range(shape.inputs, shape.inputs + len(circuit))
    source = [*_positions(circuit.input_labels, target.input_labels), *gates]
    genes: list[int] = np.where(shape.ranges.skip_from > 0, 0, shape.ranges.skip).tolist()
    for number, node in enumerate(circuit.nodes):
        function = known.get((node.gate.arity, node.gate.table))
        if function is None:
            raise InputError(f"the gate {node.gate.name} is not among --gates {shape.gates}")
        first = number * shape.block
        genes[first] = function
        for argument, read in enumerate(node.sources):
            genes[first + 1 + argument] = source[read]
    positions = _positions(circuit.output_labels, target.output_labels)
    for position, output in zip(positions, circuit.outputs, strict=True):
        genes[shape.nodes * shape.block + position] = source[output]
    return genes


def _positions(labels: tuple[str, ...], of_target: tuple[str, ...]) -> list[int]:
    """The position of each label among those of the target; if the labels differ, 0, 1, 2, ..."""
    if set(labels) != set(of_target):
        return list(range(len(labels)))
    position = {label: i for i, label in enumerate(of_target)}
    return [position[label] for label in labels]


def _from_file(path: Path, shape: Shape, target: Target) -> list[int]:
    genes = _genes_in(path) if path.suffix.lower() in ("", ".json") else None
    try:
        return placed(read_file(path), shape, target) if genes is None else genes
    except InputError as error:
        raise InputError(f"--start {shown(str(path))}: {error}") from None


def _genes_in(path: Path) -> list[int] | None:
    """The genes in a JSON file; None if it holds a circuit."""
    from gatewalk.circuit.formats import gatewalk_json

    try:
        content = json.loads(read_bytes(path))
    except InputError as error:
        raise InputError(f"--start: {error}; use random, penultimate, near-optimum or a file") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{shown(str(path))} is not JSON: {error}") from error
    if isinstance(content, dict) and content.get("format") == gatewalk_json.FORMAT:
        return None
    genes = content.get("genes") if isinstance(content, dict) else content
    if not isinstance(genes, list):
        raise InputError(f'{path} contains no genes; give a list of integers or an object with a key "genes"')
    return _integers(genes, str(path))


def _integers(values: list[object] | list[str], where: str) -> list[int]:
    try:
        return [int(str(value)) for value in values]
    except ValueError as error:
        raise InputError(f"{where}: genes must be integers ({error})") from error
