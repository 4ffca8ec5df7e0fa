"""Local resynthesis: a large circuit is made smaller window by window.

Kocnova and Vasicek ("EA-based resynthesis: an efficient tool for optimization of digital circuits", Genetic
Programming and Evolvable Machines 21, 2020) cut small parts out of a large circuit, make them smaller by
Cartesian genetic programming and put them back. In most cases they found this better than evolving the whole
circuit. Here the caller chooses how a part is made smaller: by evolution, or by exact synthesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Literal, get_args

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.synthesis import windows as _windows
from gatewalk.synthesis.deferred_interrupt import deferred_interrupt
from gatewalk.synthesis.dont_cares import (
    Values,
    dependents,
    evaluate_gates,
    observable_target,
    plain_target,
    reachable_target,
    values_of,
)
from gatewalk.synthesis.exact_synthesis import MOST_INPUTS, smallest
from gatewalk.synthesis.windows import Window, cut, window_around
from gatewalk.synthesis.workpiece import Workpiece, circuit_of_work, replace_gates, workpiece_of

Shrink = Callable[[Target, Circuit], Circuit | None]
Watch = Callable[[int, int, float], None]  # called with the gates left, the windows tried and the seconds
_MOST_REMEMBERED = 1 << 16  # functions whose answer exact synthesis remembers

Freedom = Literal["none", "reachable", "observable"]
Measure = Callable[[Circuit], int]


@dataclass(frozen=True)
class Resynthesised:
    """The circuit that resynthesis arrived at.

    windows: how many windows were tried. improved: how many of them were replaced by something smaller.
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
    most_inputs: int = _windows.MOST_INPUTS,
    most_gates: int = _windows.MOST_GATES,
    freedom: Freedom = "none",
    neutral: bool = False,
    gates: str | GateSet | None = None,
    measure: Measure = len,
    stop: Callable[[], bool] | None = None,
    watch: Watch | None = None,
) -> Resynthesised:
    """The same function with fewer gates, by making parts of the circuit smaller.

    Parameters
    ----------
    circuit
        The circuit to make smaller.
    shrink
        Called with the function of a window (a target given by tables) and the window as a circuit. It
        returns another circuit for that function, or None. Its result is checked on all rows of the window.
    random
        Decides in which order gates are visited, and between equally good windows.
    seconds, most_windows
        When to stop; at least one of these or `stop` must be given.
    most_inputs, most_gates
        The largest window.
    freedom
        Which rows of a window are don't-cares: "none"; "reachable", those that never occur; "observable",
        also those that no output of the circuit notices. The latter two evaluate the circuit on all rows, for
        at most `dont_cares.MOST_INPUTS` inputs.
    neutral
        Whether to accept a replacement of the same size; it leads to windows that were not there before.
    gates
        The gates that the final simplification may use, as in `simplify`. Which gates `shrink` uses is up
        to `shrink`.
    measure
        The size of a circuit that has to become less: by default its number of gates.
    stop
        Called after every window; a true answer ends the search.
    watch
        Called after every window with the number of gates, the windows tried and the seconds so far.

    Returns
    -------
    Resynthesised
        The smaller circuit; after Ctrl-C, the circuit of that moment.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.circuit.circuit import Node
    >>> nodes = tuple(Node(gate("nand"), pair) for pair in ((0, 1), (0, 2), (1, 2), (3, 4)))
    >>> four = Circuit(("a", "b"), nodes, (5,), ("y",))
    >>> shrink = exactly(gates="xor,nand", seconds=10)
    >>> print(resynthesise(four, shrink=shrink, random=Random(1), most_windows=4).circuit)
    y = a ^ b
    """
    if freedom not in get_args(Freedom):
        raise InputError(f"freedom is {shown(freedom)}; it must be one of {', '.join(get_args(Freedom))}")
    if seconds is None and most_windows is None and stop is None:
        raise InputError("say when to end: give seconds, most_windows or stop")
    if seconds is not None and not seconds >= 0:
        raise InputError(f"seconds is {shown(seconds)}; it must be at least 0")
    if most_windows is not None:
        whole_number("most_windows", most_windows, least=0)
    began = monotonic()
    work = workpiece_of(simplify(circuit, gates=gates))
    values = None if freedom == "none" else values_of(work)
    tried = improved = 0
    interrupted = False
    try:
        for number in _gates_in_turn(work, random):
            if (seconds is not None and monotonic() - began >= seconds) or tried == most_windows:
                break
            window = window_around(
                work, number, most_inputs=most_inputs, most_gates=most_gates, random=random
            )
            tried += 1
            if len(window.nodes) > 1 and window.inputs:
                improved += _improve(work, window, shrink, values, freedom, neutral, measure)
            if watch is not None:
                watch(len(work), tried, monotonic() - began)
            if stop is not None and stop():
                break
    except KeyboardInterrupt:
        interrupted = True
    found = circuit_of_work(work)
    if not interrupted:
        found = simplify(found, gates=gates)
    return Resynthesised(found, tried, improved, interrupted, monotonic() - began)


def exactly(*, gates: str | GateSet, seconds: float) -> Shrink:
    """A `shrink` function for `resynthesise` that uses exact synthesis; for windows of few inputs and gates.

    The answer for each function is remembered, because in a regular circuit the same windows recur.

    Parameters
    ----------
    gates
        The gates to use.
    seconds
        The time limit for each window. A window that takes longer is left as it is, so the result depends on
        the speed of the machine.
    """
    found: dict[tuple[str, int], Circuit | None] = {}

    def shrink(wanted: Target, part: Circuit) -> Circuit | None:
        if wanted.inputs > MOST_INPUTS:
            return None
        asked = wanted.content, len(part) - 1
        if asked not in found:
            if len(found) >= _MOST_REMEMBERED:
                found.clear()
            found[asked] = smallest(wanted, gates=gates, at_most=asked[1], seconds=seconds).circuit
        return found[asked]

    return shrink


def _gates_in_turn(work: Workpiece, random: Random) -> Iterator[int]:
    """Yield every gate once in random order, then again, for as long as gates are left."""
    while work.gates:
        order = sorted(work.gates)
        random.shuffle(order)
        for number in order:
            if number in work.gates:
                yield number


def _improve(
    work: Workpiece,
    window: Window,
    shrink: Shrink,
    values: Values | None,
    freedom: Freedom,
    neutral: bool,
    measure: Measure,
) -> bool:
    """Replace the window if `shrink` finds something smaller, or with `neutral` something as small.

    Returns whether the replacement is smaller.
    """
    part = cut(work, window)
    if values is None:
        wanted = plain_target(work, window)
    elif freedom == "reachable":
        wanted = reachable_target(work, window, values)
    else:
        wanted = observable_target(work, window, values)
    replacement = shrink(wanted, part)
    if replacement is None or measure(replacement) >= measure(part) + neutral:
        return False
    verdict = matches(replacement, wanted)
    if not verdict:
        raise ValueError(f"shrink returned a circuit that does not compute its window: {verdict}")
    with deferred_interrupt():
        before = work.next
        affected = dependents(work, window.outputs) if freedom == "observable" else []
        replace_gates(work, window.nodes, replacement, window.inputs, window.outputs)
        if values is not None:
            for number in [number for number in values if number not in work.readers]:
                del values[number]
            evaluate_gates(work, values, work.gates.keys() & {*affected, *range(before, work.next)})
    return measure(replacement) < measure(part)
