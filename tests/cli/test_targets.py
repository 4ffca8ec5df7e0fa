"""`gatewalk targets`: the list, one target, its table, and errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import call, record, records

from gatewalk.boolean.targets import defaults, families, target
from gatewalk.cli.targets import compact


def test_every_family_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "targets")
    assert status == 0
    lines = out.splitlines()
    for family in families():
        (line,) = [one for one in lines if one.startswith(f"{family.name}:{family.example} ")]
        assert family.description in line
        assert ",".join(family.gates) in line
    assert any("least significant" in line for line in lines[-3:])


def test_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "targets")
    assert [one["family"] for one in found] == [family.name for family in families()]
    for one in found:
        wanted = target(one["target"])
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


def test_one_in_detail(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "targets", "add:2")
    assert status == 0
    assert "A[0..1] B[0..1] Ci" in out
    assert "O[0..2]" in out
    assert "50,000,000" in out
    assert "A[0] A[1]" not in out


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "targets", "sum:1", "--tt")
    assert status == 0
    assert [line.split() for line in out.splitlines()[-5:]] == [
        ["A[0]", "B[0]", "|", "O[0]", "O[1]"],
        ["0", "0", "|", "0", "0"],
        ["1", "0", "|", "1", "0"],
        ["0", "1", "|", "1", "0"],
        ["1", "1", "|", "0", "1"],
    ]


def test_a_function_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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


def test_table_as_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(capsys, "targets", "xor:3", "--tt")["table"] == {"y": "0x96"}
    assert "table" not in record(capsys, "targets", "xor:3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tt",), "--tt needs a target"),
        (("and:13", "--tt"), "and:13 has 13 inputs and 2^13 rows; --tt shows up to 12 inputs"),
        (("and:1000000", "--tt"), "take a smaller size"),
        (("mul",), "write it as in mul:3"),
        (("mull:3",), "did you mean mul"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    status, out, err = call(capsys, "targets", *arguments)
    assert status == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


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
def test_compact(labels: str, text: str) -> None:
    assert compact(tuple(labels.split())) == text
