"""ABC and Yosys read the BLIF that Gatewalk writes, and Gatewalk reads what they write."""

from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.formats import read_file, write_file

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


def test_abc_reads_ours_and_we_read_abcs(abc, some_circuits, tmp_path):
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


def test_yosys_reads_ours_and_we_read_yosyss(yosys, some_circuits, tmp_path):
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
