"""A family is a rule that gives a target for every size, as `and` gives and:8; `rules.py` holds the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gatewalk.boolean.tables import Words

Rule = Callable[[Words, int], Words]  # the columns of the inputs, and the size -> the columns of the outputs
Labels = Callable[[int], tuple[str, ...]]
OfSize = Callable[[int], int]

LARGEST_SIZE = 1_000_000


@dataclass(frozen=True)
class Family:
    """The targets that one rule defines, for every size from `smallest` to `largest`.

    rule: computes the outputs from the inputs and the size.
    gates: names of gates that can express every member; the default gate set of a search.
    symmetric: no permutation of the inputs changes a member.
    input_labels, output_labels, fewest_nodes: functions of the size.
    example: the size that lists of targets show.
    nodes: the default number of nodes of a search for small members; large members get more. None stands for
        the setting of the theorems: twice as many nodes as inputs, and a small budget.
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
        """The first line of the rule's docstring."""
        return (self.rule.__doc__ or "").split("\n")[0]


FAMILIES: dict[str, Family] = {}


def bus(name: str, width: int) -> tuple[str, ...]:
    """The labels of a number's bits, least significant first: X[0], X[1], ..."""
    return tuple(f"{name}[{i}]" for i in range(width))


def address_bits(size: int) -> int:
    """The number of bits of an address that selects one of `size` things."""
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
