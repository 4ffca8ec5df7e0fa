"""Netlists: signals with names, each defined once from others, in any order; and lines with their numbers.

A file can hold millions of signals, so all of this takes time and memory proportional to its size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.files import reached
from gatewalk.errors import InputError, shown

_MOST_DIGITS = 18
_NEXT_CODE = re.compile(r"^[^\S\n]*[^\s#]", re.MULTILINE)  # the beginning of a line that says something

Key = TypeVar("Key", bound=Hashable)
Signal = Hashable  # a name, or what stands for one; its repr is what error messages show


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a signal: its line in the file, the signals it reads, and how to add it to a circuit.

    build(draft, sources): adds gates that read the sources of the signals read; returns the signal's source.
    """

    line: int
    reads: tuple[Signal, ...]
    build: Callable[[Draft, Sequence[int]], int]


def define(definitions: dict[Signal, Definition], signal: Signal, definition: Definition) -> None:
    """Add a definition; it is an error if the signal has one already."""
    if signal in definitions:
        line, first = definition.line, definitions[signal].line
        raise InputError(f"line {line}: {shown(signal)} is defined again, first on line {first}")
    definitions[signal] = definition


def connected(
    inputs: Sequence[str], outputs: Sequence[str], definitions: Mapping[Signal, Definition]
) -> Circuit:
    """The circuit of the signals that some output needs, in the order of the definitions where possible."""
    reached(1, 1, "building the circuit")
    given: set[Signal] = set(inputs)
    for signal, definition in definitions.items():
        if signal in given:
            raise InputError(f"line {definition.line}: {shown(signal)} is an input and cannot be defined")
    needed = _needed(given, outputs, definitions)

    def looped(signal: Signal, reader: Signal) -> InputError:
        return InputError(f"line {definitions[signal].line}: {shown(signal)} depends on itself")

    draft = Draft(len(inputs))
    source: dict[Signal, int] = {label: i for i, label in enumerate(inputs)}
    first = [signal for signal in definitions if signal in needed]
    del needed
    for signal in in_order(first, lambda name: definitions[name].reads, done=source, looped=looped):
        definition = definitions[signal]
        source[signal] = definition.build(draft, [source[name] for name in definition.reads])
    return draft.circuit(inputs, [source[label] for label in outputs], outputs)


def _needed(
    given: set[Signal], outputs: Sequence[str], definitions: Mapping[Signal, Definition]
) -> set[Signal]:
    needed: set[Signal] = set()
    pending: list[tuple[Signal, int]] = [(signal, 0) for signal in outputs]
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
    done: Container[Key],
    looped: Callable[[Key, Key], InputError],
) -> Iterator[Key]:
    """The given keys and all that they read, each after what it reads, otherwise as they come.

    done: keys to leave out; the caller enters every key there before it asks for the next one. looped(key,
    reader): the error to raise if a key depends on itself. Netlists can be deep, so there is no recursion:
    `path` holds the keys under way, each of which reads the next.
    """
    for root in first:
        path = [] if root in done else [root]
        pending = [iter(reads(key)) for key in path]
        on_path = set(path)
        while path:
            key = path[-1]
            for read in pending[-1]:
                if read not in done:
                    if read in on_path:
                        raise looped(read, key)
                    path.append(read)
                    pending.append(iter(reads(read)))
                    on_path.add(read)
                    break
            else:
                yield key
                on_path.discard(path.pop())
                pending.pop()


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with its number, from 1 on, without what follows a #.

    They come one at a time, so that a large file is not held twice. Of lines in a row that say nothing only
    the first is given: a file may be millions of them.
    """
    number, start = 1, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].partition("#")[0].rstrip()
        yield number, line
        if not number & 4095:
            reached(start, len(text), f"line {number:,}")
        number, start = number + 1, end + 1
        if not line:
            following = _NEXT_CODE.search(text, start)
            if following is None:
                return
            number += text.count("\n", start, following.start())
            start = following.start()


def whole_number_in(word: str, what: str, line: int, most: int) -> int:
    """The whole number written in a word of a line; `InputError` if it is not one or larger than `most`.

    A size that a file declares is thus checked before memory is reserved for it.
    """
    if not word.isascii() or not word.isdigit():
        raise InputError(f"line {line}: {what} must be a whole number, not {shown(word)}")
    if len(word) > _MOST_DIGITS or int(word) > most:
        raise InputError(f"line {line}: {what} is {shown(word)}; Gatewalk reads at most {most:,}")
    return int(word)
