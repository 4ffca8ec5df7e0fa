"""Pictures for LaTeX: every part and wire is there, labels are escaped, and pdflatex takes it."""

import re

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.formats import write_file
from gatewalk.circuit.formats.tikz import write


def test_parts_and_wires(figure_1):
    text = write(figure_1)
    assert re.findall(r"\\node\[(\w+) gate, inputs=\{(\w+)\}\]", text) == [
        ("and", "nn"), ("nor", "nn"), ("or", "nn"), ("and", "nn"),
    ]  # fmt: skip
    assert [text.count(f"(s{source}.input {j})") for source in range(3, 7) for j in (1, 2)] == [1] * 8
    assert text.count("{o1}") == 1


def test_shapes():
    def node(name):
        arity = GATES[name].arity
        circuit = Circuit(("a", "b", "c"), (Node(GATES[name], (0, 1, 2)[:arity]),), (3,), ("y",))
        return re.search(r"\\node\[(.*?)\] \(s3\)", write(circuit)).group(1)

    assert node("not") == "not gate"
    assert node("buf") == "buffer gate"
    assert node("xnor") == "xnor gate, inputs={nn}"
    assert node("nimply") == "and gate, inputs={ni}"
    assert node("imply") == "or gate, inputs={in}"
    assert node("nor3") == "nor gate, inputs={nnn}"
    assert node("nand3") == "nand gate, inputs={nnn}"
    assert node("mux") == node("xor3") == node("buf_a") == node("const1") == "box"


def test_labels_are_escaped(odd_labels):
    circuit = Circuit((r"\a_1 {x}", "50% é"), (), (0, 1), ("#1", "x^2~"))
    text = write(circuit)
    assert r"{\textbackslash{}a\_1\ \{x\}}" in text
    assert r"{50\%\ U+00E9}" in text
    assert r"{\#1}" in text
    assert r"{x\textasciicircum{}2\textasciitilde{}}" in text


def test_latex_compiles_it(every_gate, figure_1, odd_labels, tool, run, tmp_path):
    program = tool("pdflatex", "texlive-latex-base texlive-pictures")
    for number, circuit in enumerate((every_gate, figure_1, odd_labels)):
        write_file(circuit, tmp_path / f"c{number}.tex")
        said = run(program, "-interaction=nonstopmode", "-halt-on-error", f"c{number}.tex")
        assert "Output written on" in said
        assert "(1 page" in said
