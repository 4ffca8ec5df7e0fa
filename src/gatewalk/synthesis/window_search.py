"""Resynthesis: parts of a large circuit, called windows, are made smaller one after the other.

A window has few inputs, so its table is small and a search is fast on it. Kocnova and Vasicek ("EA-based
resynthesis: an efficient tool for optimization of digital circuits", Genetic Programming and Evolvable
Machines 21, 2020) cut such parts out of a large circuit, make them smaller by Cartesian genetic programming
and put them back. In most cases they found this better than evolving the whole circuit. Here whatever makes
a circuit smaller will do. A smaller circuit is put in place of the window; so is one of the same size, if
wanted, because it opens up windows that were not there before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.search.scheduler import OnProgress, Stop, interruptible
from gatewalk.synthesis.editable_circuit import EditableCircuit, make_editable, replace_gates, to_circuit
from gatewalk.synthesis.windows import (
    MOST_GATES,
    MOST_INPUTS,
    Values,
    Window,
    cut,
    dependents,
    evaluate_gates,
    observable_target,
    plain_target,
    values_of,
    window_around,
)

Shrink = Callable[[Target, Circuit], Circuit | None]
Measure = Callable[[Circuit], int]


@dataclass(frozen=True)
class Resynthesised:
    """The circuit that resynthesis arrived at.

    windows: how many windows were tried.
    improved: how many of them were replaced by something smaller.
    interrupted: whether Ctrl-C came before the end.
    """

    circuit: Circuit
    windows: int
    improved: int
    interrupted: bool
    seconds: float


def resynthesise(
    circuit: Circuit,
    *,
    shrink: Shrink,
    random: Random,
    seconds: float | None = None,
    most_windows: int | None = None,
    most_inputs: int = MOST_INPUTS,
    most_gates: int = MOST_GATES,
    dont_cares: bool = False,
    neutral: bool = False,
    gates: str | GateSet | None = None,
    measure: Measure = len,
    stop: Stop | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> Resynthesised:
    """The same function with fewer gates, by making parts of the circuit smaller.

    At Ctrl-C the circuit of that moment is returned.

    shrink: called with the function of a window (a target given by tables) and the window as a circuit. It
        returns another circuit for that function, or None. Its result is checked on all rows of the window.
    random: decides in which order gates are visited, and between equally good windows.
    seconds, most_windows, stop: when to stop; at least one must be given. `stop` is asked after every window.
    most_inputs, most_gates: the largest window.
    dont_cares: whether rows of a window do not count that never occur or that no output of the circuit
        notices. To find them, the circuit is evaluated on all rows, for at most
        `windows.MOST_OBSERVED_INPUTS` inputs.
    neutral: whether to accept a replacement of the same size.
    gates: those that the final simplification may use, as in `simplify`; `shrink` may use others.
    measure: the size that has to become less.
    on_progress: called after every window.

    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.circuit.circuit import Node
    >>> from gatewalk.synthesis import smallest
    >>> nodes = tuple(Node(gate("nand"), pair) for pair in ((0, 1), (0, 2), (1, 2), (3, 4)))
    >>> four = Circuit(("a", "b"), nodes, (5,), ("y",))
    >>> def shrink(target, part):
    ...     return smallest(target, gates="xor,nand", at_most=len(part) - 1).circuit
    >>> print(resynthesise(four, shrink=shrink, random=Random(1), most_windows=4).circuit)
    y = a ^ b
    """
    if seconds is None and most_windows is None and stop is None:
        raise InputError("give a limit: seconds, most_windows or stop")
    if seconds is not None and not seconds >= 0:
        raise InputError(f"seconds is {shown(seconds)}; it must be at least 0")
    if most_windows is not None:
        whole_number("most_windows", most_windows, least=0)
    began = monotonic()
    work = make_editable(simplify(circuit, gates=gates))
    attempts = try_windows(
        work,
        shrink=shrink,
        random=random,
        most_inputs=most_inputs,
        most_gates=most_gates,
        dont_cares=dont_cares,
        neutral=neutral,
        measure=measure,
    )
    tried = improved = 0

    def share() -> float:
        """How much of the windows or of the time is used up, whichever ends the search first."""
        shares = [0.0]
        if most_windows is not None:
            shares.append(tried / most_windows if most_windows else 1.0)
        if seconds is not None:
            shares.append((monotonic() - began) / seconds if seconds else 1.0)
        return min(1.0, max(shares))

    with interruptible() as interrupted:
        try:
            while share() < 1 and (is_smaller := next(attempts, None)) is not None:
                tried += 1
                improved += is_smaller
                on_progress(share(), f"{len(work)} gates, {tried:,} windows tried")
                if interrupted.is_set() or (stop is not None and stop()):
                    break
        except KeyboardInterrupt:
            if interrupted.is_set():  # the second Ctrl-C, which may have come while a window was replaced
                raise
            interrupted.set()  # a SAT solver in `shrink` hears Ctrl-C itself
    smaller = to_circuit(work)
    if not interrupted.is_set():
        smaller = simplify(smaller, gates=gates)
    return Resynthesised(smaller, tried, improved, interrupted.is_set(), monotonic() - began)


def try_windows(
    work: EditableCircuit,
    *,
    shrink: Shrink,
    random: Random,
    most_inputs: int,
    most_gates: int,
    dont_cares: bool,
    neutral: bool,
    measure: Measure,
) -> Iterator[bool]:
    """Try to make windows smaller, and yield after each of them whether it became smaller.

    This goes on for as long as there are gates; whoever wants no more takes the circuit from `work`. For the
    arguments, see `resynthesise`.
    """
    values = values_of(work) if dont_cares else None
    for number in _gates_in_turn(work, random):
        window = window_around(work, number, most_inputs=most_inputs, most_gates=most_gates, random=random)
        is_worth_it = len(window.nodes) > 1 and len(window.inputs) > 0
        yield is_worth_it and _improve(work, window, shrink, values, neutral, measure)


def _gates_in_turn(work: EditableCircuit, random: Random) -> Iterator[int]:
    """Yield every gate once in random order, then again, for as long as gates are left."""
    while work.gates:
        order = sorted(work.gates)
        random.shuffle(order)
        for number in order:
            if number in work.gates:
                yield number


def _improve(
    work: EditableCircuit,
    window: Window,
    shrink: Shrink,
    values: Values | None,
    neutral: bool,
    measure: Measure,
) -> bool:
    """Replace the window if `shrink` finds something smaller, or with `neutral` something as small.

    values: those of all sources, kept up to date; None if don't-cares are not used. Returns whether the
    replacement is smaller.
    """
    part = cut(work, window)
    target = plain_target(work, window) if values is None else observable_target(work, window, values)
    replacement = shrink(target, part)
    if replacement is None or measure(replacement) >= measure(part) + neutral:
        return False
    verdict = equivalent(replacement, target)
    if not verdict:
        raise ValueError(f"shrink returned a circuit that does not compute its window: {verdict}")
    before = work.next
    affected = [] if values is None else dependents(work, window.outputs)
    replace_gates(work, window.nodes, replacement, window.inputs, window.outputs)
    if values is not None:
        for number in [number for number in values if number not in work.readers]:
            del values[number]
        evaluate_gates(work, values, work.gates.keys() & {*affected, *range(before, work.next)})
    return measure(replacement) < measure(part)
