"""If-then rules say what a circuit does, in few and readable words."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES, gate
from gatewalk.circuit.circuit import Circuit, Node, needed_part
from gatewalk.errors import InputError
from gatewalk.learn.coding import coding_of
from gatewalk.learn.front import outputs_on
from gatewalk.learn.questions import Binarising, ask, questions_of
from gatewalk.learn.rules import MOST_INPUTS, rules_of, texts_of

TABLE = np.array(
    [[colour, number, flag] for colour in "rgb" for number in (1.0, 2.0, 3.0, 4.0) for flag in (0, 1)],
    dtype=object,
)
NAMES = ["colour", "size", "flag"]
QUESTIONS = questions_of(TABLE, NAMES, Binarising(onehot=True, quantiles=4))
LABELS = tuple(question.yes for question in QUESTIONS)
TWO = coding_of(np.array(["no", "yes"]))


def random_circuit(random, outputs):
    nodes = []
    for i in range(12):
        sources = random.integers(0, len(LABELS) + i, 2).tolist()
        nodes.append(Node(GATES[random.choice(["and", "or", "nand", "xor"])], tuple(sources)))
    tops = random.integers(len(LABELS) + 6, len(LABELS) + 12, outputs).tolist()
    return Circuit(LABELS, tuple(nodes), tuple(tops), tuple(f"y{o}" for o in range(outputs)))


def test_rules_say_what_the_circuit_does_on_all_that_can_be():
    random = np.random.default_rng(7)
    answers = ask(QUESTIONS, TABLE, NAMES)
    number = {question.yes: j for j, question in enumerate(QUESTIONS)}
    counted = 0
    for _ in range(30):
        circuit = random_circuit(random, 2)
        rules = rules_of(circuit, QUESTIONS)
        said = np.zeros((2, len(TABLE)), dtype=bool)
        for rule in rules:
            holds = np.ones(len(TABLE), dtype=bool)
            for question, answer in rule.conditions:
                holds &= answers[number[question.yes]] == answer
            said[rule.output] |= holds
            counted += 1
        assert (said == outputs_on(circuit, answers)).all()
    assert counted > 50


def test_impossible_rows_make_rules_short():
    nodes = (
        Node(gate("nimply"), (LABELS.index("colour=r"), LABELS.index("colour=b"))),
        Node(gate("and"), (LABELS.index("size>1"), LABELS.index("size>2"))),
        Node(gate("or"), (len(LABELS), len(LABELS) + 1)),
    )
    circuit = Circuit(LABELS, nodes, (len(LABELS) + 2,), ("y",))
    assert texts_of(rules_of(circuit, QUESTIONS), TWO) == [
        "if colour=r then the class is yes",
        "if size>2 then the class is yes",
        "otherwise the class is no",
    ]


def test_all_others_denied_is_one_affirmed():
    at = [LABELS.index(label) for label in ("colour=r", "colour=g")]
    circuit = Circuit(LABELS, (Node(gate("nor"), tuple(at)),), (len(LABELS),), ("y",))
    assert texts_of(rules_of(circuit, QUESTIONS), TWO)[0] == "if colour=b then the class is yes"


def test_denials_are_written_as_one_speaks():
    at = [LABELS.index(label) for label in ("colour=r", "size>3", "flag")]
    nodes = (Node(gate("nor3"), tuple(at)),)
    circuit = Circuit(LABELS, nodes, (len(LABELS),), ("y",))
    assert texts_of(rules_of(circuit, QUESTIONS), TWO)[0] == (
        "if colour is not r and size<=3 and not flag then the class is yes"
    )


def test_constants_are_always_or_never():
    nodes = (Node(gate("const1"), ()), Node(gate("const0"), ()))
    circuit = Circuit(LABELS, nodes, (len(LABELS), len(LABELS) + 1), ("y0", "y1"))
    several = coding_of(np.array([[0, 1], [1, 0]]))
    assert texts_of(rules_of(circuit, QUESTIONS), several) == [
        "always y0 is 1",
        "never y1 is 1",
        "otherwise a label is 0",
    ]


def test_too_many_inputs_are_refused():
    count = MOST_INPUTS + 1
    table = np.vstack([np.zeros(count), np.ones(count)])
    questions = questions_of(table, [f"x{j}" for j in range(count)], Binarising())
    nodes = [Node(GATES["and"], (0, 1))]
    nodes += [Node(GATES["and"], (count + i, i + 2)) for i in range(count - 2)]
    circuit = Circuit(tuple(question.yes for question in questions), tuple(nodes), (2 * count - 2,), ("y",))
    with pytest.raises(InputError, match="output 'y' reads 15 inputs, but rules are listed for at most 14"):
        rules_of(circuit, questions)


def test_what_is_needed_computes_the_same():
    random = np.random.default_rng(8)
    answers = ask(QUESTIONS, TABLE, NAMES)
    for _ in range(20):
        circuit = random_circuit(random, 3)
        part = needed_part(circuit, [2, 0])
        read = [LABELS.index(label) for label in part.input_labels]
        assert (outputs_on(part, answers[read]) == outputs_on(circuit, answers)[[2, 0]]).all()
        assert part.output_labels == ("y2", "y0")
        assert len(part) <= len(needed_part(circuit)) <= len(circuit)
