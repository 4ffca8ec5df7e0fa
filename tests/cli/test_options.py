"""Options that commands share: whole numbers, files that cannot be written, options of the profile."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from command import call, record

from gatewalk.cli.options import MOST_RUNS, WHOLE, check_place, check_runs
from gatewalk.errors import InputError


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("1_000", 1000), ("1e6", 10**6), ("2.5e3", 2500), ("1E+2", 100), ("-3", -3), (7, 7)],
)
def test_whole_numbers_may_be_written_as_powers_of_ten(text: object, number: int) -> None:
    assert WHOLE.convert(text, None, None) == number


@pytest.mark.parametrize("text", ["1.5", "2.55e1", "1e-3", "e6", "1e31", "", "ten", "0x10"])
def test_anything_else_is_no_whole_number(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a whole number"):
        WHOLE.convert(text, None, None)


@pytest.mark.parametrize(
    ("runs", "seed", "jobs", "words"),
    [
        (0, 0, None, "--runs"),
        (MOST_RUNS + 1, 0, None, "--runs"),
        (1, -1, None, "--seed"),
        (1, 0, 0, "--jobs"),
    ],
)
def test_impossible_numbers_are_named(runs: int, seed: int, jobs: int | None, words: str) -> None:
    check_runs(1, 0, 1)
    with pytest.raises(InputError, match=words):
        check_runs(runs, seed, jobs)


def test_a_file_needs_a_folder_and_is_none_itself(tmp_path: Path) -> None:
    check_place(tmp_path / "new.svg")
    with pytest.raises(InputError, match="there is no folder"):
        check_place(tmp_path / "no" / "new.svg")
    with pytest.raises(InputError, match="it is a folder"):
        check_place(tmp_path)


def test_options_of_the_profile_are_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "evolve", "and:3", "--option", " ties = coin ", "--budget", "50")
    assert found["law_options"] == '{"ties": "coin"}'
    status, out, err = call(capsys, "evolve", "and:3", "--option", "coin")
    assert (status, out) == (2, "")
    assert "--option 'coin' is not NAME=VALUE, as in --option ties=coin" in err


def test_a_folder_is_not_written_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "and.blif"
    folder.mkdir()
    status, _, err = call(capsys, "evolve", "and:4", "--out", str(folder))
    assert status == 2
    assert "it is a folder" in err


def test_options_that_trees_do_not_have_are_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    tree = ("and:3", "--algorithm", "tgp-single")
    status, _, err = call(capsys, "evolve", *tree, "--nodes", "5", "--mutation", "point:2")
    assert status == 0
    assert "--nodes is for --algorithm cgp" in err
    assert "--mutation is for --algorithm cgp" in err
    assert "warning" not in call(capsys, "evolve", *tree)[2]
