"""Truth tables with named columns, CSV and Parquet: which are outputs, what counts, what is refused."""

import io
import sys

import pandas
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.targets import family_target, truth_table
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.construction import circuit_named, target_circuit
from gatewalk.circuit.covers import holds
from gatewalk.circuit.files import read_file, write_file
from gatewalk.circuit.formats import csv_table, parquet_table
from gatewalk.circuit.own_targets import circuit_target, target
from gatewalk.circuit.row_tables import MOST_COLUMNS
from gatewalk.errors import InputError


def parquet(frame):
    data = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(frame), data)
    return data.getvalue()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("name", ["and:3", "mul:2", "alu:2", "and:1", "onescount:4", "icomp:4"])
def test_a_file_is_the_target_that_was_written(tmp_path, suffix, name):
    wanted = family_target(name)
    path = tmp_path / f"table{suffix}"
    write_file(target_circuit(wanted), path)
    made = target(path)
    assert (made.input_labels, made.output_labels) == (wanted.input_labels, wanted.output_labels)
    assert made.content == circuit_target(target_circuit(wanted)).content
    assert made.cares is None
    assert circuit_named(str(path)).input_labels == wanted.input_labels


def test_a_file_as_written(tmp_path):
    path = tmp_path / "half.csv"
    write_file(circuit_named("y1 = x1 ^ x2; y2 = x1 & x2"), path)
    assert path.read_text() == "x1,x2,y1,y2\n0,0,0,0\n1,0,1,0\n0,1,1,0\n1,1,0,1\n"
    write_file(circuit_named("s = x1 ^ x2; c = x1 & x2"), path)
    assert path.read_text() == "x1,x2,|,s,c\n0,0,|,0,0\n1,0,|,1,0\n0,1,|,1,0\n1,1,|,0,1\n"
    assert read_file(path).output_labels == ("s", "c")


@st.composite
def tables(draw):
    """The numbers of inputs and outputs, and rows of signs that agree with some function."""
    n, m = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    values = [[draw(st.booleans()) for _ in range(1 << n)] for _ in range(m)]
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        cube = "".join(draw(st.sampled_from("01-")) for _ in range(n))
        inside = [row for row in range(1 << n) if holds(cube, row)]
        signs = ""
        for table in values:
            found = {table[row] for row in inside}
            signs += str(int(found.pop())) if len(found) == 1 and draw(st.booleans()) else "-"
        rows.append((cube, signs))
    return n, m, rows


@given(tables(), st.randoms(use_true_random=False))
def test_what_rows_say_counts_and_nothing_else(table, random):
    n, m, rows = table
    names = [*(f"in{i}" for i in range(n)), *(f"y{j}" for j in range(m))]
    order = random.sample(range(n + m), n + m)  # of the columns; inputs keep theirs among themselves
    order = [*sorted(i for i in order if i < n), *sorted(i for i in order if i >= n)]
    text = ",".join(names[i] for i in order) + "\n"
    text += "".join(",".join((cube + signs)[i] for i in order) + "\n" for cube, signs in rows)
    said = {
        (j, r): signs[j]
        for cube, signs in rows
        for r in range(1 << n)
        for j in range(m)
        if holds(cube, r) and signs[j] != "-"
    }
    frame = pandas.DataFrame([list(cube + signs) for cube, signs in rows], columns=names)
    frame = frame.replace("-", None)
    for read, data in ((csv_table.read_target, text), (parquet_table.read_target, parquet(frame))):
        if not said:
            with pytest.raises(InputError, match="no row of the table counts"):
                read(data, "mine")
            continue
        values, counted = truth_table(read(data, "mine"))
        for j in range(m):
            for r in range(1 << n):
                assert counted[j, r] == ((j, r) in said)
                assert not counted[j, r] or values[j, r] == (said[j, r] == "1")


@pytest.mark.parametrize(
    ("head", "row", "ins", "outs"),
    [
        ("a,b,y", "0,0,0", "a b", "y"),
        ("y,a,b", "0,0,0", "a b", "y"),
        ("Y[1],a,Y[0],b", "0,0,0,0", "a b", "Y[1] Y[0]"),
        ("x1,x2,out,y2", "0,0,0,0", "x1 x2", "out y2"),
        ("a,b,Output 1,OUT_2", "0,0,0,0", "a b", "Output 1 OUT_2"),
        ("y1,y2,|,a,b", "0,0,|,0,0", "y1 y2", "a b"),
        ("a , b,|, a,b", "0,0,,0,0", "a b", "a b"),
        ('"a,b",c,|,"say ""d""",e', "0,0,|,0,0", "a,b c", 'say "d" e'),
        ("y", "0", "", "y"),
    ],
)
def test_which_columns_are_outputs(head, row, ins, outs):
    made = csv_table.read_cover(f"{head}\n{row}\n")
    assert " ".join(made.input_labels) == ins
    assert " ".join(made.output_labels) == outs


