"""ABC, Yosys and Icarus Verilog take what Gatewalk writes for what it is, and the other way."""

from dataclasses import replace

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import read_file, write_file

CELLS = """
# a small library
GATE inv1   1  O=!a;          PIN * INV 1 999 1.0 0.0 1.0 0.0
GATE nand2  2  O=!(a*b);      PIN * INV 1 999 1.0 0.0 1.0 0.0
GATE nor2   2  O=(a+b)';      PIN * INV 1 999 1.0 0.0 1.0 0.0
GATE xor2   5  O=a*!b + !a*b; PIN * UNKNOWN 2 999 1.9 0.5 1.9 0.5
GATE aoi22  4  O=!(a*b+c*d);
  PIN a INV 1 999 1.0 0.0 1.0 0.0
  PIN b INV 1 999 1.0 0.0 1.0 0.0
  PIN c INV 1 999 1.0 0.0 1.0 0.0
  PIN d INV 1 999 1.0 0.0 1.0 0.0
GATE buf1   1  O=a;           PIN * NONINV 1 999 1.0 0.0 1.0 0.0
GATE zero   0  O=CONST0;
GATE one    0  O=CONST1;
"""


def rows_of(circuit):
    """One line of input bits and one of output bits per row."""
    n = len(circuit.input_labels)
    inputs = unpack(projections(n), 1 << n).astype(int)
    outputs = unpack(evaluate(circuit, projections(n)), 1 << n).astype(int)
    return [("".join(map(str, a)), "".join(map(str, b))) for a, b in zip(inputs.T, outputs.T, strict=True)]


def reordered(circuit, like):
    """The circuit with its inputs and outputs in the order of another's, by their labels."""
    n = len(circuit.input_labels)
    place = [like.input_labels.index(label) for label in circuit.input_labels]
    place += range(n, n + len(circuit))
    nodes = tuple(Node(node.gate, tuple(place[s] for s in node.sources)) for node in circuit.nodes)
    source = dict(zip(circuit.output_labels, circuit.outputs, strict=True))
    outputs = tuple(place[source[label]] for label in like.output_labels)
    return Circuit(like.input_labels, nodes, outputs, like.output_labels)


def without_constants(circuit):
    """Only the outputs that vary: ABC 1.01 crashes when it reads a constant truth table."""
    rows = unpack(evaluate(circuit, projections(len(circuit.input_labels))), 1 << len(circuit.input_labels))
    kept = [j for j, row in enumerate(rows) if row.any() and not row.all()]
    return replace(
        circuit,
        outputs=tuple(circuit.outputs[j] for j in kept),
        output_labels=tuple(circuit.output_labels[j] for j in kept),
    )


@pytest.mark.parametrize("suffix", [".pla", ".aig", ".v", ".tt"])
def test_abc_reads_ours(suffix, abc, some_circuits, tmp_path):
    command = {".pla": "read_pla", ".aig": "read_aiger", ".v": "read_verilog", ".tt": "read_truth -xf"}
    circuits = [without_constants(one) for one in some_circuits] if suffix == ".tt" else some_circuits
    for number, circuit in enumerate(one for one in circuits if one.outputs):
        write_file(circuit, tmp_path / f"ours{number}{suffix}")
        said = abc(f"{command[suffix]} ours{number}{suffix}; strash; write_blif theirs{number}.blif")
        assert "failed" not in said, said
        assert equivalent(circuit, read_file(tmp_path / f"theirs{number}.blif")), number


def test_abc_reads_a_constant(abc, tmp_path):
    nothing = Circuit(("x1", "x2"), (Node(GATES["const0"], ()),), (2,), ("y",))
    write_file(nothing, tmp_path / "ours.pla")
    abc("read_pla ours.pla; strash; write_blif theirs.blif")
    assert equivalent(nothing, read_file(tmp_path / "theirs.blif"))


def test_we_read_what_abc_writes(abc, some_circuits, tmp_path):
    for circuit in some_circuits:
        write_file(circuit, tmp_path / "ours.blif")
        abc(
            "read_blif ours.blif; strash; write_aiger -s theirs.aig; write_verilog theirs.v; "
            "collapse; write_pla theirs.pla"
        )
        for suffix in (".aig", ".v", ".pla"):
            again = read_file(tmp_path / f"theirs{suffix}")
            assert again.input_labels == circuit.input_labels
            assert again.output_labels == circuit.output_labels
            assert equivalent(circuit, again), suffix


def test_yosys_reads_ours_and_we_read_yosyss(yosys, some_circuits, tmp_path):
    for circuit in some_circuits:
        for suffix, command in ((".aag", "read_aiger"), (".v", "read_verilog"), (".yosys.json", "read_json")):
            write_file(circuit, tmp_path / f"ours{suffix}")
            yosys(
                f"{command} ours{suffix}; techmap; opt; write_blif theirs.blif; "
                "splitnets; opt_clean -purge; write_verilog expressions.v; aigmap; "
                "write_aiger -symbols theirs.aig; write_aiger -ascii -symbols theirs.aag"
            )
            for theirs in ("theirs.blif", "expressions.v", "theirs.aig", "theirs.aag"):
                again = read_file(tmp_path / theirs)
                assert equivalent(circuit, reordered(again, circuit)), (suffix, theirs)


