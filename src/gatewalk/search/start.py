"""Where a search begins: a random program, a named one that is nearly right, or one from a file.

A file holds genes, or a circuit in any format that Gatewalk reads. The gates of the circuit become the first
nodes of the program, in their order; the other nodes are inactive.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.files import read_bytes, read_file
from gatewalk.circuit.formats import gatewalk_json
from gatewalk.errors import InputError, shown

if TYPE_CHECKING:
    from gatewalk.cgp.genotype import Shape


def parse_start(written: object, nodes: int | None, wanted: Target, gates: GateSet, law: object) -> str:
    """The start in its resolved form: "random", or the genes of a program as "genes:0,1,...".

    written: what the user gave: random, penultimate (Theorem 4, D = n-1), near-optimum (xor:N), genes:..., a
        JSON file with a list of genes or an object with a key "genes", the file of a circuit, or a circuit.
    """
    if written == "random":
        return "random"
    if not isinstance(written, str | Circuit):
        raise InputError(
            f"start is {shown(written)}; it must be text, as in start='penultimate', or a circuit"
        )
    if nodes is None or not isinstance(law, CgpLaw):
        raise InputError("trees start at random; --start is for --algorithm cgp")
    from gatewalk.cgp.genotype import check, shape_for

    shape = shape_for(inputs=wanted.inputs, outputs=wanted.outputs, nodes=nodes, gates=gates, law=law)
    if isinstance(written, Circuit):
        genes = placed(written, shape, wanted)
    elif written == "penultimate":
        genes = penultimate(wanted.inputs, nodes)
    elif written == "near-optimum":
        if wanted.family != "xor" or [gate.name for gate in gates.gates] != ["xor"]:
            raise InputError("the start near-optimum is for xor:N with gates xor")
        genes = near_optimum(wanted.inputs, nodes)
    elif written.startswith("genes:"):
        genes = _integers(written.removeprefix("genes:").split(","), "--start")
    else:
        genes = _from_file(Path(written), shape, wanted)
    return "genes:" + ",".join(map(str, check(shape, genes).tolist()))


def start_genes(start: str) -> list[int] | None:
    """The genes in a resolved start; None if it is random."""
    return None if start == "random" else [int(gene) for gene in start.removeprefix("genes:").split(",")]


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


def placed(circuit: Circuit, shape: Shape, wanted: Target) -> list[int]:
    """The genes of a program whose first nodes are a circuit.

    The inputs and outputs of the circuit are matched with those of the target by their labels or, if the
    labels differ, by their order.
    """
    if len(circuit.input_labels) != shape.inputs or len(circuit.outputs) != shape.outputs:
        raise InputError(
            f"the start has {len(circuit.input_labels)} inputs and {len(circuit.outputs)} outputs, "
            f"{wanted.label} has {shape.inputs} and {shape.outputs}"
        )
    if len(circuit) > shape.nodes:
        raise InputError(f"the start has {len(circuit)} gates; use --nodes {len(circuit)} or more")
    known = {(gate.arity, gate.table): index for index, gate in enumerate(shape.gates.gates)}
    sources = range(shape.inputs + len(circuit))
    source = [*_places(circuit.input_labels, wanted.input_labels), *sources[shape.inputs :]]
    genes: list[int] = np.where(shape.ranges.skip_from > 0, 0, shape.ranges.skip).tolist()
    for number, node in enumerate(circuit.nodes):
        function = known.get((node.gate.arity, node.gate.table))
        if function is None:
            raise InputError(f"the gate {node.gate.name} is not among --gates {shape.gates}")
        first = number * shape.block
        genes[first] = function
        for argument, read in enumerate(node.sources):
            genes[first + 1 + argument] = source[read]
    places = _places(circuit.output_labels, wanted.output_labels)
    for place, output in zip(places, circuit.outputs, strict=True):
        genes[shape.nodes * shape.block + place] = source[output]
    return genes


def _places(labels: tuple[str, ...], wanted: tuple[str, ...]) -> list[int]:
    """The index of each label among those wanted; if the labels differ, 0, 1, 2, ..."""
    if set(labels) != set(wanted):
        return list(range(len(labels)))
    place = {label: at for at, label in enumerate(wanted)}
    return [place[label] for label in labels]


def _from_file(path: Path, shape: Shape, wanted: Target) -> list[int]:
    held = _genes_in(path) if path.suffix.lower() in ("", ".json") else None
    try:
        return placed(read_file(path), shape, wanted) if held is None else held
    except InputError as error:
        raise InputError(f"--start {shown(str(path))}: {error}") from None


def _genes_in(path: Path) -> list[int] | None:
    """The genes in a JSON file; None if it holds a circuit."""
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
