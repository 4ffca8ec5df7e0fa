"""Gatewalk's JSON and Yosys': what is in them, and what is refused."""

import json

import pytest

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.formats import yosys_json
from gatewalk.circuit.formats.gatewalk_json import read, write
from gatewalk.circuit.text import gate_formula
from gatewalk.errors import InputError
from gatewalk.numbers import to_json


def test_contents(figure_1):
    data = json.loads(write(figure_1))
    assert data["format"] == "gatewalk-circuit"
    assert data["version"] == 1
    assert data["inputs"] == ["x1", "x2", "x3"]
    assert data["gates"][1] == {"gate": "nor", "sources": [3, 2]}
    assert data["outputs"] == [{"name": "o1", "source": 6}]
    assert read(json.dumps(data)) == figure_1


def test_any_label_survives():
    wire = Circuit(('a "b" \\ é\n',), (), (0,), ("ü #",))
    assert read(write(wire)) == wire


def test_a_gate_of_ones_own_is_written_with_its_table():
    own = Gate("mine", 3, 0b10011110, gate_formula(Gate("mine", 3, 0b10011110, ""), "abc", zero="0", one="1"))
    circuit = Circuit(("a", "b", "c"), (Node(own, (0, 1, 2)),), (3,), ("y",))
    assert json.loads(write(circuit))["gates"] == [
        {"gate": "mine", "arity": 3, "table": "0x9e", "sources": [0, 1, 2]}
    ]
    assert read(write(circuit)) == circuit
    # A changed gate with a known name is its own table, not the known gate.
    changed = Gate("and", 2, 0b0111, "~(a & b)")
    assert read(write(Circuit(("a", "b"), (Node(changed, (0, 1)),), (2,), ("y",)))).nodes[0].gate == changed


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"arity": 7, "table": "0x1"}, 'gate 0: "arity" must be a whole number up to 6'),
        ({"arity": True, "table": "0x1"}, '"arity" must be'),
        ({"table": "0x1"}, 'gate 0 must be an object with "arity"'),
        ({"arity": 1, "table": "0x9"}, '"table" must be text such as "0x96"'),
        ({"arity": 1, "table": 2}, '"table" must be text'),
        ({"arity": 2, "table": "0xG"}, '"table" must be text'),
    ],
)
def test_refused_gates(entry, message):
    with pytest.raises(InputError, match=message):
        read(json.dumps(GOOD | {"gates": [{"gate": "mine", "sources": [0, 1]} | entry]}))


GOOD = {
    "format": "gatewalk-circuit",
    "version": 1,
    "inputs": ["a", "b"],
    "gates": [{"gate": "and", "sources": [0, 1]}],
    "outputs": [{"name": "y", "source": 2}],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, '"format" must be "gatewalk-circuit"'),
        ({"version": 2}, "version 2; this Gatewalk reads version 1"),
        ({"inputs": "ab"}, '"inputs" must be a list'),
        ({"inputs": ["a", 1]}, "an input: 1 is not a name"),
        ({"gates": [{"gate": "adn", "sources": [0, 1]}]}, "unknown gate 'adn'; did you mean"),
        ({"gates": [{"sources": [0, 1]}]}, 'gate 0 must be an object with "gate"'),
        ({"gates": [{"gate": "and", "sources": 3}]}, '"sources" must be a list'),
        ({"gates": [{"gate": "and", "sources": [0, True]}]}, "True is not the number of a source"),
        ({"gates": [{"gate": "and", "sources": [0, 2]}]}, "node 0 reads"),
        ({"outputs": [{"name": "y", "source": 9}]}, "an output reads"),
        ({"outputs": ["y"]}, 'an output must be an object with "source"'),
    ],
)
def test_refused(change, message):
    assert read(json.dumps(GOOD))
    with pytest.raises(InputError, match=message):
        read(json.dumps(GOOD | change))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n,", "line 2: not JSON"),
        ("[]", "not a circuit"),
        ("", "line 1: not JSON"),
        ("[" * 100_000, "nested"),
    ],
)
def test_no_json_of_ours(text, message):
    with pytest.raises(InputError, match=message):
        read(text)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 10**5000},
        {"gates": [{"gate": "and", "sources": [0, 10**5000]}]},
        {"outputs": [{"name": "y", "source": -(10**5000)}]},
    ],
)
def test_numbers_of_thousands_of_digits_are_refused(change):
    with pytest.raises(InputError, match=r"2\^16609 or more"):
        read(to_json(GOOD | change))


def test_half_a_character_is_no_name():
    with pytest.raises(InputError, match=r"'a\\ud800' is not a name"):
        read(json.dumps(GOOD | {"inputs": ["a\ud800", "b"]}))


def module_of(circuit):
    return json.loads(yosys_json.write(circuit))["modules"]["gatewalk"]


def test_what_yosys_reads(figure_1):
    module = module_of(figure_1)
    assert module["ports"]["x1"] == {"direction": "input", "bits": [2]}
    assert module["ports"]["o1"] == {"direction": "output", "bits": [8]}
    assert [cell["type"] for cell in module["cells"].values()] == ["$_AND_", "$_NOR_", "$_OR_", "$_AND_"]
    assert module["cells"]["$g2"]["connections"] == {"A": [5], "B": [4], "Y": [6]}


def test_lookup_tables_and_constants():
    own = Gate("own", 3, 0b10011110, "")
    nodes = (Node(own, (0, 1, 2)), Node(GATES["const1"], ()), Node(GATES["ncimply"], (0, 4)))
    module = module_of(Circuit(("a", "b", "c"), nodes, (3, 4, 5), ("x", "y", "z")))
    assert module["cells"]["$g1"]["type"] == "$lut"
    assert module["cells"]["$g1"]["parameters"]["LUT"] == "10011110"
    assert module["cells"]["$g1"]["connections"] == {"A": [2, 3, 4], "Y": [5]}
    assert "$g2" not in module["cells"]
    assert module["cells"]["$g3"]["type"] == "$_ANDNOT_"
    assert module["cells"]["$g3"]["connections"] == {"B": [2], "A": ["1"], "Y": [7]}
    assert module["ports"]["y"]["bits"] == ["1"]
