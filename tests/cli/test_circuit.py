"""`gatewalk circuit`: files converted, checked, drawn, minimised and counted; refusals and exit codes."""

import json
import random
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from command import call, record
from processes import interrupted
from refusals import refused

from gatewalk.boolean.gates import gate
from gatewalk.boolean.targets import family_target
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import EXHAUSTIVE_INPUTS, equivalent
from gatewalk.circuit.files import read_file, write_file
from gatewalk.cli import terminal

HALF_ADDER = Circuit(
    ("a", "b"), (Node(gate("xor"), (0, 1)), Node(gate("and"), (0, 1))), (2, 3), ("sum", "carry")
)
CLUMSY = Circuit(
    ("x1", "x2"),
    (Node(gate("buf"), (0,)), Node(gate("and"), (2, 1)), Node(gate("and"), (1, 2)), Node(gate("or"), (3, 4))),
    (5,),
    ("y",),
)
MINIMISE_KEYS = {
    "gates_before",
    "gates_after",
    "depth_after",
    "proven",
    "seconds",
}  # other programs rely on them


def conjunction(n, *, backwards=False, leave_out=None):
    order = [i for i in range(n) if i != leave_out]
    order = order[::-1] if backwards else order
    nodes = [Node(gate("and"), (order[0], order[1]))]
    for i in order[2:]:
        nodes.append(Node(gate("and"), (n + len(nodes) - 1, i)))
    return Circuit(tuple(f"x{i + 1}" for i in range(n)), tuple(nodes), (n + len(nodes) - 1,), ("y",))


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_file(HALF_ADDER, "half.json")
    write_file(CLUMSY, "clumsy.json")
    return tmp_path


def test_convert_simplifies_and_says_so(files, capsys):
    status, out, _ = call(capsys, "circuit", "convert", "clumsy.json", "simple.blif")
    assert (status, out) == (0, "wrote simple.blif: 1 gate, 4 before simplification\n")
    assert read_file("simple.blif").counts == {"and": 1}
    status, out, _ = call(capsys, "circuit", "convert", "clumsy.json", "same.json", "--as-is")
    assert (status, out) == (0, "wrote same.json: 4 gates\n")
    assert read_file("same.json") == CLUMSY


def test_convert_to_some_gates_only(files, capsys):
    write_file(Circuit(("x",), (Node(gate("not"), (0,)),), (1,), ("y",)), "not.json")
    assert call(capsys, "circuit", "convert", "not.json", "nand.json", "--gates", "nand")[0] == 0
    assert read_file("nand.json").counts == {"nand": 1}


def test_equal(files, capsys):
    status, out, _ = call(capsys, "circuit", "check", "clumsy.json", "and:2")
    assert status == 0
    assert out == "equal on all 4 rows; inputs matched by name, outputs by name\n"
    found = record(capsys, "circuit", "check", "and:2", "clumsy.json")
    assert (found["equal"], found["proof"], found["method"], found["rows"]) == (True, True, "all rows", 4)
    assert found["counterexample"] is None
    assert record(capsys, "circuit", "check", "xor:3", "parity:3")["equal"]


def test_different(files, capsys):
    wrong = replace(HALF_ADDER, outputs=(2, 2))
    write_file(wrong, "wrong.blif")
    status, out, _ = call(capsys, "circuit", "check", "half.json", "wrong.blif")
    assert status == 3
    head, *rows = out.splitlines()
    assert head == "different; inputs matched by name, outputs by name"
    assert rows[0] in ("  inputs: a=1 b=0", "  inputs: a=0 b=1", "  inputs: a=1 b=1")
    assert [row.split(":")[0].strip() for row in rows] == ["inputs", "half.json", "wrong.blif"]
    status, out, _ = call(capsys, "circuit", "check", "half.json", "wrong.blif", "--json")
    assert status == 3
    found = json.loads(out)
    row = found["counterexample"]
    assert HALF_ADDER(row["inputs"]) == row["a"]
    assert wrong(row["inputs"]) == row["b"]
    assert row["a"] != row["b"]


