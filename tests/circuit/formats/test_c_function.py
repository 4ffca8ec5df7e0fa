"""C functions: the statements written, the labels in comments, and what a compiler makes of them."""

import ctypes
from dataclasses import replace

import numpy as np

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.formats import c_function, write_file


def test_written(figure_1):
    lines = [line.strip() for line in c_function.write(figure_1).splitlines()]
    assert "void circuit(const uint64_t *in, uint64_t *out)" in " ".join(lines)
    assert "const uint64_t g1 = x1 & x2;" in lines
    assert "out[0] = g4;" in lines


def test_no_label_can_end_a_comment(figure_1):
    text = c_function.write(replace(figure_1, input_labels=("*/ int x;", "é", "x3")))
    assert "*/ int x;" not in text
    assert text.isascii()


def test_a_compiler_takes_our_c_without_a_warning(tool, run, some_circuits, odd_labels, tmp_path):
    compiler = tool("cc", "gcc")
    for number, circuit in enumerate([*some_circuits, odd_labels]):
        write_file(circuit, tmp_path / "ours.c")
        flags = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC")
        run(compiler, *flags, "-o", f"ours{number}.so", "ours.c")
        function = ctypes.CDLL(str(tmp_path / f"ours{number}.so")).circuit
        n = len(circuit.input_labels)
        inputs = projections(n)
        wanted = evaluate(circuit, inputs)
        for word in range(inputs.shape[1]):
            given = np.ascontiguousarray(inputs[:, word])
            found = np.zeros(len(circuit.outputs), np.uint64)
            function(ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(found.ctypes.data))
            rows = min(64, 1 << n)
            assert (unpack(found[:, None], rows) == unpack(wanted[:, word : word + 1], rows)).all()
