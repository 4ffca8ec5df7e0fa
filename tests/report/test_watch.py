from pathlib import Path

import pytest

import gatewalk as gw
from gatewalk.errors import InputError, MissingExtra
from gatewalk.report import watch
from gatewalk.report.watch import check_watch_file

BEGINNINGS = {".html": b"<!doctype html>", ".svg": b"<svg ", ".gif": b"GIF89a"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_a_run_is_written_by_the_suffix_and_is_the_run_of_evolve(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix.upper()}"
    run = watch("and:3", path, nodes=4, seed=2)
    assert path.read_bytes().startswith(BEGINNINGS[suffix])
    same = gw.evolve("and:3", nodes=4, seed=2)
    assert (run.iterations, run.program.tolist()) == (same.iterations, same.program.tolist())


@pytest.mark.parametrize(("name", "words"), [("run.mp4", "the suffix '.mp4'"), ("run", "no suffix")])
def test_other_files_are_refused_before_any_run(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(InputError, match=f"cannot play a run: .*{words}.*use one of .html .svg .gif"):
        watch("and:3", tmp_path / name)


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        watch("and:3", tmp_path / "no" / "run.svg")


def test_a_gif_needs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"as GIF needs an extra: pip install 'gatewalk\[plot\]'"):
        check_watch_file("run.gif")
    check_watch_file("run.svg")
