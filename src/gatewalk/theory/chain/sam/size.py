"""How large a chain would be, estimated before any memory is allocated."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Shape
from gatewalk.errors import InputError
from gatewalk.numbers import decimal
from gatewalk.theory.chain.sam.node_states import swapped_gates
from gatewalk.theory.chain.sam.symmetries import input_symmetries
from gatewalk.theory.chain.sam.tables import MOST_INPUTS, MOST_ROWS
from gatewalk.theory.chain.solving import BASIS_BYTES, RESTART

MEMORY = 16_000_000_000
WIDEST = 2


class TooLarge(InputError):
    """A chain is too large to be solved.

    what: why it is, without advice.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}; {OTHERWISE}", option="nodes")
        self.what = what


OTHERWISE = "otherwise use gatewalk evolve"


def genotype_count(shape: Shape) -> int:
    """How many programs there are."""
    return prod(shape.ranges.count.tolist())


def axis_size(shape: Shape, node: int, *, swaps: bool = True) -> int:
    """The number of states of a node, as `axes_of` makes them."""
    functions = len(shape.gates)
    reach = int(shape.ranges.count[node * shape.block + 1])
    partners = swapped_gates(shape.gates) if swaps else None
    if partners is None:
        return functions * int(reach**shape.arity)
    commutative = sum(partner == gate for gate, partner in enumerate(partners))
    return (functions * reach**2 + commutative * reach) // 2


def estimated_bytes(shape: Shape, symmetries: int, *, swaps: bool = True) -> int:
    """About how many bytes solving takes.

    The largest tensor is over the states of all nodes; mixing holds six of its size. In addition there are
    one number for each place, about sixteen moves and a dozen numbers for each class (classes are programs up
    to swaps and symmetries), and the basis of GMRES. Measured peaks of 0.7 to 3 GB are within a tenth of
    this.
    """
    tensor = prod(axis_size(shape, node, swaps=swaps) for node in range(shape.nodes))
    classes = tensor * int((shape.inputs + shape.nodes) ** shape.outputs) // symmetries
    places = 2 * tensor if symmetries > 1 else 0
    return 48 * tensor + 4 * places + 164 * classes + min(8 * RESTART * classes, BASIS_BYTES)


def estimated_classes(shape: Shape, symmetries: int, *, swaps: bool = True) -> int:
    """About how many classes there will be, solved ones included."""
    tensor = prod(axis_size(shape, node, swaps=swaps) for node in range(shape.nodes))
    return max(1, tensor * int((shape.inputs + shape.nodes) ** shape.outputs) // symmetries)


def check_size(
    search: CgpSearch, *, training: TrainingSet | None = None, lump: bool = True, memory: int = MEMORY
) -> None:
    """Raise `InputError` if the chain cannot be solved, saying how large it is and what is possible.

    If it is only too large, this is a `TooLarge`.

    training: a sampled set; None stands for the complete one.
    """
    check_kind(search)
    genotypes = genotype_count(search.shape)
    if training is not None and training.rows > MOST_ROWS:
        raise InputError(f"exact times on sampled sets are for at most {MOST_ROWS} rows, not {training.rows}")
    rows = training or complete(search.target)
    needed = _bytes(search.shape, rows, lump)
    if needed <= memory:
        return
    smaller = smaller_shapes(search)
    possible = [nodes for nodes, shape in smaller.items() if _bytes(shape, rows, lump) <= memory]
    classes = estimated_classes(search.shape, _symmetries(search.shape, rows, lump), swaps=lump)
    raise too_large(search, genotypes, classes, needed, memory, max(possible, default=0))


def check_kind(search: CgpSearch) -> None:
    """Raise `InputError` if no number of nodes would make the chain small enough."""
    if search.gates.arity > WIDEST:
        raise InputError(
            f"exact times need gates of at most {WIDEST} inputs, not {search.gates}; use --gates"
        )
    if search.n > MOST_INPUTS:
        raise TooLarge(
            f"{search.target.name} with {search.nodes} nodes has {_about(genotype_count(search.shape))} "
            f"genotypes; exact times are possible for up to {MOST_INPUTS} inputs and few nodes, such as "
            "and:4 with 5"
        )


def smaller_shapes(search: CgpSearch) -> dict[int, Shape]:
    """The shapes of the same search with fewer nodes, by their number."""
    grid = search.law.rows
    return {nodes: replace(search, nodes=nodes).shape for nodes in range(grid, search.nodes, grid)}


def too_large(
    search: CgpSearch, genotypes: int, classes: int, needed: int, memory: int, possible: int
) -> TooLarge:
    """The error for a chain that needs too many bytes. possible: the most nodes that fit; 0 if none do."""
    advice = f"up to {possible} nodes are possible" if possible else "no number of nodes is possible"
    return TooLarge(
        f"{search.target.name} with {search.nodes} nodes has {_about(genotypes)} genotypes in about "
        f"{_about(classes)} classes, which need about {_gigabytes(needed)} GB, more than "
        f"--memory {memory / 1e9:g}; {advice}"
    )


def _gigabytes(number: int) -> str:
    return f"{number / 1e9:.1f}" if number < 10**10 else _about(number // 10**9)


def _bytes(shape: Shape, training: TrainingSet, lump: bool) -> int:
    return estimated_bytes(shape, _symmetries(shape, training, lump), swaps=lump)


def _symmetries(shape: Shape, training: TrainingSet, lump: bool) -> int:
    return len(input_symmetries(shape, training)) if lump else 1


def _about(number: int) -> str:
    if number < 10_000_000:
        return f"{number:,}"
    digits = decimal(number)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
