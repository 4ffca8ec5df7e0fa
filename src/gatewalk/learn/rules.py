"""If-then rules of a circuit: an irredundant sum of products for each output, over the inputs that it reads.

Rows that no example can have, such as a colour that is both red and blue, do not matter; so a rule says
"colour=red" and need not deny all other colours. On all other rows the rules say exactly what the circuit
does. The two may differ only on categories that did not occur in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gatewalk.circuit.circuit import Circuit, circuit_tables, needed_part
from gatewalk.circuit.covers import isop
from gatewalk.errors import InputError, shown
from gatewalk.learn.coding import Coding
from gatewalk.learn.questions import Question, impossible_rows

MOST_INPUTS = 14  # the most inputs that an output may read
_ORDER = str.maketrans("10-", "012")


Conditions = tuple[tuple[Question, bool], ...]


@dataclass(frozen=True)
class Rule:
    """An output is 1 if all these questions have the given answers; without conditions it is always 1."""

    output: int
    conditions: Conditions


def rules_of(circuit: Circuit, questions: Sequence[Question]) -> list[Rule]:
    """The rules of all outputs, output by output; rules with few conditions come first.

    questions: those that the inputs of the circuit stand for, in the same order and with the same labels.
    """
    by_label = {question.yes: question for question in questions}
    rules = []
    for output, label in enumerate(circuit.output_labels):
        part = needed_part(circuit, [output])
        if len(part.input_labels) > MOST_INPUTS:
            raise InputError(
                f"output {shown(label)} reads {len(part.input_labels)} inputs, but rules are listed for at "
                f"most {MOST_INPUTS}; use expression(), or choose a smaller circuit, as in choose='knee'"
            )
        asked = [by_label[name] for name in part.input_labels]
        free = impossible_rows(asked, questions)
        table = circuit_tables(part, most_inputs=MOST_INPUTS, purpose="a list of rules")[0]
        for cube in sorted(isop(table, len(asked), free=free), key=_reading_order):
            signs = zip(asked, cube, strict=True)
            conditions = tuple((question, sign == "1") for question, sign in signs if sign != "-")
            rules.append(Rule(output, _affirmed(conditions, questions)))
    return rules


def _affirmed(conditions: Conditions, questions: Sequence[Question]) -> Conditions:
    """The same conditions, with "colour=red" instead of the denial of all other colours."""
    affirmed: dict[tuple[Question, bool], None] = {}
    for question, answer in conditions:
        same = [other for other in questions if other.column == question.column]
        not_denied = [other for other in same if (other, False) not in conditions]
        if question.kind == "equals" and len(same) > 1 and len(not_denied) == 1:
            affirmed[not_denied[0], True] = None
        else:
            affirmed[question, answer] = None
    return tuple(affirmed)


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
