"""What makes a circuit cheaper, by any method: a search that moves from circuit to circuit, step by step.

All circuits on its way compute the same function. Some cost a little more than the cheapest one so far: this
is the way out of circuits that no single step improves.
"""

from __future__ import annotations

from typing import Protocol

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.synthesis.cgp_shrinker import begin_cgp
from gatewalk.synthesis.options import Options
from gatewalk.synthesis.resubstitution import begin_resubstitution


class Shrinker(Protocol):
    """A search under way. Costs are in units of `Cost`."""

    @property
    def steps(self) -> int:
        """How many steps were taken so far; each tries a circuit."""

    @property
    def best(self) -> int:
        """What the cheapest circuit so far costs."""

    @property
    def is_done(self) -> bool:
        """Whether the goal is reached, or nothing can be changed."""

    @property
    def best_circuit(self) -> Circuit:
        """The cheapest circuit so far."""

    @property
    def circuit(self) -> Circuit:
        """The circuit at which the search is now."""

    def advance(self, steps: int) -> None:
        """Take so many steps, or fewer if the goal is reached before."""


def begin(options: Options, target: Target, start: Circuit, *, run: int, number: int) -> Shrinker:
    """Begin at a circuit that computes the target and consists of the allowed gates.

    The seed of the options, `run` and `number` together choose the random numbers; every second run has more
    slack.

    >>> from gatewalk.circuit.cost import price
    >>> from gatewalk.circuit.own_targets import target
    >>> from gatewalk.circuit.target_circuit import target_circuit
    >>> from gatewalk.synthesis.options import basis
    >>> product = target("mul:2")
    >>> options = Options(gates=basis("and,xor,nimply"), price=price("gates"), evaluations=10_000)
    >>> shrinker = begin(options, product, target_circuit(product), run=0, number=0)
    >>> shrinker.advance(10_000)
    >>> shrinker.best, len(shrinker.best_circuit)
    (7, 7)
    """
    begin_with = begin_cgp if options.method == "cgp" else begin_resubstitution
    return begin_with(options, target, start, run=run, number=number)
