"""AIGER in ascii: what is written, and that both forms are read."""

from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.formats import aiger_ascii, aiger_binary

SYMBOLS = b"i0 x1\ni1 x2\ni2 x3\no0 o1\nc\nwritten by Gatewalk\n"


def test_written(figure_1):
    ands = "8 4 2\n10 9 7\n12 11 9\n14 13 4\n"
    assert aiger_ascii.write(figure_1) == f"aag 7 3 0 1 4\n2\n4\n6\n14\n{ands}".encode() + SYMBOLS


def test_both_forms_are_read_by_either_name(figure_1):
    for one in (aiger_ascii, aiger_binary):
        for other in (aiger_ascii, aiger_binary):
            assert equivalent(one.read(other.write(figure_1)), figure_1)


def test_no_two_signals_are_called_alike(odd_labels):
    again = aiger_ascii.read(aiger_ascii.write(odd_labels))
    assert equivalent(again, odd_labels)
    assert again.input_labels == ("a b", "a_b", "a[0]", "module", "é/*")
    assert again.output_labels == ("a_b_2", "wire", "_", "a b", "g1")