def test_names_in_another_order(files, capsys):
    implication = Circuit(("p", "q"), (Node(gate("imply"), (0, 1)),), (2,), ("r",))
    write_file(implication, "one.json")
    write_file(Circuit(("q", "p"), (Node(gate("imply"), (1, 0)),), (2,), ("s",)), "other.json")
    found = record(capsys, "circuit", "check", "one.json", "other.json")
    assert (found["equal"], found["inputs_by"], found["outputs_by"]) == (True, "name", "position")


def test_many_inputs_by_sat(files, capsys):
    write_file(conjunction(40), "one.blif")
    write_file(conjunction(40, backwards=True), "other.blif")
    status, out, err = call(capsys, "circuit", "check", "one.blif", "other.blif")
    assert (status, out) == (0, "equal, proven by SAT; inputs matched by name, outputs by name\n")
    assert "by SAT" in err
    assert "--trial" in err
    write_file(conjunction(40, leave_out=7), "wrong.blif")
    assert call(capsys, "circuit", "check", "one.blif", "wrong.blif")[0] == 3


def test_a_target_of_many_inputs_is_proven_too(files, capsys):
    write_file(conjunction(40), "one.blif")
    found = record(capsys, "circuit", "check", "one.blif", "and:40")
    assert (found["equal"], found["proof"], found["method"]) == (True, True, "sat")
    found = record(capsys, "circuit", "check", "one.blif", "and:40", "--trial")
    assert (found["equal"], found["proof"], found["method"]) == (True, False, "trial")
    write_file(conjunction(40, leave_out=7), "wrong.blif")
    assert call(capsys, "circuit", "check", "wrong.blif", "and:40")[0] == 3


@pytest.mark.parametrize("name", ["maj:5", "table:3:0x96", "sort:4", "add:12", "half.pla"])
def test_a_target_becomes_a_circuit(files, capsys, name):
    (files / "half.pla").write_text(".i 3\n.o 2\n11- 1-\n00- 01\n--1 -1\n.e\n")
    status, out, _ = call(capsys, "circuit", "convert", name, "made.blif")
    assert status == 0
    assert out.startswith("wrote made.blif: ")
    assert call(capsys, "circuit", "check", "made.blif", name)[0] == 0
    assert call(capsys, "circuit", "draw", name, "--out", "made.svg")[0] == 0
    assert (files / "made.svg").read_text().startswith("<svg")
    found = record(capsys, "circuit", "stats", name)
    assert found["circuit"] == name
    assert found["simplified_gates"] == len(read_file("made.blif").simplify())


CELLS = """GATE inv 1 Y=!A; PIN * UNKNOWN 1 999 1 0 1 0
GATE nand2 2 Y=!(A*B); PIN * UNKNOWN 1 999 1 0 1 0
GATE xor2 5 Y=A*!B+!A*B; PIN * UNKNOWN 1 999 1 0 1 0
GATE aoi22 4 Y=!(A*B+C*D); PIN * UNKNOWN 1 999 1 0 1 0
GATE buf 1 Y=A; PIN * UNKNOWN 1 999 1 0 1 0
GATE zero 0 Y=CONST0;
GATE one 0 Y=CONST1;
"""


