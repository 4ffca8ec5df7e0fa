"""The genotype of Cartesian GP: a vector of Nfunc(k+1) + Nout integers (paper, section 2.1).

Sources are numbered as in the paper: inputs 0 .. Nin-1, then function nodes. Node b owns the
block of k+1 genes from b(k+1): its function gene, then its k connection genes. The output genes
come last. A gate of arity below k uses its first connections only.

A `Shape` says which values every gene may have. A `Layout` is the same as arrays, as kernels read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet, anf
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError

if TYPE_CHECKING:
    from gatewalk.cgp.cgp_search import CgpLaw

Genes = NDArray[np.int64]


@dataclass(frozen=True)
class Ranges:
    """The valid values of every gene: there are `count`; the v-th is v if v < skip_from, else v + skip."""

    count: NDArray[np.int64]
    skip_from: NDArray[np.int64]
    skip: NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """The size of a program and what its connections may reach (see `CgpLaw` for the last three)."""

    inputs: int
    outputs: int
    nodes: int
    gates: GateSet
    levels_back: int | None = None
    levels_over: Literal["sources", "columns"] = "columns"
    rows: int = 1

    def __post_init__(self) -> None:
        if self.inputs < 1 or self.outputs < 1 or self.nodes < 1:
            raise InputError(
                "a program needs at least one input, one output and one node, "
                f"not {self.inputs}, {self.outputs} and {self.nodes}"
            )
        if self.levels_back is not None and self.levels_back < 1:
            raise InputError(f"levels_back is {self.levels_back}; it must be 1 or more, or unlimited")
        if self.rows < 1 or self.nodes % self.rows:
            raise InputError(f"{self.nodes} nodes do not fill a grid of {self.rows} rows")

    @cached_property
    def arity(self) -> int:
        return self.gates.arity

    @cached_property
    def block(self) -> int:
        """The number of genes of one node."""
        return self.arity + 1

    @cached_property
    def length(self) -> int:
        """The number of genes of a program."""
        return self.nodes * self.block + self.outputs

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """The node that every gene belongs to; output genes belong to the number after the last node."""
        nodes = np.repeat(np.arange(self.nodes), self.block)
        return np.concatenate([nodes, np.full(self.outputs, self.nodes)]).astype(np.int64)

    @cached_property
    def ranges(self) -> Ranges:
        """The valid values of every gene."""
        count, skip_from, skip = (np.zeros(self.length, dtype=np.int64) for _ in range(3))
        count[self.nodes * self.block :] = self.inputs + self.nodes
        reach: tuple[NDArray[np.int64] | int, ...] = self._reach(np.arange(self.nodes) // self.rows)
        for values, of_connections in zip((count, skip_from, skip), reach, strict=True):
            blocks = values[: self.nodes * self.block].reshape(self.nodes, self.block)
            blocks[:, 1:] = np.broadcast_to(of_connections, self.nodes)[:, None]
        count[: self.nodes * self.block : self.block] = len(self.gates)
        return Ranges(count, skip_from, skip)

    def _reach(self, column: NDArray[np.int64]) -> tuple[NDArray[np.int64], int, NDArray[np.int64]]:
        """The fields of `Ranges` for the connection genes of nodes in these columns."""
        sources = self.inputs + column * self.rows
        if self.levels_back is None:
            return sources, 0, np.zeros_like(column)
        if self.levels_over == "sources":
            skipped = np.maximum(0, sources - self.levels_back)
            return sources - skipped, 0, skipped
        skipped = np.maximum(0, column - self.levels_back) * self.rows
        return sources - skipped, self.inputs, skipped


def shape_for(*, inputs: int, outputs: int, nodes: int, gates: GateSet, law: CgpLaw) -> Shape:
    """The shape that a law gives to programs of this size."""
    return Shape(
        inputs,
        outputs,
        nodes,
        gates,
        levels_back=nodes if law.levels_back == "nodes" else law.levels_back,
        levels_over=law.levels_over,
        rows=law.rows,
    )


def valid_values(shape: Shape, gene: int) -> list[int]:
    """All valid values of a gene, ascending."""
    ranges = shape.ranges
    skip_from, skip = int(ranges.skip_from[gene]), int(ranges.skip[gene])
    return [v if v < skip_from else v + skip for v in range(int(ranges.count[gene]))]


def check(shape: Shape, genes: Sequence[int] | Genes) -> Genes:
    """The genes as an array, if they are a valid program of this shape; otherwise raises `InputError`."""
    try:
        array = np.asarray(genes, dtype=np.int64)
    except OverflowError:
        raise InputError("a gene is larger than any number of a node") from None
    if array.shape != (shape.length,):
        raise InputError(f"a program of this shape has {shape.length} genes, not {array.size}")
    wrong = invalid(shape, array)
    if wrong.any():
        gene = int(np.argmax(wrong))
        values = valid_values(shape, gene)
        raise InputError(f"gene {gene} is {array[gene]}; valid are {values[0]} to {values[-1]}")
    return array


def invalid(shape: Shape, genes: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Which genes have values that are not valid, in one program or in an array with a program per row."""
    ranges = shape.ranges
    above = genes >= ranges.skip_from
    index = np.where(above, genes - ranges.skip, genes)
    wrong: NDArray[np.bool_] = (index < 0) | (index >= ranges.count) | (above & (index < ranges.skip_from))
    return wrong


