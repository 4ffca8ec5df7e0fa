"""Netlists: signals with names, each defined once from others, in any order; and lines with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.errors import InputError, shown

_MOST_DIGITS = 18

Key = TypeVar("Key", bound=Hashable)


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

    def looped(signal: str, reader: str) -> InputError:
        return InputError(f"line {definitions[signal].line}: {shown(signal)} depends on itself")

    draft = Draft(len(inputs))
    source = {label: i for i, label in enumerate(inputs)}
    first = [signal for signal in definitions if signal in needed]
    for signal in in_order(first, lambda name: definitions[name].reads, known=given, looped=looped):
        definition = definitions[signal]
        source[signal] = definition.build(draft, [source[name] for name in definition.reads])
    return draft.circuit(inputs, [source[label] for label in outputs], outputs)


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


def in_order(
    first: Iterable[Key],
    reads: Callable[[Key], Iterable[Key]],
    *,
    known: Iterable[Key],
    looped: Callable[[Key, Key], InputError],
) -> Iterator[Key]:
    """The given keys and all that they read, each after what it reads, otherwise as they come.

    Keys that are known read nothing and are left out. looped(key, reader): the error to raise if a key
    depends on itself. Netlists can be deep, so there is no recursion: `path` holds the keys under way, each
    of which reads the next.
    """
    done = set(known)
    for root in first:
        path = [] if root in done else [(root, iter(reads(root)))]
        on_path = {root}
        while path:
            key, pending = path[-1]
            missing = next((one for one in pending if one not in done), None)
            if missing is None:
                yield key
                done.add(key)
                on_path.discard(key)
                path.pop()
            elif missing in on_path:
                raise looped(missing, key)
            else:
                path.append((missing, iter(reads(missing))))
                on_path.add(missing)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with its number, from 1 on; one at a time, so that a large file is not held twice."""
    number, start = 1, 0
    while (end := text.find("\n", start)) >= 0:
        yield number, text[start:end].removesuffix("\r")
        number, start = number + 1, end + 1
    if start < len(text):
        yield number, text[start:]


def whole_number_in(word: str, what: str, line: int, most: int) -> int:
    """The whole number written in a word of a line; `InputError` if it is not one or larger than `most`.

    A size that a file declares is thus checked before memory is reserved for it.
    """
    if not word.isascii() or not word.isdigit():
        raise InputError(f"line {line}: {what} must be a whole number, not {shown(word)}")
    if len(word) > _MOST_DIGITS or int(word) > most:
        raise InputError(f"line {line}: {what} is {shown(word)}; Gatewalk reads at most {most:,}")
    return int(word)
