"""If-then rules of a circuit: an irredundant sum of products for each output, over the inputs that it reads.

Rows that no example can have, such as a colour that is both red and blue, do not matter; so a rule says
"colour=red" and need not deny all other colours. On all other rows the rules say exactly what the circuit
does. The two may differ only on categories that did not occur in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gatewalk.circuit.circuit import Circuit, Node, reached
from gatewalk.circuit.isop import isop
from gatewalk.circuit.truth import tables_of
from gatewalk.errors import InputError, shown
from gatewalk.learn.binarising import Question, impossible_rows
from gatewalk.learn.coding import Coding

MOST_INPUTS = 14  # the most inputs that an output may read
_ORDER = str.maketrans("10-", "012")


Conditions = tuple[tuple[Question, bool], ...]


@dataclass(frozen=True)
class Rule:
    """An output is 1 if all these questions have the given answers; without conditions it is always 1."""

    output: int
    conditions: Conditions


def needed(circuit: Circuit, outputs: Sequence[int] | None = None) -> Circuit:
    """The circuit of these outputs (by default all), with only the gates and inputs on which they depend."""
    wanted = range(len(circuit.outputs)) if outputs is None else outputs
    part = Circuit(
        circuit.input_labels,
        circuit.nodes,
        tuple(circuit.outputs[o] for o in wanted),
        tuple(circuit.output_labels[o] for o in wanted),
    )
    n, live = len(part.input_labels), reached(part)
    place = {source: number for number, source in enumerate(s for s, is_live in enumerate(live) if is_live)}
    return Circuit(
        tuple(label for label, is_live in zip(part.input_labels, live[:n], strict=True) if is_live),
        tuple(
            Node(node.gate, tuple(place[source] for source in node.sources))
            for node, is_live in zip(part.nodes, live[n:], strict=True)
            if is_live
        ),
        tuple(place[source] for source in part.outputs),
        part.output_labels,
    )


def rules_of(circuit: Circuit, questions: Sequence[Question]) -> list[Rule]:
    """The rules of all outputs, output by output; rules with few conditions come first.

    Parameters
    ----------
    circuit
        A circuit whose inputs are the questions, in the same order and with their labels.
    questions
        The questions that the inputs stand for.
    """
    by_label = {question.yes: question for question in questions}
    found = []
    for output, label in enumerate(circuit.output_labels):
        part = needed(circuit, [output])
        if len(part.input_labels) > MOST_INPUTS:
            raise InputError(
                f"output {shown(label)} reads {len(part.input_labels)} inputs, rules are listed of at most "
                f"{MOST_INPUTS}: use expression(), or choose a smaller circuit, as in choose='knee'"
            )
        asked = [by_label[name] for name in part.input_labels]
        free = impossible_rows(asked, questions)
        table = tables_of(part, most_inputs=MOST_INPUTS, purpose="a list of rules")[0]
        for cube in sorted(isop(table, len(asked), free=free), key=_reading_order):
            signs = zip(asked, cube, strict=True)
            conditions = tuple((one, sign == "1") for one, sign in signs if sign != "-")
            found.append(Rule(output, _affirmed(conditions, questions)))
    return found


def _affirmed(conditions: Conditions, questions: Sequence[Question]) -> Conditions:
    """The same conditions, with "colour=red" instead of the denial of all other colours."""
    found: dict[tuple[Question, bool], None] = {}
    for question, answer in conditions:
        same = [one for one in questions if one.column == question.column]
        open_still = [one for one in same if (one, False) not in conditions]
        if question.kind == "equals" and len(same) > 1 and len(open_still) == 1:
            found[open_still[0], True] = None
        else:
            found[question, answer] = None
    return tuple(found)


def _reading_order(cube: str) -> tuple[int, str]:
    """A sorting key: few conditions first, then those on the first inputs."""
    return len(cube) - cube.count("-"), cube.translate(_ORDER)


def texts_of(rules: Sequence[Rule], coding: Coding) -> list[str]:
    """The rules as sentences, with a last one for all other examples."""
    lines = []
    for rule in rules:
        answers = [question.yes if answer else question.no for question, answer in rule.conditions]
        claim = coding.claims[rule.output]
        lines.append(f"if {' and '.join(answers)} then {claim}" if answers else f"always {claim}")
    if coding.kind == "several labels":
        silent = [label for o, label in enumerate(coding.labels) if not any(r.output == o for r in rules)]
        return [*lines, *(f"never {label} is 1" for label in silent), "otherwise a label is 0"]
    return [*lines, f"otherwise {coding.denial}"]