def test_a_mapped_file_with_its_library(files, capsys):
    """Mapped by ABC, which tells the area."""
    (files / "cells.genlib").write_text(CELLS)
    assert call(capsys, "circuit", "convert", "add:3", "adder.blif")[0] == 0
    script = (
        "read_library cells.genlib; read_blif adder.blif; strash; map -a; write_blif mapped.blif; print_gates"
    )
    done = subprocess.run([tool("berkeley-abc"), "-c", script], capture_output=True, text=True, timeout=60)
    area = float(done.stdout.split("TOTAL")[1].split("Area =")[1].split()[0])
    assert ".gate" in (files / "mapped.blif").read_text()
    refused(capsys, "circuit", "stats", "mapped.blif", naming=("mapped.blif: line ", "--library FILE"))
    with_library = ("--library", "cells.genlib")
    found = record(capsys, "circuit", "stats", "mapped.blif", *with_library, "--cost", "cells.genlib")
    assert found["cost"] == area
    assert set(found["kinds"]) <= {"not", "nand", "xor", "aoi22", "buf"}
    assert call(capsys, "circuit", "check", "mapped.blif", "add:3", *with_library)[0] == 0
    assert call(capsys, "circuit", "check", "add:3", "mapped.blif", *with_library)[0] == 0
    assert call(capsys, "circuit", "convert", "mapped.blif", "plain.v", *with_library)[0] == 0
    assert call(capsys, "circuit", "check", "plain.v", "add:3")[0] == 0
    assert call(capsys, "circuit", "draw", "mapped.blif", "--out", "mapped.svg", *with_library)[0] == 0


def test_a_library_as_the_gates_to_use(files, capsys):
    (files / "cells.genlib").write_text(CELLS)
    write_file(
        Circuit(("x", "y"), (Node(gate("and"), (0, 0)), Node(gate("xor"), (2, 1))), (3,), ("z",)), "a.json"
    )
    assert call(capsys, "circuit", "convert", "a.json", "b.json", "--gates", "cells.genlib")[0] == 0
    assert read_file("b.json").counts == {"xor": 1}


WIDE = """.i 22
.o 2
.type fd
1-1-1-1-1-1-1-1-1-1-11 1-
0000000----------1111- 11
--------0000000------1 01
.e
"""


def test_a_pla_of_many_inputs(files, capsys):
    (files / "wide.pla").write_text(WIDE)
    assert call(capsys, "circuit", "convert", "wide.pla", "wide.blif")[0] == 0
    found = record(capsys, "circuit", "check", "wide.blif", "wide.pla")
    assert (found["equal"], found["method"], found["rows"]) == (True, "all rows", 1 << 22)
    assert record(capsys, "circuit", "stats", "wide.pla")["inputs"] == 22
    (files / "other.pla").write_text(WIDE.replace("1-1-1-1-1-1-1-1-1-1-11 1-", "1-1-1-1-1-1-1-1-1-1-11 11"))
    assert call(capsys, "circuit", "check", "other.pla", "wide.pla")[0] == 0  # differs where nothing counts
    (files / "other.pla").write_text(WIDE.replace(" 01", " 11"))
    assert call(capsys, "circuit", "check", "other.pla", "wide.pla")[0] == 3


def test_a_pla_of_more_inputs_than_all_rows(files, capsys):
    text = f".i 40\n.o 1\n.type fr\n{'1' * 40} 1\n{'0' * 20}{'-' * 20} 0\n.e\n"
    (files / "wide.pla").write_text(text)
    write_file(conjunction(40), "one.blif")
    found = record(capsys, "circuit", "check", "one.blif", "wide.pla")
    assert (found["equal"], found["method"]) == (True, "sat")
    (files / "wide.pla").write_text(text.replace("1" * 40, "1" * 39 + "0"))
    assert call(capsys, "circuit", "check", "one.blif", "wide.pla")[0] == 3
    (files / "wide.pla").write_text(text.replace("0" * 20, "-" * 20))
    refused(capsys, "circuit", "check", "one.blif", "wide.pla", naming=("wide.pla", "contradicts", "'y1'"))


@pytest.mark.parametrize(
    ("name", "beginning"), [("c.svg", b"<svg"), ("c.pdf", b"%PDF"), ("c.png", b"\x89PNG")]
)
def test_draw(files, capsys, name, beginning):
    status, out, _ = call(capsys, "circuit", "draw", "half.json", "--out", name, "--theme", "dark")
    assert (status, out) == (0, f"wrote {name}: 2 gates\n")
    assert (files / name).read_bytes().startswith(beginning)


