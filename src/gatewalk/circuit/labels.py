"""Names for a file format, made from the labels of a circuit: all different, and always the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from gatewalk.circuit.circuit import Circuit

Spelling = Callable[[str], str]  # a label as the format can hold it, at least one character
Used = dict[str, int]  # names that are taken, each with the last number that was appended to it


def source_names(circuit: Circuit) -> tuple[str, ...]:
    """A name for every source: labels of the inputs, then g1, g2, ... (with _ if a label is taken)."""
    taken = {*circuit.input_labels, *circuit.output_labels}
    prefix = "g"
    while any(re.fullmatch(re.escape(prefix) + r"\d+", label) for label in taken):
        prefix += "_"
    return circuit.input_labels + tuple(f"{prefix}{i}" for i in range(1, len(circuit) + 1))


def unused(name: str, used: Used) -> str:
    """The name, with _2, _3, ... appended if it is taken; the result is taken from now on."""
    free = name
    while free in used:
        used[name] += 1
        free = f"{name}_{used[name]}"
    used[free] = 1
    return free


def distinct(labels: Iterable[str], spell: Spelling, used: Used) -> list[str]:
    """The labels as the format spells them, all different and none of them taken already.

    Labels that the format can hold as they are come first, so that they keep their names.
    """
    given = list(labels)
    names: dict[int, str] = {}
    for kept in (True, False):
        for i, label in enumerate(given):
            if (spell(label) == label) == kept:
                names[i] = unused(spell(label), used)
    return [names[i] for i in range(len(given))]


def netlist_names(circuit: Circuit, spell: Spelling) -> tuple[list[str], list[str]]:
    """Names of all sources, and of the outputs; a gate that is an output has the name of the output.

    An output that is an input with the same label has the name of the input.
    """
    n = len(circuit.input_labels)
    used: Used = {}
    names = distinct(circuit.input_labels, spell, used)
    shared = {
        j: names[source]
        for j, (label, source) in enumerate(zip(circuit.output_labels, circuit.outputs, strict=True))
        if source < n and circuit.input_labels[source] == label
    }
    others = [label for j, label in enumerate(circuit.output_labels) if j not in shared]
    fresh = iter(distinct(others, spell, used))
    outputs = [shared[j] if j in shared else next(fresh) for j in range(len(circuit.outputs))]
    bearers: dict[int, str] = {}
    for output, source in zip(outputs, circuit.outputs, strict=True):
        # A buffer keeps a name of its own; otherwise it would be read back as a wire, not as a gate.
        if source >= n and circuit.nodes[source - n].gate.name != "buf":
            bearers.setdefault(source, output)
    return names + gate_names(circuit, spell, used, bearers), outputs


def gate_names(
    circuit: Circuit, spell: Spelling, used: Used, bearers: dict[int, str] | None = None
) -> list[str]:
    """Names of the gates: those that `bearers` gives for some source numbers, else g1, g2, ..."""
    n = len(circuit.input_labels)
    given = bearers or {}
    names: Sequence[str] = source_names(circuit)[n:]
    return [given.get(n + i) or unused(spell(name), used) for i, name in enumerate(names)]
