"""Families: targets of one rule, a member for every size; `rules.py` holds the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gatewalk.boolean.tables import Words

Rule = Callable[[Words, int], Words]  # the columns of the inputs and the size -> those of the outputs
Labels = Callable[[int], tuple[str, ...]]
OfSize = Callable[[int], int]

LARGEST_SIZE = 1_000_000


@dataclass(frozen=True)
class Family:
    """Targets of one rule, a member for every size from `smallest` to `largest`.

    Labels and `fewest_nodes` are functions of the size; `example` is the size that lists show. `nodes` is the
    default of a search, more where there are many inputs and outputs; None stands for the setting of the
    theorems, twice the inputs and a small budget.
    """

    name: str
    rule: Rule
    gates: tuple[str, ...]
    symmetric: bool
    input_labels: Labels
    output_labels: Labels
    fewest_nodes: OfSize
    smallest: int
    largest: int
    example: int
    nodes: int | None

    @property
    def description(self) -> str:
        """The first line of what the rule says of itself."""
        return (self.rule.__doc__ or "").split("\n")[0]


FAMILIES: dict[str, Family] = {}


def bus(name: str, width: int) -> tuple[str, ...]:
    """The labels of a number's bits, least significant first: X[0], X[1], ..."""
    return tuple(f"{name}[{i}]" for i in range(width))


def address_bits(size: int) -> int:
    """Bits that tell so many things apart."""
    return (size - 1).bit_length()


def _plain_inputs(size: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(1, size + 1))


def family(
    name: str,
    *,
    gates: str,
    symmetric: bool = True,
    inputs: Labels = _plain_inputs,
    outputs: Labels = lambda size: ("y",),
    fewest_nodes: OfSize = lambda size: size - 1,
    smallest: int = 1,
    largest: int = LARGEST_SIZE,
    example: int = 8,
    nodes: int | None = None,
) -> Callable[[Rule], Rule]:
    """Register the decorated rule under a name; the options are the fields of `Family`."""

    def register(rule: Rule) -> Rule:
        FAMILIES[name] = Family(
            name=name,
            rule=rule,
            gates=tuple(gates.split(",")),
            symmetric=symmetric,
            input_labels=inputs,
            output_labels=outputs,
            fewest_nodes=fewest_nodes,
            smallest=smallest,
            largest=largest,
            example=example,
            nodes=nodes,
        )
        return rule

    return register
