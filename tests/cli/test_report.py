"""`gatewalk report`: a page of a store, and errors in one line."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from command import call

from gatewalk.campaign import campaign, run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "and.sqlite"
    run(campaign(target=["and:2", "and:3"], replications=4, seed=7), path, jobs=1).close()
    return path


def test_the_page_is_written(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    threads = threading.active_count()
    code, said, err = call(capsys, "report", store, "--out", out)
    assert (code, said) == (0, "")
    assert err == f"8 runs in {out} (0.1 MB)\n"
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert threading.active_count() == threads
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("a.pdf", "must end in .html"),
        ("nowhere/a.html", "there is no folder nowhere"),
        ("", "must end in .html"),
    ],
)
def test_mistakes_are_one_line(
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    out: str,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said, err = call(capsys, "report", store, "--out", out)
    assert (code, said, err.count("\n")) == (2, "", 1)
    assert says in err
    assert not list(tmp_path.iterdir())


def test_the_store_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "and.html"
    run(campaign(target="and:2", replications=2, seed=7), path, jobs=1).close()
    code, _, err = call(capsys, "report", path, "--out", path)
    assert (code, err.count("\n")) == (2, 1)
    assert "the store itself" in err


def test_stores_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"no store")
    for path in (broken, tmp_path / "missing.sqlite", tmp_path):
        code, _, err = call(capsys, "report", path, "--out", tmp_path / "a.html")
        assert (code, err.count("\n")) == (2, 1)
        assert str(path) in err


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = call(capsys, "report", "--help")
    assert code == 0
    assert "gatewalk report and.sqlite --out and.html" in said
