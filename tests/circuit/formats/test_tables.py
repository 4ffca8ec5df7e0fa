"""PLA: types, don't cares, labels; truth tables: their order; and everything that is refused by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.covers import cares, ones
from gatewalk.circuit.formats import pla, truth_table
from gatewalk.errors import InputError


def table(words, n):
    return unpack(words, 1 << n).astype(int).tolist()


def test_a_pla_as_written(figure_1):
    assert pla.write(figure_1) == ".i 3\n.o 1\n.ilb x1 x2 x3\n.ob o1\n.type f\n.p 2\n-10 1\n11- 1\n.e\n"


def test_as_espresso_writes_it():
    circuit = pla.read(
        "# a comment\n.i 3\n.o 2   # two outputs\n.ilb a b c\n.ob sum carry\n.p 7\n"
        "100 10\n010 10\n001|10\n1 1 1 10\n11- 01\n1-1 01\n-11 01\n.end\nwhat follows is not read"
    )
    assert circuit.input_labels == ("a", "b", "c")
    assert circuit.output_labels == ("sum", "carry")
    assert [node.gate.name for node in circuit.nodes] == ["xor3", "maj"]


def test_labels_with_signs():
    circuit = Circuit(("a|b", ".e", "x y", "#"), (), (1, 0), ("|", "."))
    again = pla.read(pla.write(circuit))
    assert again.input_labels == ("a|b", ".e", "x_y", "_")
    assert again.output_labels == ("|", ".")


def test_products_are_shared():
    circuit = pla.read(".i 4\n.o 2\n1111 11\n0000 10\n1-0- 01\n.e\n")
    names = [node.gate.name for node in circuit.nodes]
    assert names.count("and") == 3 + 3 + 1
    wanted = [[row in (0, 15) for row in range(16)], [row == 15 or row & 5 == 1 for row in range(16)]]
    assert unpack(evaluate(circuit, projections(4)), 16).tolist() == wanted


TEXT = ".i 2\n.o 1\n{type}11 1\n10 0\n01 -\n.e\n"


@pytest.mark.parametrize(
    ("kind", "on", "counted"),
    [
        ("", [0, 0, 0, 1], [1, 1, 0, 1]),
        (".type fd\n", [0, 0, 0, 1], [1, 1, 0, 1]),
        (".type f\n", [0, 0, 0, 1], [1, 1, 1, 1]),
        (".type fr\n", [0, 0, 0, 1], [0, 1, 0, 1]),
        (".type fdr\n", [0, 0, 0, 1], [0, 1, 0, 1]),
    ],
)
def test_types(kind, on, counted):
    text = TEXT.format(type=kind)
    cover = pla.read_cover(text)
    assert table(ones(cover, projections(2)), 2) == [on]
    assert table(cares(cover, projections(2)), 2) == [counted]
    assert table(evaluate(pla.read(text), projections(2)), 2) == [on]


def test_other_letters():
    cover = pla.read_cover(".i 2\n.o 4\n.type fdr\n12 4320\n02 ~~~~\n.e")
    assert table(ones(cover, projections(2)), 2) == [[0, 1, 0, 1], [0] * 4, [0] * 4, [0] * 4]
    assert table(cares(cover, projections(2)), 2) == [[0, 1, 0, 1], [0, 1, 0, 1], [0] * 4, [0, 1, 0, 1]]


@given(st.data())
def test_the_circuit_is_the_covers_ones(data):
    n, m = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 3))
    product = st.tuples(st.text("01-2", min_size=n, max_size=n), st.text("01-~", min_size=m, max_size=m))
    rows = data.draw(st.lists(product, max_size=6))
    text = f".i {n}\n.o {m}\n.type f\n.p {len(rows)}\n" + "".join(f"{a} {b}\n" for a, b in rows) + ".e\n"
    circuit, cover = pla.read(text), pla.read_cover(text)
    assert table(evaluate(circuit, projections(n)), n) == table(ones(cover, projections(n)), n)


HEAD = ".i 2\n.o 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".i 1000000000\n.o 1\n.e", "line 1: .i is '1000000000'; Gatewalk reads at most 65,536"),
        (f".i {'9' * 5000}\n.o 1\n.e", "line 1: .i is "),
        (".i -1\n.o 1\n.e", "line 1: .i must be a whole number"),
        (".i ²\n.o 1\n.e", "line 1: .i must be a whole number"),
        (".i 1 2\n.o 1\n.e", "line 1: .i needs one number"),
        (".i 2\n.i 2\n", "line 2: a second .i"),
        (".i 2\n.o 0\n", "line 2: a PLA needs at least one output"),
        ("11 1\n", "line 1: a product before .i and .o"),
        (".i 2\n11 1\n", "line 2: a product before .i and .o"),
        (HEAD + "111 1\n", "line 3: a product here needs 2 characters"),
        (HEAD + "1x 1\n", "line 3: a product here"),
        (HEAD + "11 x\n", "line 3: a product here"),
        (HEAD + "1\n", "line 3: a product here"),
        (HEAD + ".p 3\n11 1\n.e\n", "line 5: .p announces 3 products, but there are 1"),
        (HEAD + ".ilb a\n", "line 3: .ilb needs 2 names, not 1"),
        (".ilb a\n", "line 1: .ilb needs as many as .i"),
        (HEAD + ".ilb a a\n11 1\n.e", "two inputs have the name 'a'"),
        (HEAD + ".type dr\n", "line 3: .type needs one of f, fd, fr, fdr"),
        (HEAD + "11 1\n.type f\n", "line 4: .type needs one of .* before the products"),
        (HEAD + ".phase 0\n", "line 3: .phase with complemented outputs"),
        (HEAD + ".mv 4 2 3\n", "line 3: unknown statement '.mv'"),
        (".i 2\n", "line 1: the file has no .o"),
        ("", "line 1: the file has no .i"),
    ],
)
def test_refused_plas(text, message):
    with pytest.raises(InputError, match=message):
        pla.read(text)


def test_wide_circuits_are_not_written(make_circuit):
    with pytest.raises(InputError, match=r"a PLA lists all rows, .* at most 16 inputs, not 17"):
        pla.write(make_circuit(1, inputs=17))


def test_the_row_of_all_ones_comes_first():
    circuit = truth_table.read("1000\n1010\n1100\n")
    assert [node.gate.name for node in circuit.nodes] == ["and"]
    assert circuit.outputs == (2, 0, 1)
    assert circuit.input_labels == ("x1", "x2")
    assert circuit.output_labels == ("y1", "y2", "y3")
    assert truth_table.write(circuit) == "1000\n1010\n1100\n"


def test_hexadecimal_comments_and_empty_lines():
    assert (
        truth_table.write(truth_table.read("# majority\n\n0xE8 # of three\r\n0x96\n"))
        == "11101000\n10010110\n"
    )


def test_constants_of_no_input():
    circuit = truth_table.read("0\n1\n")
    assert circuit.input_labels == ()
    assert truth_table.write(circuit) == "0\n1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "contains no truth table"),
        ("10 01", "line 1: write one table of 0 and 1 per line"),
        ("10\n\n1000", "line 3: a table of 4 rows, but the first has 2"),
        ("100", "line 1: a table of 3 rows; the number of rows must be a power of two"),
        ("0x123", "line 1: a table of 12 rows; the number of rows must be a power of two"),
        ("12", "line 1: '12' is not a table"),
        ("0x", "line 1: '0x' is not a table"),
        ("1_0", "line 1: '1_0' is not a table"),
        ("0" * (1 << 21), "line 1: .*2,097,152 rows; Gatewalk reads .* 20 inputs"),
    ],
)
def test_refused_truth_tables(text, message):
    with pytest.raises(InputError, match=message):
        truth_table.read(text)


def test_twenty_inputs_at_once():
    table = "10" * (1 << 19)
    assert truth_table.read(table).outputs == (0,)