@pytest.mark.parametrize(
    "text",
    [
        "a;b;y\n0;1;1\n",
        "a\tb\ty\n0\t1\t1\n",
        "\n\na,b,y\n\n 0 ,1.0,TRUE\n\n",
        '"a","b","y"\r\n"0","1","1"\r\n',
        "\ufeffa,b,y\n0,1,1",
        "a,b,y\n0,1,1\n0,1,-\n0,-,-\n0,1,1\n",
    ],
)
def test_as_other_programs_write_it(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode())
    assert target(path).content == "table:2:0x4/0x4"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty; its first line names the columns"),
        ("\n,,\n", "the file is empty"),
        ("0,1,1\n", "the first line names the columns, as in x1,x2,y; here it holds values"),
        (
            "a,b,c\n0,0,0\n",
            r"which columns are outputs\? Call them y1, y2, .*, or put a column named \|",
        ),
        ("a,b,|\n0,0,\n", "which columns are outputs"),
        ("a,|,b,|,c\n", r"several columns are named \|"),
        ("a,a,y\n", "2 inputs are called 'a'"),
        ("a,,y\n", "an input has no name"),
        ("a,b,y\n", "there is no row"),
        ("a,b,y\n0,1\n", "line 2: 2 cells, but the first line names 3 columns"),
        ("a,b,y\n0,1,1,1\n", "line 2: 4 cells"),
        ("a,b,y\n\n0,1,2\n", "line 3: '2' is not 0, 1 or -"),
        ("a,b,y\n0,,1\n", "line 2: '' is not 0, 1 or -"),
        ("a,b,y\n01,,1\n", "line 2: '01' is not 0, 1 or -"),
        ("a,|,y\n0,1,1\n", r"line 2: a cell of the column \| is empty or \|"),
        ("a,b,y\n0,1,1\n1,1,1\n0,1,0\n", "line 4 contradicts line 2: for the same inputs 'y' is 0 and 1"),
        ("a,b,y\n0,-,1\n-,1,0\n", "on one row output 'y' is both 0 and 1"),
        ('a,b,y\n0,"1,1\n', "line .: not valid CSV: unexpected end of data"),
        ('a,b,y\n0,"1"1,1\n', "line 2: not valid CSV: ',' expected after '\"'"),
        (f"{'a' * 200_000},y\n", "line 1: not valid CSV: field larger"),
        (",".join(f"y{i}" for i in range(MOST_COLUMNS + 1)), "65,537 columns; Gatewalk reads at most 65,536"),
        ("a," + ",".join(f"y{i}" for i in range(300)) + "\n" + "0," * 300 + "0\n", "from 1 to 256 outputs"),
    ],
)
def test_what_is_wrong_is_told_by_its_line(text, words):
    with pytest.raises(InputError, match=words) as error:
        csv_table.read_target(text, "mine")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [False, True], "b": [True, True], "y": [False, True]},
        {"a": [0, 1], "b": [1.0, 1.0], "y": ["0", "1"]},
        {"a": pandas.Categorical(["0", "1"]), "b": [True, None], "y": [0, 1]},
    ],
)
def test_columns_of_a_frame_are_of_any_type(columns):
    wanted = "table:2:0x8/0xc" if columns["b"][1] is not None else "table:2:0xa/0xe"
    assert parquet_table.read_target(parquet(pandas.DataFrame(columns)), "mine").content == wanted


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": [0, 2], "y": [0, 1]}, "column 'a': 2 is not 0, 1 or missing"),
        ({"a": range(100), "y": [0] * 100}, "column 'a': 2 is not 0, 1"),
        ({"a": [[0], [1]], "y": [0, 1]}, r"column 'a' is 'list<.*>', not 0 and 1"),
        ({"a": [0, 0], "y": [0, 1]}, "row 2 contradicts row 1: for the same inputs 'y' is 0 and 1"),
        ({"a": [0, 1], "b": [0, 1]}, "which columns are outputs"),
        ({"a": [], "y": []}, "there is no row"),
    ],
)
def test_a_wrong_frame_is_told_by_its_column(columns, words):
    data = parquet(pandas.DataFrame(columns))
    with pytest.raises(InputError, match=words):
        parquet_table.read_target(data, "mine")


def test_a_frame_that_is_too_large_is_not_unpacked():
    rows = 20_000_000  # of some kilobytes, as all are equal
    column = pyarrow.chunked_array([pyarrow.array([True] * 1000)] * (rows // 1000))
    data = parquet({"a": column, "y": column})
    assert len(data) < 1_000_000
    with pytest.raises(InputError, match="20,000,000 rows of 2 columns are more than 33,554,432 cells"):
        parquet_table.read(data)


def test_parquet_needs_an_extra(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    write_file(circuit_named("x1 & x2"), path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        InputError, match=r"reading Parquet files needs an extra: pip install 'gatewalk\[data\]'"
    ):
        target(path)
    with pytest.raises(InputError, match=r"table\.parquet: writing Parquet files needs an extra"):
        write_file(circuit_named("x1 & x2"), path)


@pytest.mark.parametrize("data", [b"", b"PAR1", b"a,b,y\n0,0,0\n", b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_what_is_not_parquet(data):
    with pytest.raises(InputError, match="not a Parquet file that can be read: ") as error:
        parquet_table.read(data)
    assert "\n" not in str(error.value)


def test_many_inputs_are_the_netlist_of_the_rows():
    names = [f"x{i}" for i in range(20)]
    text = ",".join([*names, "y"]) + "\n" + "1," * 20 + "1\n" + "0," * 19 + "1,0\n" + "0," * 18 + "-,0,-\n"
    made = csv_table.read_target(text, "wide")
    assert (made.inputs, made.family, made.cares is None) == (20, "netlist", False)
    assert target(made.name) == made
    assert len(csv_table.read(text).input_labels) == 20
    with pytest.raises(InputError, match="both 0 and 1"):
        csv_table.read(text + "1," * 19 + "-,0\n")


def test_labels_that_a_column_cannot_have(tmp_path):
    circuit = Circuit(("", "|", " a\nb ", "y"), (), (0, 1, 2, 3), ("|", "", "out", "1"))
    for written in (
        csv_table.read(csv_table.write(circuit)),
        parquet_table.read(parquet_table.write(circuit)),
    ):
        assert written.input_labels == ("_", "__2", "a b", "y")
        assert written.output_labels == ("_", "__2", "out", "1")
