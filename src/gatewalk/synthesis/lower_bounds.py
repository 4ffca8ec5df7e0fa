"""Numbers of gates that a function needs, each with its reason, found without search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.synthesis.wanted import Wanted, column, essential, wanted_of

MOST_INPUTS = 16


@dataclass(frozen=True)
class Bound:
    """A lower bound on the number of gates.

    Attributes
    ----------
    gates
        Fewer than this do not suffice.
    reason
        Why, in words.

    Examples
    --------
    >>> from gatewalk.synthesis import lower_bound
    >>> lower_bound("maj:3", gates="and,or,not").gates
    2
    """

    gates: int
    reason: str


def lower_bound(what: object, *, gates: str | GateSet) -> Bound:
    """The best lower bound on the number of gates that is known without a search.

    Parameters
    ----------
    what
        Whatever `gatewalk.target` takes, of at most `MOST_INPUTS` inputs.
    gates
        The gates that a circuit may use.

    Returns
    -------
    Bound
        The number, with the reason.

    Examples
    --------
    >>> lower_bound("xor:3", gates="and,or,not")
    Bound(gates=6, reason='y is a parity of 3 inputs: without xor 3 gates for each but one')
    """
    wanted = wanted_of(what, most_inputs=MOST_INPUTS, purpose="a lower bound")
    listed = gate_set(gates) if isinstance(gates, str) else gates
    return max(lower_bounds(wanted, listed), key=lambda bound: bound.gates)


def lower_bounds(wanted: Wanted, gates: GateSet) -> Iterator[Bound]:
    """Every bound that applies."""
    yield Bound(0, "nothing is known that it needs")
    yield from _one_output(wanted, gates)
    yield from _all_inputs(wanted, gates)
    yield _different_outputs(wanted)
    yield from _parities(wanted, gates)


def _one_output(wanted: Wanted, gates: GateSet) -> Iterator[Bound]:
    """A tree of g gates of k inputs has at most g(k - 1) + 1 leaves."""
    for h, label in enumerate(wanted.output_labels):
        inputs = len(essential(wanted, h))
        if inputs >= 2:
            needed = -(-(inputs - 1) // max(1, gates.arity - 1))
            yield Bound(
                needed, f"{label} depends on {inputs} inputs, and a gate joins at most {gates.arity} sources"
            )


def _all_inputs(wanted: Wanted, gates: GateSet) -> Iterator[Bound]:
    """g gates of k inputs read g k sources: every essential input, and every gate that is no output."""
    computed = _not_inputs(wanted)
    inputs = {j for h in computed for j in essential(wanted, h)}
    ends = len({(wanted.values[h], wanted.cares[h]) for h in computed})
    needed = -(-(len(inputs) - ends) // max(1, gates.arity - 1))
    if needed > 0:
        yield Bound(needed, f"{ends} outputs depend on {len(inputs)} inputs, each of which some gate reads")


def _not_inputs(wanted: Wanted) -> list[int]:
    """The outputs that are no input."""
    columns = [column(wanted.inputs, j) for j in range(wanted.inputs)]
    return [
        h
        for h, (value, care) in enumerate(zip(wanted.values, wanted.cares, strict=True))
        if all((value ^ one) & care for one in columns)
    ]


def _different_outputs(wanted: Wanted) -> Bound:
    """Outputs of which no two can be the same, and none an input, are a gate each."""
    chosen: list[int] = []
    for h in _not_inputs(wanted):
        if all(
            (wanted.values[h] ^ wanted.values[one]) & wanted.cares[h] & wanted.cares[one] for one in chosen
        ):
            chosen.append(h)
    return Bound(len(chosen), f"{len(chosen)} outputs are no inputs and no two of them are the same")


def _parities(wanted: Wanted, gates: GateSet) -> Iterator[Bound]:
    """Without xor and xnor parity takes 3(v - 1) gates.

    Schnorr, "Zwei lineare untere Schranken für die Komplexität Boolescher Funktionen", Computing 13, 1974.
    """
    if gates.arity > 2 or any(one.arity == 2 and one.table in (0b0110, 0b1001) for one in gates.gates):
        return
    for h, label in enumerate(wanted.output_labels):
        inputs = essential(wanted, h)
        if wanted.is_complete(h) and len(inputs) >= 2 and _is_parity(wanted, h, inputs):
            yield Bound(
                3 * (len(inputs) - 1),
                f"{label} is a parity of {len(inputs)} inputs: without xor 3 gates for each but one",
            )


def _is_parity(wanted: Wanted, output: int, inputs: tuple[int, ...]) -> bool:
    parity = 0
    for j in inputs:
        parity ^= column(wanted.inputs, j)
    return wanted.values[output] in (parity, parity ^ wanted.everything)
