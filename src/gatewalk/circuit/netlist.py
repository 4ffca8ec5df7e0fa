"""From a netlist to a circuit: signals with names, each defined once from others, in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.draft import Draft, finished
from gatewalk.errors import InputError, shown


@dataclass(frozen=True)
class Definition:
    """The definition of a signal: its line in the file, the signals it reads, and how to add it to a circuit.

    build(draft, sources): adds gates that read the sources of the signals read; returns the signal's source.
    """

    line: int
    reads: tuple[str, ...]
    build: Callable[[Draft, Sequence[int]], int]


def define(definitions: dict[str, Definition], signal: str, definition: Definition) -> None:
    """Add a definition; it is an error if the signal has one already."""
    if signal in definitions:
        line, first = definition.line, definitions[signal].line
        raise InputError(f"line {line}: {shown(signal)} is defined again, first on line {first}")
    definitions[signal] = definition


def connected(
    inputs: Sequence[str], outputs: Sequence[str], definitions: Mapping[str, Definition]
) -> Circuit:
    """The circuit of the signals that some output needs, in the order of the definitions where possible."""
    given = set(inputs)
    for signal, definition in definitions.items():
        if signal in given:
            raise InputError(f"line {definition.line}: {shown(signal)} is an input and cannot be defined")
    needed = _needed(given, outputs, definitions)
    draft = Draft(len(inputs))
    place = {label: i for i, label in enumerate(inputs)}
    for first in definitions:
        if first in needed:
            _place(first, draft, place, definitions)
    return finished(draft, inputs, [place[label] for label in outputs], outputs)


def _needed(given: set[str], outputs: Sequence[str], definitions: Mapping[str, Definition]) -> set[str]:
    needed: set[str] = set()
    pending = [(signal, 0) for signal in outputs]
    while pending:
        signal, line = pending.pop()
        if signal in given or signal in needed:
            continue
        if signal not in definitions:
            reason = f"read on line {line}" if line else "an output"
            raise InputError(f"signal {shown(signal)} is neither an input nor defined (it is {reason})")
        needed.add(signal)
        definition = definitions[signal]
        pending += [(name, definition.line) for name in definition.reads if name not in needed]
    return needed


def _place(first: str, draft: Draft, place: dict[str, int], definitions: Mapping[str, Definition]) -> None:
    """Add a signal to the draft after all signals that it reads.

    Netlists can be deep, so there is no recursion: `path` holds the signals under construction, each of which
    reads the next.
    """
    path = [] if first in place else [(first, iter(definitions[first].reads))]
    on_path = {first}
    while path:
        signal, reads = path[-1]
        missing = next((name for name in reads if name not in place), None)
        if missing is None:
            definition = definitions[signal]
            place[signal] = definition.build(draft, [place[name] for name in definition.reads])
            on_path.discard(signal)
            path.pop()
        elif missing in on_path:
            raise InputError(f"line {definitions[missing].line}: {shown(missing)} depends on itself")
        else:
            path.append((missing, iter(definitions[missing].reads)))
            on_path.add(missing)
