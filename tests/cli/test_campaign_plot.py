"""`gatewalk campaign plot`: figures of a store, and errors in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gatewalk.campaign import campaign, run
from gatewalk.cli.main import main


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plots") / "and.sqlite"
    both = campaign(target=["and:2", "and:3"], selection=["nonstrict", "strict"], replications=6, seed=7)
    run(both, path, jobs=1).close()
    return path


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["campaign", "plot", *map(str, arguments)])
    captured = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, captured.out, captured.err


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.png", b"\x89PNG"), ("a.tex", b"% needs")],
)
def test_formats(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, begins: bytes
) -> None:
    code, out, err = call(capsys, store, "--kind", "ecdf", "--out", tmp_path / name)
    assert (code, out) == (0, "")
    assert err == f"ecdf: 24 runs in {tmp_path / name}\n"
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_comparisons_are_read_out(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_path = tmp_path / "a.svg"
    code, out, _ = call(capsys, store, "--kind", "compare", "--where", "target=and:3", "--out", out_path)
    assert code == 0
    assert out.startswith("and:3: ")
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--kind", "pie", "--out", "a.svg"), "no kind of figure 'pie'; use time, ecdf"),
        (("--out", "a.jpg"), "cannot draw a.jpg: use one of .svg, .pdf, .png, .tex"),
        (("--out", "nowhere/a.svg"), "there is no folder nowhere"),
        (("--kind", "growth", "--out", "a.svg"), "needs running times at 3 or more values of n, not 2"),
        (("--by", "selection", "--out", "a.svg"), "--by is for --kind compare"),
        (("--where", "n", "--out", "a.svg"), "write COLUMN=VALUE"),
        (("--where", "n=x", "--out", "a.svg"), "n is a whole number"),
        (("--where", "n=9", "--out", "a.svg"), "no cell has n=9"),
    ],
)
def test_mistakes_are_one_line(
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, store, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert not list(tmp_path.iterdir())


def test_stores_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"no store")
    for path in (broken, tmp_path / "missing.sqlite"):
        code, _, err = call(capsys, path, "--out", tmp_path / "a.svg")
        assert (code, err.count("\n")) == (2, 1)
        assert str(path) in err


def test_without_matplotlib(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = call(capsys, store, "--out", tmp_path / "a.svg")
    assert code == 2
    assert "plot" in err
    assert err.count("\n") == 1
