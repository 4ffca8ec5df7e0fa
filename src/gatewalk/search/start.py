"""Where a search begins: a random program, Theorem 4's penultimate program, or one from a file."""

from __future__ import annotations

import json
from pathlib import Path

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError, shown


def parse_start(text: str, nodes: int | None, wanted: Target, gates: GateSet, law: object) -> str:
    """ "random", or the genes of the program to begin from as "genes:0,1,...".

    `text`: random, penultimate (D = n-1: Theorem 4), genes:..., or a JSON file with a list of
    genes or an object with a key "genes".
    """
    if text == "random":
        return text
    if nodes is None or not isinstance(law, CgpLaw):
        raise InputError("trees start at random: --start is for --algorithm cgp")
    if text == "penultimate":
        genes = penultimate(wanted.inputs, nodes)
    elif text.startswith("genes:"):
        genes = _integers(text.removeprefix("genes:").split(","), "--start")
    else:
        genes = _from_file(Path(text))
    from gatewalk.cgp.genotype import check, shape_for

    shape = shape_for(inputs=wanted.inputs, outputs=wanted.outputs, nodes=nodes, gates=gates, law=law)
    return "genes:" + ",".join(map(str, check(shape, genes).tolist()))


def start_genes(start: str) -> list[int] | None:
    """The genes in a resolved start; None if it is random."""
    return None if start == "random" else [int(gene) for gene in start.removeprefix("genes:").split(",")]


def penultimate(n: int, nodes: int) -> list[int]:
    """Theorem 4's program: the first n-2 nodes conjoin n-1 inputs, the last node is inactive.

    Neither the input left over nor the node that the output reads is connected to the last node.
    """
    if n < 3 or nodes != n - 1:
        raise InputError(f"the penultimate start needs n >= 3 and n-1 nodes, not n = {n} and {nodes} nodes")
    genes = [0, 0, 1]
    for node in range(1, n - 2):
        genes += [0, n + node - 1, node + 1]
    return [*genes, 0, 0, 1, n + n - 3]


def _from_file(path: Path) -> list[int]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the start {shown(str(path))}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    genes = content.get("genes") if isinstance(content, dict) else content
    if not isinstance(genes, list):
        raise InputError(
            f'{path} holds no genes: a list of integers or an object with a key "genes" is needed'
        )
    return _integers(genes, str(path))


def _integers(values: list[object] | list[str], where: str) -> list[int]:
    try:
        return [int(str(value)) for value in values]
    except ValueError as error:
        raise InputError(f"{where}: genes must be integers ({error})") from error