def test_icarus_simulates_what_the_circuit_computes(tool, run, some_circuits, tmp_path):
    compiler = tool("iverilog", "iverilog")
    for circuit in some_circuits:
        write_file(circuit, tmp_path / "ours.v")
        n, m = len(circuit.input_labels), len(circuit.outputs)
        ports = [f"in[{i}]" for i in range(n)] + [f"out[{j}]" for j in range(m)]
        (tmp_path / "bench.v").write_text(
            f"module bench; reg [{n - 1}:0] in; wire [{m - 1}:0] out; integer i, j;\n"
            f"gatewalk dut ({', '.join(ports)});\n"
            f"initial for (i = 0; i < {1 << n}; i = i + 1) begin in = i; #1;\n"
            f'for (j = 0; j < {n}; j = j + 1) $write("%b", in[j]); $write(" ");\n'
            f'for (j = 0; j < {m}; j = j + 1) $write("%b", out[j]); $write("\\n"); end endmodule\n'
        )
        run(compiler, "-Wall", "-g2012", "-o", "bench", "bench.v", "ours.v")
        said = [tuple(line.split()) for line in run("vvp", "-n", "bench").splitlines()]
        assert said == rows_of(circuit)


def test_icarus_takes_any_label(tool, run, odd_labels, tmp_path):
    write_file(odd_labels, tmp_path / "ours.v")
    run(tool("iverilog", "iverilog"), "-Wall", "-g2012", "-o", "out", "ours.v")
    assert equivalent(read_file(tmp_path / "ours.v"), odd_labels)


@pytest.mark.parametrize(
    ("suffix", "command"),
    [(".blif", "read_blif"), (".aag", "read_aiger"), (".v", "read_verilog"), (".yosys.json", "read_json")],
)
def test_yosys_takes_any_label(suffix, command, yosys, odd_labels, tmp_path):
    if suffix == ".aag":  # whose symbols may hold spaces, but not for Yosys
        labels = tuple(label.replace("a b", "a/b") for label in odd_labels.input_labels)
        odd_labels = replace(odd_labels, input_labels=labels, output_labels=("a\tb", "wire", "", "a/b", "g1"))
    write_file(odd_labels, tmp_path / f"ours{suffix}")
    yosys(f"{command} ours{suffix}; techmap; opt; stat; check -assert")


def test_abc_reads_our_blif_and_we_read_abcs(abc, some_circuits, tmp_path):
    for number, circuit in enumerate(some_circuits):
        write_file(circuit, tmp_path / f"ours{number}.blif")
        script = f"read_blif ours{number}.blif; strash; cec ours{number}.blif; "
        script += f"write_blif theirs{number}.blif; logic; sop; write_blif sop{number}.blif"
        said = abc(script)
        assert "Networks are equivalent" in said, said
        for theirs in ("theirs", "sop"):
            again = read_file(tmp_path / f"{theirs}{number}.blif")
            assert again.input_labels == circuit.input_labels
            assert again.output_labels == circuit.output_labels
            assert equivalent(circuit, again)


def test_we_read_what_abc_maps_to_a_library(abc, some_circuits, tmp_path):
    library = tmp_path / "cells.genlib"
    library.write_text(CELLS)
    for circuit in some_circuits:
        write_file(circuit, tmp_path / "ours.blif")
        abc("read_library cells.genlib; read_blif ours.blif; strash; map; write_blif mapped.blif")
        assert ".gate" in (tmp_path / "mapped.blif").read_text()
        assert equivalent(circuit, read_file(tmp_path / "mapped.blif", library=library))


def test_yosys_reads_our_blif_and_we_read_yosyss(yosys, some_circuits, tmp_path):
    for number, circuit in enumerate(some_circuits):
        write_file(circuit, tmp_path / "ours.blif")
        yosys("read_blif ours.blif; techmap; opt; write_blif theirs.blif")
        again = read_file(tmp_path / "theirs.blif")
        assert again.input_labels == circuit.input_labels, number
        assert equivalent(circuit, again)


def test_we_flatten_as_yosys_does(yosys, tmp_path):
    (tmp_path / "parts.blif").write_text(
        ".model top\n.inputs a b c\n.outputs s c2\n.subckt half a=a b=b s=t c=c0\n"
        ".subckt half a=t b=c s=s c=c1\n.names c0 c1 c2\n1- 1\n-1 1\n.end\n"
        ".model half\n.inputs a b\n.outputs s c\n.names a b s\n10 1\n01 1\n.names a b c\n11 1\n.end\n"
    )
    yosys("read_blif parts.blif; hierarchy -top top; flatten; techmap; opt; write_blif flat.blif")
    ours = read_file(tmp_path / "parts.blif")
    assert equivalent(ours, read_file(tmp_path / "flat.blif"))
    assert [node.gate.name for node in ours.nodes].count("xor") == 2
