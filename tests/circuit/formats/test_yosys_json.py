"""Yosys JSON: cells by their kind, lookup tables for the others, constants as bits."""

import json

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.formats.yosys_json import write


def module_of(circuit):
    return json.loads(write(circuit))["modules"]["gatewalk"]


def test_contents(figure_1):
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