def test_stats(files, capsys):
    found = record(capsys, "circuit", "stats", "clumsy.json", "--cost", "and=1,or=1.5,buf=0")
    assert found == {
        "circuit": "clumsy.json",
        "inputs": 2,
        "outputs": 1,
        "gates": 4,
        "kinds": {"and": 2, "buf": 1, "or": 1},
        "depth": 3,
        "simplified_gates": 1,
        "cost": 3.5,
    }
    status, out, _ = call(capsys, "circuit", "stats", "half.json")
    assert status == 0
    assert [line.split() for line in out.splitlines()][4] == ["kinds", "1", "xor,", "1", "and"]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["convert", "and8", "x.blif"], ("'and8'", "and:8")),
        (["convert", "half.json", "x.blif", "--library", "c.genlib"], ("BLIF", "--library c.genlib")),
        (["convert", "none.blif", "x.json"], ("none.blif",)),
        (["convert", "half.json", "x.unknown"], ("x.unknown", "'.unknown'", ".blif")),
        (["convert", "half.json", "x.blif", "--as-is", "--gates", "and"], ("--as-is", "--gates")),
        (["convert", "half.json", "x.blif", "--gates", "and"], ("and", "'xor'")),
        (["check", "half.json", "nonsense:3"], ("'nonsense:3'",)),
        (["check", "half.json", "and:3"], ("half.json has 2 inputs and 2 outputs", "and:3 has 3")),
        (["check", "half.json"], ("argument 'B'",)),
        (["draw", "half.json", "--out", "x.gif"], ("x.gif", "'.gif'", ".svg .pdf .png")),
        (["draw", "half.json"], ("--out",)),
        (["draw", "half.json", "--out", "x.svg", "--theme", "red"], ("--theme", "'red'", "dark")),
        (["draw", "nonsense:3", "--out", "x.svg"], ("'nonsense:3'",)),
        (["stats", "half.json", "--cost", "c.genlib"], ("c.genlib",)),
        (["stats", "half.json", "--cost", "and"], ("'and'", "GATE=NUMBER")),
        (["stats", "half.json", "--cost", "and=1"], ("xor",)),
        (["minimise", "nothing.blif"], ("nothing.blif",)),
        (["minimise", "and8"], ("'and8'", "and:8")),
        (["minimise", "xor:3", "--gates", "and,or"], ("and,or",)),
        (["minimise", "xor:3", "--gates", "nope"], ("nope",)),
        (["minimise", "xor:3", "--cost", "speed"], ("speed",)),
        (["minimise", "xor:3", "--seconds", "0"], ("--seconds", "0", "more than 0")),
        (["minimise", "xor:3", "--slack", "-1", "--evaluations", "10"], ("slack", "-1")),
        (["minimise", "xor:3", "--out", "x.unknown"], ("x.unknown", "'.unknown'", ".blif")),
    ],
)
def test_refusals(files, capsys, arguments, names):
    before = set(files.iterdir())
    refused(capsys, "circuit", *arguments, naming=names)
    assert set(files.iterdir()) == before


def test_the_help_of_trial_says_from_how_many_inputs(capsys):
    assert f"Above {EXHAUSTIVE_INPUTS} inputs" in call(capsys, "circuit", "check", "--help")[1]