def active_nodes(shape: Shape, genes: Genes) -> NDArray[np.bool_]:
    """Which nodes an output depends on, through connections that gates use."""
    arities = [gate.arity for gate in shape.gates.gates]
    listed = genes.tolist()  # reading single elements of a list is ten times as fast as of an array
    active = [False] * shape.nodes
    wanted = listed[shape.nodes * shape.block :]
    while wanted:
        node = wanted.pop() - shape.inputs
        if node >= 0 and not active[node]:
            active[node] = True
            first = node * shape.block
            wanted += listed[first + 1 : first + 1 + arities[listed[first]]]
    return np.array(active, dtype=np.bool_)


def active_genes(shape: Shape, genes: Genes) -> NDArray[np.bool_]:
    """Which genes belong to an active node, whether its gate uses them or not, or are output genes."""
    return np.append(active_nodes(shape, genes), True)[shape.owner]


def decode(
    shape: Shape, genes: Genes, *, input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """The circuit that a program computes (its phenotype): the active nodes, in their order."""
    position = {source: source for source in range(shape.inputs)}
    nodes: list[Node] = []
    listed = genes.tolist()
    for node in np.flatnonzero(active_nodes(shape, genes)).tolist():
        first = node * shape.block
        gate = shape.gates.gates[listed[first]]
        sources = listed[first + 1 : first + 1 + gate.arity]
        position[shape.inputs + node] = shape.inputs + len(nodes)
        nodes.append(Node(gate, tuple(position[source] for source in sources)))
    outputs = tuple(position[source] for source in listed[shape.nodes * shape.block :])
    return Circuit(tuple(input_labels), tuple(nodes), outputs, tuple(output_labels))


def whole_circuit(
    shape: Shape, genes: Genes, *, input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """The circuit of all nodes of a program, active or not."""
    nodes: list[Node] = []
    listed = genes.tolist()
    for first in range(0, shape.nodes * shape.block, shape.block):
        gate = shape.gates.gates[listed[first]]
        nodes.append(Node(gate, tuple(listed[first + 1 : first + 1 + gate.arity])))
    outputs = tuple(listed[shape.nodes * shape.block :])
    return Circuit(tuple(input_labels), tuple(nodes), outputs, tuple(output_labels))


WIDEST = 3  # inputs of the widest gate that kernels compute


class Layout(NamedTuple):
    """A `Shape` and its `Ranges` as numbers and arrays.

    block: genes of a node. owner[g]: the node of gene g.
    choices[g], skip_from[g], skip[g]: the number of valid values of gene g, and which it skips.
    arities[f]: inputs of gate f.
    anf[f, m]: all ones if the algebraic normal form of gate f has the product of the inputs in the bit set m,
        else 0.
    """

    inputs: int
    nodes: int
    outputs: int
    block: int
    owner: NDArray[np.int64]
    choices: NDArray[np.int64]
    skip_from: NDArray[np.int64]
    skip: NDArray[np.int64]
    arities: NDArray[np.int64]
    anf: NDArray[np.uint64]


@lru_cache(maxsize=64)
def layout_of(shape: Shape) -> Layout:
    """The shape as kernels read it; gates with more than `WIDEST` inputs are refused."""
    gates = shape.gates.gates
    if shape.arity > WIDEST:
        raise InputError(f"gates of more than {WIDEST} inputs cannot be evolved, only read and written")
    coefficients = np.zeros((len(gates), 1 << WIDEST), dtype=np.uint64)
    for row, gate in zip(coefficients, gates, strict=True):
        row[: 1 << gate.arity] = np.array(anf(gate), dtype=np.uint64) * np.uint64(0xFFFFFFFFFFFFFFFF)
    ranges = shape.ranges
    return Layout(
        shape.inputs,
        shape.nodes,
        shape.outputs,
        shape.block,
        shape.owner,
        ranges.count,
        ranges.skip_from,
        ranges.skip,
        np.array([gate.arity for gate in gates], dtype=np.int64),
        coefficients,
    )


def gate_forms(layout: Layout) -> NDArray[np.uint64]:
    """Eight words for each gate of at most two inputs, the last three unused.

    The first four are the coefficients of its algebraic normal form; the fifth is all ones if the gate reads
    its second input.
    """
    words = np.zeros((len(layout.arities), 8), dtype=np.uint64)
    words[:, :4] = layout.anf[:, :4]
    words[layout.arities > 1, 4] = ~np.uint64(0)
    return words
