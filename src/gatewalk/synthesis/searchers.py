"""The runs of a minimisation: searchers that make a circuit cheaper, several side by side on threads.

A *shrinker* moves from circuit to circuit, step by step. All circuits on its way compute the same function.
Some cost a little more than the cheapest one so far: this is the way out of circuits that no single step
improves. A *searcher* is a run. It advances in *turns*, between which other runs take theirs on the same
thread. What it does in a turn depends on the circuit and on the method:

- By resubstitution, a run is one walk of a shrinker (`resubstitution.py`), and a turn is a slice of steps. If
  all gates have at most two inputs, this finds the smaller circuits.
- By CGP, a run is an iterated local search. A turn is an epoch of the loop (`cgp_shrinker.py`), which changes
  the whole circuit and may end at a slightly dearer one, and a pass over the windows of that circuit, which
  finds the savings nearby. On the four-bit multiplier, windows alone get from 64 gates to 60 in a second and
  no further; the loop alone needs half a minute to reach 60, and continues to improve.
- A circuit that is too large for that is searched in windows alone (`window_search.py`), each with a shrinker
  of its own. A turn is a pass: it tries as many windows as the circuit has gates.

The result of a run depends only on its start, its options and its number, not on the threads or other runs.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from random import Random
from threading import Event
from typing import Protocol

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import cost_units
from gatewalk.circuit.own_targets import circuit_target
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import MOST, InputError
from gatewalk.search.scheduler import OnProgress, Slice, Stop, run_all
from gatewalk.synthesis.cgp_shrinker import begin_cgp
from gatewalk.synthesis.editable_circuit import make_editable, to_circuit
from gatewalk.synthesis.options import Method, Options
from gatewalk.synthesis.resubstitution import begin_resubstitution
from gatewalk.synthesis.window_search import try_windows
from gatewalk.synthesis.windows import MOST_OBSERVED_INPUTS

# A circuit is searched as a whole up to so many gates, and by resubstitution up to so many more if it has few
# inputs: then windows, which cannot read gates outside themselves, end at larger circuits in the same time.
MOST_WHOLE = 150
MOST_WHOLE_OF_FEW_INPUTS = 4_000
FEW_INPUTS = 10
# Offspring per epoch, used in rotation: short epochs suit small circuits, long ones suit larger ones.
EPOCHS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
SPARE = 25  # a program has at least so many nodes more than its circuit has gates
FIRST_OFFSPRING = 2_000  # of an epoch, before the clock is read
FIRST_STEPS = 100  # of a walk by resubstitution
FIRST_WINDOW = 1 << 32  # numbers of shrinkers from here on belong to windows, so none repeats a whole search


class Shrinker(Protocol):
    """A search for a cheaper circuit, by any method. Costs are in units of `Cost`."""

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
    >>> from gatewalk.circuit.construction import target_circuit
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


@dataclass(eq=False)
class Searcher:
    """A run under way.

    best, units: the cheapest circuit so far and what it costs.
    turns, evaluations, windows: how many turns were taken, and how many circuits and windows tried, so far.
    gates_now: the gates of the circuit that a long turn has come to so far; None between turns.
    """

    number: int
    best: Circuit
    units: int
    turns: int = 0
    evaluations: int = 0
    windows: int = 0
    gates_now: int | None = None
    is_done: bool = False


# Takes one turn of a run, which it updates in place; ends the turn early when the answer is yes.
Turn = Callable[[Searcher, Stop], None]


@dataclass(frozen=True)
class SearchResult:
    """The cheapest circuit of all runs.

    units: what it costs, in units of `Cost`.
    evaluations: those of all runs.
    run: the run that found it.
    interrupted: whether Ctrl-C ended the search.
    """

    circuit: Circuit
    units: int
    evaluations: int
    run: int
    interrupted: bool


def search_cheaper(
    start: Circuit,
    options: Options,
    *,
    target: Target | None,
    on_progress: OnProgress = lambda share, words: None,
) -> SearchResult:
    """Search for a cheaper circuit of the same function, beginning from `start`.

    target: this function; None if there is no table of it, in which case the search is in windows, as it is
        for circuits that are too large.
    """
    if target is None or not is_searched_whole(start, target, options.method):
        turn = window_turns(start, options)
    elif options.method == "cgp":
        turn = epoch_turns(start, options, target)
    else:
        turn = walk_turns(start, options, target)
    return take_turns(start, turn, options, on_progress=on_progress)


def is_searched_whole(start: Circuit, target: Target | None, method: Method) -> bool:
    """Whether a circuit is searched as a whole: it is small enough, and there is a table of its function."""
    if target is None:
        return False
    is_narrow = method == "resubstitution" and len(start.input_labels) <= FEW_INPUTS
    return len(start) <= (MOST_WHOLE_OF_FEW_INPUTS if is_narrow else MOST_WHOLE)


def take_turns(
    start: Circuit, turn: Turn, options: Options, *, on_progress: OnProgress = lambda share, words: None
) -> SearchResult:
    """Run all searches until the time or the evaluations are used up, the goal is reached or Ctrl-C comes."""
    began = time.perf_counter()
    deadline = inf if options.seconds is None else began + options.seconds
    units = cost_units(options.price, start)
    searchers = [Searcher(number, start, units) for number in range(options.runs)]
    waiting = deque(searchers if units > options.goal else ())
    enough = Event()  # a run is at the goal, and since the clock counts, no other run has to get there

    def take_turn(searcher: Searcher, stop: Stop) -> Searcher:
        def is_over() -> bool:
            # `stop` comes first: at Ctrl-C, a thread that has asked it is waited for, and nothing is lost.
            return (
                stop() or enough.is_set() or not _left(options, searcher) or time.perf_counter() >= deadline
            )

        if not is_over():
            turn(searcher, is_over)
            searcher.turns += 1
            searcher.gates_now = None
        searcher.is_done = searcher.is_done or searcher.units <= options.goal or is_over()
        return searcher

    def deliver(searcher: Searcher) -> None:
        if not searcher.is_done:
            waiting.append(searcher)
        elif searcher.units <= options.goal and options.seconds is not None:
            enough.set()

    def tick() -> None:
        on_progress(_share(options, searchers, time.perf_counter() - began), _words(searchers))

    interrupted = False
    try:
        jobs = min(options.jobs, options.runs)
        run_all(lambda: waiting.popleft() if waiting else None, take_turn, deliver, jobs=jobs, tick=tick)
    except KeyboardInterrupt:
        interrupted = True
    best = _best(searchers)
    evaluations = sum(searcher.evaluations for searcher in searchers)
    return SearchResult(best.best, best.units, evaluations, best.number, interrupted)


def _left(options: Options, searcher: Searcher) -> int:
    """How many circuits a run may still try."""
    return MOST if options.evaluations is None else max(0, options.evaluations - searcher.evaluations)


def _best(searchers: list[Searcher]) -> Searcher:
    """The run with the cheapest circuit; the first of them if several are equal."""
    return min(searchers, key=lambda searcher: (searcher.units, searcher.number))


def _share(options: Options, searchers: list[Searcher], seconds: float) -> float:
    """How much of the time or of the evaluations is used up, whichever ends the search first."""
    share = 0.0 if options.seconds is None else seconds / options.seconds
    if options.evaluations is not None:
        tried = sum(searcher.evaluations for searcher in searchers)
        share = max(share, tried / (options.evaluations * options.runs))
    return min(1.0, share)


def _words(searchers: list[Searcher]) -> str:
    best = _best(searchers)
    gates_now = best.gates_now  # read once: a thread may set it to None meanwhile
    gates = len(best.best) if gates_now is None else gates_now
    return f"{gates} gates, {sum(searcher.evaluations for searcher in searchers):,} circuits tried"


def walk_turns(start: Circuit, options: Options, target: Target) -> Turn:
    """The turn of a run by resubstitution: some steps of its walk."""
    walks = [begin(options, target, start, run=number, number=0) for number in range(options.runs)]
    walks[0].advance(0)  # compiles, before the clock runs
    pieces = [Slice(FIRST_STEPS) for _ in walks]

    def turn(searcher: Searcher, is_over: Stop) -> None:
        walk = walks[searcher.number]
        _advance(walk, pieces[searcher.number], most=_left(options, searcher))
        searcher.evaluations, searcher.is_done = walk.steps, walk.is_done
        _keep_best(searcher, walk)

    return turn


def epoch_turns(start: Circuit, options: Options, target: Target) -> Turn:
    """The turn of a run by CGP: an epoch, and a pass over the windows of the circuit at which it ends."""
    begin(options, target, start, run=0, number=0)  # compiles
    _warm_up(start, options)
    current = [start] * options.runs

    def turn(searcher: Searcher, is_over: Stop) -> None:
        last = _epoch(searcher, current[searcher.number], target, options, is_over)
        current[searcher.number] = last
        if searcher.units <= options.goal or is_over() or options.price.level_unit:
            return
        below = pass_over_windows(last, options, searcher, stop=is_over)
        units = cost_units(options.price, below)
        if units < searcher.units:  # otherwise the next epoch begins where this one ended, not below it
            current[searcher.number] = searcher.best = below
            searcher.units = units

    return turn


def _epoch(searcher: Searcher, current: Circuit, target: Target, options: Options, is_over: Stop) -> Circuit:
    """Run the next epoch in slices, and return the circuit at which it ends."""
    size = len(searcher.best)
    nodes = options.nodes or max(size + SPARE, 3 * size // 2)
    epoch = begin_cgp(
        options,
        target,
        current,
        run=searcher.number,
        number=searcher.turns,
        nodes=max(nodes, len(current)),
        best=searcher.units,
    )
    limit = min(EPOCHS[searcher.turns % len(EPOCHS)], _left(options, searcher))
    before, piece = searcher.evaluations, Slice(FIRST_OFFSPRING)
    while epoch.steps < limit and not epoch.is_done and not is_over():
        _advance(epoch, piece, most=limit - epoch.steps)
        searcher.evaluations = before + epoch.steps
        _keep_best(searcher, epoch)
    return epoch.circuit


def _advance(shrinker: Shrinker, piece: Slice, *, most: int) -> None:
    """Take a slice of steps, but at most so many."""
    before, began = shrinker.steps, time.perf_counter()
    shrinker.advance(min(piece.steps, most))
    piece.took(shrinker.steps - before, seconds=time.perf_counter() - began)


def _keep_best(searcher: Searcher, shrinker: Shrinker) -> None:
    if shrinker.best < searcher.units:
        searcher.best, searcher.units = shrinker.best_circuit, shrinker.best


def window_turns(start: Circuit, options: Options) -> Turn:
    """The turn of a run in windows: a pass over those of its circuit.

    No complete table is needed, so the circuit may have any number of inputs. The depth of the circuit is not
    a property of one window, so it cannot be part of the cost.
    """
    if options.price.level_unit:
        raise InputError(
            f"a circuit of {len(start.input_labels)} inputs and {len(start)} gates is made smaller in "
            "windows, where depth cannot count; use --cost gates, or prices of gates"
        )
    _warm_up(start, options)

    def turn(searcher: Searcher, is_over: Stop) -> None:
        def note(gates: int) -> None:
            searcher.gates_now = gates

        circuit = pass_over_windows(searcher.best, options, searcher, stop=is_over, on_window=note)
        units = cost_units(options.price, circuit)
        if units <= searcher.units:
            searcher.best, searcher.units = circuit, units

    return turn


@dataclass(frozen=True)
class _WindowSize:
    """The most inputs and gates of a window, and how many evaluations are spent on it."""

    inputs: int
    gates: int
    evaluations: int


_WINDOW_SIZES: dict[Method, _WindowSize] = {
    "cgp": _WindowSize(8, 20, 50_000),
    "resubstitution": _WindowSize(10, 40, 20_000),
}


def pass_over_windows(
    circuit: Circuit,
    options: Options,
    searcher: Searcher,
    *,
    stop: Stop,
    on_window: Callable[[int], None] = lambda gates: None,
) -> Circuit:
    """The circuit after trying to make as many windows cheaper as it has gates.

    on_window: called after every window with the number of gates that are left.
    """
    size = _window_size(options, circuit)
    work = make_editable(simplify(circuit, gates=options.gates))
    attempts = try_windows(
        work,
        shrink=lambda target, part: _shrink(target, part, searcher, options, most=size.evaluations),
        random=Random(f"{options.seed}/{searcher.number}/{searcher.turns}"),
        most_inputs=size.inputs,
        most_gates=size.gates,
        dont_cares=len(circuit.input_labels) <= MOST_OBSERVED_INPUTS,
        neutral=True,
        measure=lambda circuit: cost_units(options.price, circuit),
    )
    for _ in islice(attempts, len(circuit)):
        on_window(len(work))
        if stop():
            break
    return simplify(to_circuit(work), gates=options.gates)


def _warm_up(start: Circuit, options: Options) -> None:
    """Compile the kernels that search windows, before the time limit begins to run."""
    for inputs in {6, _window_size(options, start).inputs}:
        wire = Circuit(tuple(f"x{i}" for i in range(inputs)), (), (0,), ("y",))
        _shrink(circuit_target(wire), wire, Searcher(0, wire, 0), options, most=1)


def _window_size(options: Options, circuit: Circuit) -> _WindowSize:
    """The size of windows. If the circuit's rows fit one word, so do a window's: one kernel serves both."""
    size = _WINDOW_SIZES[options.method]
    return replace(size, inputs=6) if len(circuit.input_labels) <= 6 else size


def _shrink(
    target: Target, part: Circuit, searcher: Searcher, options: Options, *, most: int
) -> Circuit | None:
    """A circuit to replace a window, or None, after at most so many evaluations.

    It is the cheapest circuit that a shrinker reaches if that is cheaper than the window, else the last one
    if it costs the same.
    """
    number = FIRST_WINDOW + searcher.windows
    searcher.windows += 1
    shrinker = begin(replace(options, goal=0), target, part, run=searcher.number, number=number)
    shrinker.advance(min(most, _left(options, searcher)))
    searcher.evaluations += shrinker.steps
    cost = cost_units(options.price, part)
    if shrinker.best < cost:
        return shrinker.best_circuit
    last = shrinker.circuit
    return last if cost_units(options.price, last) == cost else None