def tool(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def abc_says_equal(one, other):
    done = subprocess.run(
        [tool("berkeley-abc"), "-c", f"cec {one} {other}"], capture_output=True, text=True, timeout=60
    )
    assert ("are equivalent" in done.stdout) != ("NOT EQUIVALENT" in done.stdout), done.stdout
    return "are equivalent" in done.stdout


def mutated(circuit, seed):
    """The circuit with one gate replaced by another of as many inputs."""
    i = seed % len(circuit)
    node = circuit.nodes[i]
    names = ("nand", "xor") if node.gate.name != "xor" else ("or", "and")
    changed = replace(node, gate=gate(names[seed // 7 % 2]))
    return replace(circuit, nodes=(*circuit.nodes[:i], changed, *circuit.nodes[i + 1 :]))


def random_circuit(seed):
    generator = random.Random(seed)
    nodes = []
    for i in range(24):
        kind = gate(generator.choice(["and", "or", "xor", "nand"]))
        nodes.append(Node(kind, (generator.randrange(7 + i), generator.randrange(max(0, i - 3), 7 + i))))
    return Circuit(tuple(f"x{i}" for i in range(7)), tuple(nodes), (30, 29, 28), ("p", "q", "r"))


def test_abc_comes_to_the_same_verdicts(files, capsys):
    verdicts = set()
    for seed in range(14):
        circuit = random_circuit(seed)
        write_file(circuit, "one.blif")
        write_file(mutated(circuit, seed), "other.blif")
        write_file(circuit.simplify(), "simple.blif")
        assert abc_says_equal("one.blif", "simple.blif")
        assert call(capsys, "circuit", "check", "one.blif", "simple.blif")[0] == 0
        equal = abc_says_equal("one.blif", "other.blif")
        verdicts.add(equal)
        assert call(capsys, "circuit", "check", "one.blif", "other.blif")[0] == (0 if equal else 3)
    assert verdicts == {True, False}


def test_abc_agrees_beyond_all_rows(files, capsys):
    write_file(conjunction(30), "one.blif")
    for name, other in (("same", conjunction(30, backwards=True)), ("wrong", conjunction(30, leave_out=3))):
        write_file(other, f"{name}.blif")
        equal = abc_says_equal("one.blif", f"{name}.blif")
        assert equal == (name == "same")
        assert call(capsys, "circuit", "check", "one.blif", f"{name}.blif")[0] == (0 if equal else 3)


def test_what_yosys_makes_of_a_circuit_is_equal(files, capsys):
    circuit = random_circuit(3)
    write_file(circuit, "one.blif")
    write_file(mutated(circuit, 22), "wrong.blif")
    for name in ("one", "wrong"):
        script = f"read_blif {name}.blif; abc -lut 3; opt_clean; write_blif {name}.yosys.blif"
        done = subprocess.run(
            [tool("yosys"), "-q", "-p", script], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
    assert call(capsys, "circuit", "check", "one.blif", "one.yosys.blif")[0] == 0
    equal = bool((circuit.table() == mutated(circuit, 22).table()).all())
    assert not equal
    assert call(capsys, "circuit", "check", "one.blif", "wrong.yosys.blif")[0] == 3


def test_yosys_comes_to_the_same_verdicts(files, capsys):
    statuses = set()
    for seed in (0, 3, 5):
        circuit = random_circuit(seed)
        write_file(circuit, "one.blif")
        for other in (mutated(circuit, seed + 22), circuit.simplify()):
            write_file(other, "other.blif")
            script = (
                "read_blif one.blif; rename gatewalk one; read_blif other.blif; rename gatewalk other; "
                "miter -equiv -flatten one other miter; sat -verify -prove trigger 0 miter"
            )
            done = subprocess.run(
                [tool("yosys"), "-q", "-p", script], capture_output=True, text=True, timeout=60
            )
            status, _, _ = call(capsys, "circuit", "check", "one.blif", "other.blif")
            assert (status, done.returncode == 0) in ((0, True), (3, False)), done.stdout + done.stderr
            statuses.add(status)
    assert statuses == {0, 3}


def test_a_target_may_be_either_side(capsys):
    assert record(capsys, "circuit", "check", "add:2", "add:2")["equal"]
    assert call(capsys, "circuit", "check", "and:4", "or:4")[0] == 3


def test_minimise_writes_a_small_circuit_of_a_target(tmp_path, capsys):
    out = tmp_path / "small.blif"
    found = record(capsys, "circuit", "minimise", "mul:2", "--evaluations", "3e5", "--out", out)
    assert found.keys() >= MINIMISE_KEYS
    assert (found["gates_after"], found["proven"], found["proof"]) == (7, True, "all rows")
    assert equivalent(read_file(out), family_target("mul:2"))


def test_minimise_makes_a_file_smaller_and_says_so(tmp_path, capsys):
    wasteful, out = tmp_path / "wasteful.blif", tmp_path / "small.v"
    wasteful.write_text(
        ".model m\n.inputs a b\n.outputs y\n"
        ".names a b p\n11 0\n.names a p q\n11 0\n.names b p r\n11 0\n.names q r y\n11 0\n.end\n"
    )
    status, words, notes = call(
        capsys, "circuit", "minimise", wasteful, "--evaluations", "20000", "--out", out
    )
    assert status == 0
    assert "4 gates before, 1 now (1 xor)" in words
    assert "equal on all 4 rows" in words
    assert "no smaller circuit" in words
    assert str(out) in notes
    assert call(capsys, "circuit", "check", wasteful, out)[0] == 0


def test_minimise_counts_no_inverters_at_the_outputs_of_and_inverter_graphs(tmp_path, capsys):
    command = ("circuit", "minimise", "table:3:0xe8,0x17", "--gates", "aig", "--evaluations", "5000")
    _, words, _ = call(capsys, *command, "--out", tmp_path / "both.aag")
    assert "4 now" in words
    assert "not counted, as in and/inverter graphs: 1 negated or constant outputs" in words
    assert (tmp_path / "both.aag").read_text().startswith("aag 7 3 0 2 4\n")


def test_minimise_proves_within_the_seconds_or_says_why_not(capsys):
    _, words, _ = call(capsys, "circuit", "minimise", "maj:3", "--evaluations", "5000", "--prove")
    assert "SAT refutes circuits of 3 gates" in words
    refused(capsys, "circuit", "minimise", "and:9", "--prove", naming=("8 inputs", "9"))


def test_ctrl_c_keeps_the_best_circuit_so_far(tmp_path, capsys):
    out = tmp_path / "best.json"
    # Kernels are compiled first, so that the signal comes in the middle of the search.
    assert call(capsys, "circuit", "minimise", "mul:2", "--evaluations", "10")[0] == 0
    command = [sys.executable, "-m", "gatewalk", "circuit", "minimise", "mul:3", "--seconds", "600"]
    command += ["--out", str(out), "--json"]
    code, stdout, _ = interrupted(command, lambda process: "tried" in process.err)  # it has searched
    assert code == 130
    record = json.loads(stdout)
    assert record["interrupted"] is True
    assert record["gates_after"] == len(read_file(out)) <= 30
    assert equivalent(read_file(out), family_target("mul:3"))


LIBRARY = "GATE INV 1 Y=!A;\nGATE NAND2 2 Y=!(A*B);\n" + "PIN * INV 1 999 1 0 1 0\n" * 5000
STEPS = "".join(f".names t{i}\n1\n" for i in range(2500))
START = f".model start\n.inputs x1 x2\n.outputs y\n.names x1 x2 y\n11 1\n{STEPS}.end\n"


@pytest.mark.parametrize(
    "command",
    [
        ("evolve", "and:2", "--nodes", "1", "--start", "start.blif"),
        ("evolve", "and:2", "--gates", "cells.genlib"),
        ("bounds", "and:2", "--nodes", "1", "--start", "start.blif"),
        ("circuit", "convert", "and:2", "and.json", "--gates", "cells.genlib"),
        ("circuit", "stats", "and:2", "--cost", "cells.genlib"),
        ("circuit", "minimise", "and:2", "--gates", "cells.genlib", "--evaluations", "10"),
    ],
    ids=" ".join,
)
def test_files_that_options_name_show_how_far_they_are_read(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cells.genlib").write_text(LIBRARY)
    (tmp_path / "start.blif").write_text(START)
    told = []
    monkeypatch.setattr(terminal.Display, "show", lambda self, bars: told.extend(bars()))
    call(capsys, *command)
    assert any(bar.words == "line 4,096" for bar in told)
