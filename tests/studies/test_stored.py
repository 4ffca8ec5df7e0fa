"""Runs kept with a study: those that come out the same are counted, and files are checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import cell_values
from gatewalk.studies import Request, find, names, read_study, run_study
from gatewalk.studies.folder import cells_of
from gatewalk.studies.stored import read_stored

Make = Callable[..., Path]
STORED = [name for name in names() if (find(name) / "runs.csv").is_file()]


def test_runs_are_compared_one_by_one(folder: Make, tmp_path: Path) -> None:
    spec = 'seed = 3\nreplications = 4\n[study]\ntitle = "T"\nquestion = "Q"\n[grid]\ntarget = "and:2"\n'
    out = tmp_path / "out"
    run_study(Request(study=read_study(folder(spec)), out=out, jobs=1))
    from gatewalk.campaign import Results

    with Results.open(out / "runs.sqlite") as results:
        columns = results.columns()
    times = [*columns["iterations"][:3], columns["iterations"][3] + 1]
    text = "target,nodes,run,iterations,solved\n"
    text += "".join(f"and:2,4,{run},{time},True\n" for run, time in enumerate(times)) + "and:9,4,0,1,True\n"
    report = run_study(Request(study=read_study(folder(spec, runs_csv=text)), out=out, jobs=1))
    words = "4 of the 5 runs kept with the study were run again; 1 of them came out differently."
    assert words in report.page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", STORED)
def test_stored_runs_of_the_package_come_out_the_same_today(name: str) -> None:
    names, kept = read_stored(find(name) / "runs.csv")
    assert len(kept) > 500
    quickest = sorted(kept, key=lambda key: int(kept[key][0]))[:3]
    cells = [(cell_values(cell.settings, cell.seed), cell) for cell in cells_of(read_study(find(name)))]
    for key in quickest:
        wanted = dict(zip(names, key, strict=True))
        number = int(wanted.pop("run"))
        (cell,) = (c for values, c in cells if all(str(values[k]) == text for k, text in wanted.items()))
        (run,) = run_many(cell.settings, seed=cell.seed, runs=[number], jobs=1)
        assert (str(run.iterations), str(run.solved).lower()) == kept[key]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("run,iterations\n0,1\n", "no column solved"),
        ("run,iterations,solved,colour\n0,1,True,red\n", "unknown column 'colour'"),
        ("run,iterations,solved\n0,1\n", "2 values"),
        ("", "empty"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "runs.csv").write_text(text)
    with pytest.raises(InputError, match=words):
        read_stored(tmp_path / "runs.csv")
