"""`gatewalk targets` and `gatewalk bench`: the list, one target, its table, speed, refusals."""

import pytest
from command import call, record, records
from refusals import refused

from gatewalk.boolean.targets import defaults, families, family_target
from gatewalk.cli.targets import compact


def test_every_family_has_a_line(capsys):
    status, out, _ = call(capsys, "targets")
    assert status == 0
    lines = out.splitlines()
    for family in families():
        (line,) = [one for one in lines if one.startswith(f"{family.name}:{family.example} ")]
        assert family.description in line
        assert ",".join(family.gates) in line
    assert any("least significant" in line for line in lines[-3:])


def test_json_lines(capsys):
    found = records(capsys, "targets")
    assert [one["family"] for one in found] == [family.name for family in families()]
    for one in found:
        wanted = family_target(one["target"])
        usual = defaults(wanted)
        assert (one["n"], one["outputs"]) == (wanted.inputs, wanted.outputs)
        assert (tuple(one["input_labels"]), tuple(one["output_labels"])) == (
            wanted.input_labels,
            wanted.output_labels,
        )
        assert (tuple(one["gates"]), one["nodes"], one["lambda"], one["budget"]) == (
            usual.gates,
            usual.nodes,
            usual.offspring,
            usual.budget,
        )
        assert one["description"]
        assert one["bit_order"] == "least significant first"


def test_one_in_detail(capsys):
    status, out, _ = call(capsys, "targets", "add:2")
    assert status == 0
    assert "A[0..1] B[0..1] Ci" in out
    assert "O[0..2]" in out
    assert "50,000,000" in out
    assert "A[0] A[1]" not in out


def test_table(capsys):
    status, out, _ = call(capsys, "targets", "sum:1", "--tt")
    assert status == 0
    assert [line.split() for line in out.splitlines()[-5:]] == [
        ["A[0]", "B[0]", "|", "O[0]", "O[1]"],
        ["0", "0", "|", "0", "0"],
        ["1", "0", "|", "1", "0"],
        ["0", "1", "|", "1", "0"],
        ["1", "1", "|", "0", "1"],
    ]


def test_a_function_of_ones_own(capsys, tmp_path):
    path = tmp_path / "f.pla"
    path.write_text(".i 2\n.o 2\n.ob p q\n11 1-\n00 -1\n.e\n")
    status, out, _ = call(capsys, "targets", path, "--tt")
    assert status == 0
    assert [line.split() for line in out.splitlines()[-4:]] == [
        ["0", "0", "|", "-", "1"],
        ["1", "0", "|", "0", "0"],
        ["0", "1", "|", "0", "0"],
        ["1", "1", "|", "1", "-"],
    ]
    assert "A table of your own, on the rows that count." in out
    found = record(capsys, "targets", path, "--tt")
    assert (found["table"], found["cares"]) == ({"p": "0x8", "q": "0x1"}, {"p": "0xe", "q": "0x7"})
    assert record(capsys, "targets", "table:3:0x96", "--tt")["table"] == {"y": "0x96"}


def test_table_as_numbers(capsys):
    assert record(capsys, "targets", "xor:3", "--tt")["table"] == {"y": "0x96"}
    assert "table" not in record(capsys, "targets", "xor:3")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("targets", "--tt"), ("--tt", "mul:2")),
        (("targets", "and:13", "--tt"), ("and:13", "13 inputs", "--tt", "at most 12")),
        (("targets", "and:1000000", "--tt"), ("and:1000000", "smaller size")),
        (("targets", "mul"), ("mul:3",)),
        (("targets", "mull:3"), ("did you mean mul",)),
        (("bench", "and:999"), ("and:999", "and:5")),
    ],
)
def test_refusals(capsys, arguments, names):
    refused(capsys, *arguments, naming=names)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ("x1 x2 x3", "x1..x3"),
        ("x1", "x1"),
        ("A[0] A[1] B[0] Ci", "A[0..1] B[0] Ci"),
        ("LT EQ GT", "LT EQ GT"),
        ("a2 a1 a0", "a2 a1 a0"),
        ("", ""),
    ],
)
def test_compact(labels, text):
    assert compact(tuple(labels.split())) == text


def test_bench_measures_a_case(capsys):
    line = record(capsys, "bench", "and:200", "--seconds", "0.01")
    assert set(line) == {"case", "n", "nodes", "gates", "evaluation", "iterations_per_second"}
    assert (line["evaluation"], line["n"], line["nodes"], line["gates"]) == ("symbolic", 200, 200, "and")
    assert line["iterations_per_second"] > 0
    status, out, _ = call(capsys, "bench", "and:200", "--seconds", "0.01")
    assert status == 0
    assert out.splitlines()[0].split() == ["case", "evaluation", "iterations/s"]
