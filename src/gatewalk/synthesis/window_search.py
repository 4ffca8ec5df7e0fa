"""Search for a cheaper circuit in windows: parts of a large circuit are made cheaper one after the other.

A window has few inputs, so its table is small and a search is fast on it. Kocnova and Vasicek ("EA-based
resynthesis: an efficient tool for optimization of digital circuits", Genetic Programming and Evolvable
Machines 21, 2020) cut such parts out of a large circuit, make them smaller by Cartesian genetic programming
and put them back. In most cases they found this better than evolving the whole circuit. Here any shrinker
will do. A cheaper circuit is put in place of the window; so is one that costs the same, because it opens up
windows that were not there before.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import cost_units
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_targets import circuit_target
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.synthesis import windows as _windows
from gatewalk.synthesis.editable_circuit import EditableCircuit, make_editable, replace_gates, to_circuit
from gatewalk.synthesis.options import Options, Watch
from gatewalk.synthesis.shrinker import begin
from gatewalk.synthesis.turns import IsOver, Searcher, SearchResult, take_turns
from gatewalk.synthesis.windows import (
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

_WINDOWS = 1 << 32  # numbers of shrinkers from here on belong to windows, so none repeats a whole search


@dataclass(frozen=True)
class _Size:
    """The most inputs and gates of a window, and how many evaluations are spent on it."""

    inputs: int
    gates: int
    evaluations: int


_SIZES = {"cgp": _Size(8, 20, 50_000), "resubstitution": _Size(10, 40, 20_000)}


def search_windows(start: Circuit, options: Options, *, watch: Watch | None = None) -> SearchResult:
    """Search for a cheaper circuit window by window.

    No complete table is needed, so the circuit may have any number of inputs. The depth of the circuit is not
    a property of one window, so it cannot be part of the cost.
    """
    if options.price.level_unit:
        raise InputError(
            f"a circuit of {len(start.input_labels)} inputs and {len(start)} gates is made smaller in "
            "windows, where depth cannot count; use --cost gates, or prices of gates"
        )
    warm_up(start, options)

    def turn(run: Searcher, is_over: IsOver) -> None:
        def tell(gates: int, windows: int, seconds: float) -> None:
            run.gates_now = gates

        circuit = pass_over_windows(run.best, options, run, stop=is_over, watch=tell)
        units = cost_units(options.price, circuit)
        if units <= run.units:
            run.best, run.units = circuit, units

    return take_turns(start, turn, options, watch=watch)


def warm_up(start: Circuit, options: Options) -> None:
    """Compile the kernels that search windows, before the time limit begins to run."""
    for inputs in {6, _size(options, start).inputs}:
        wire = Circuit(tuple(f"x{i}" for i in range(inputs)), (), (0,), ("y",))
        _shrink(circuit_target(wire), wire, Searcher(0, wire, 0), options, most_evaluations=1)


def pass_over_windows(
    circuit: Circuit, options: Options, run: Searcher, *, stop: IsOver, watch: WatchWindows | None = None
) -> Circuit:
    """The circuit after trying to make as many windows cheaper as it has gates."""
    size = _size(options, circuit)
    return resynthesise(
        circuit,
        shrink=lambda target, part: _shrink(target, part, run, options, most_evaluations=size.evaluations),
        random=Random(f"{options.seed}/{run.number}/{run.turns}"),
        most_windows=len(circuit),
        most_inputs=size.inputs,
        most_gates=size.gates,
        dont_cares=len(circuit.input_labels) <= _windows.MOST_OBSERVED_INPUTS,
        neutral=True,
        gates=options.gates,
        measure=lambda circuit: cost_units(options.price, circuit),
        stop=stop,
        watch=watch,
    ).circuit


def _size(options: Options, circuit: Circuit) -> _Size:
    """The size of windows. If the circuit's rows fit one word, so do a window's: one kernel serves both."""
    size = _SIZES[options.method]
    return replace(size, inputs=6) if len(circuit.input_labels) <= 6 else size


def _shrink(
    target: Target, part: Circuit, run: Searcher, options: Options, *, most_evaluations: int
) -> Circuit | None:
    """A circuit to replace a window, or None.

    It is the cheapest circuit found if that is cheaper than the window, else the last one if it costs the
    same.
    """
    steps = most_evaluations
    if options.evaluations is not None:
        steps = min(steps, options.evaluations - run.evaluations)
    number = _WINDOWS + run.windows
    run.windows += 1
    shrinker = begin(replace(options, goal=0), target, part, run=run.number, number=number)
    shrinker.advance(steps)
    run.evaluations += shrinker.steps
    cost = cost_units(options.price, part)
    if shrinker.best < cost:
        return shrinker.best_circuit
    last = shrinker.circuit
    return last if cost_units(options.price, last) == cost else None


Shrink = Callable[[Target, Circuit], Circuit | None]
WatchWindows = Callable[[int, int, float], None]  # called with the gates now, the windows tried, the seconds


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
    dont_cares: bool = False,
    neutral: bool = False,
    gates: str | GateSet | None = None,
    measure: Callable[[Circuit], int] = len,
    stop: Callable[[], bool] | None = None,
    watch: WatchWindows | None = None,
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
    dont_cares
        Whether rows of a window do not count that never occur or that no output of the circuit notices. To
        find them, the circuit is evaluated on all rows, for at most `windows.MOST_OBSERVED_INPUTS` inputs.
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
    values = values_of(work) if dont_cares else None
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
                improved += _improve(work, window, shrink, values, neutral, measure)
            if watch is not None:
                watch(len(work), tried, monotonic() - began)
            if stop is not None and stop():
                break
    except KeyboardInterrupt:
        interrupted = True
    smaller = to_circuit(work)
    if not interrupted:
        smaller = simplify(smaller, gates=gates)
    return Resynthesised(smaller, tried, improved, interrupted, monotonic() - began)


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
    measure: Callable[[Circuit], int],
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
    verdict = matches(replacement, target)
    if not verdict:
        raise ValueError(f"shrink returned a circuit that does not compute its window: {verdict}")
    with deferred_interrupt():
        before = work.next
        affected = [] if values is None else dependents(work, window.outputs)
        replace_gates(work, window.nodes, replacement, window.inputs, window.outputs)
        if values is not None:
            for number in [number for number in values if number not in work.readers]:
                del values[number]
            evaluate_gates(work, values, work.gates.keys() & {*affected, *range(before, work.next)})
    return measure(replacement) < measure(part)


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Defer Ctrl-C until the end of the block, so that it cannot leave a circuit half changed.

    In other threads than the main one this does nothing: they do not hear Ctrl-C.
    """
    usual = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(usual):
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if heard:
            usual(*heard[0])
