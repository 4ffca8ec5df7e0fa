"""The reference of `--json` names exactly the keys that the commands print."""

import re
from pathlib import Path

import pytest
from command import record, records
from documents import ROOT

from gatewalk.search.options import CELL_COLUMNS
from gatewalk.search.runs import COLUMNS

PAGE = (ROOT / "docs" / "reference" / "json.md").read_text()
# For each section commands that together print all of its keys.
COMMANDS = {
    "gatewalk exact": [
        "exact and:2 --nodes 1 --quantiles 0.5 --tail 10 --levels --rational",
        "exact xor:3 --nodes 2 --selection strict",
        "exact and:2 --algorithm tgp-single",
    ],
    "gatewalk exact --training sample": ["exact and:2 --nodes 1 --training sample:2 --sets 2"],
    "gatewalk targets": ["targets mul:2 --tt"],
    "gatewalk circuit check": ["circuit check and:2 and:2"],
    "gatewalk circuit stats": ["circuit stats and:2 --cost and=1"],
    "gatewalk circuit minimise": ["circuit minimise and:2 --evaluations 10"],
    "gatewalk study list": ["study list"],
    "gatewalk study run": ["study run ./mine --quick"],
    "gatewalk bench": ["bench and:5 --seconds 0.01"],
}
STUDY = """
[study]
title = "A study"
question = "Does it run?"
[grid]
target = "and:2"
[published]
source = "nobody"
"""


def documented(section):
    """The keys in the first column of the table of a section."""
    part = re.search(rf"^## `{re.escape(section)}`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert part is not None
    cells = re.findall(r"^\| (`.*?) \|", part[1], re.MULTILINE)
    return {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


def test_the_page_has_no_other_section():
    assert set(re.findall(r"^## `(.+)`$", PAGE, re.MULTILINE)) == {*COMMANDS, "gatewalk campaign status"}


@pytest.mark.parametrize("section", COMMANDS)
def test_the_keys_are_those_that_are_printed(section, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/spec.toml").write_text(STUDY)
    Path("mine/published.csv").write_text("target,time,solved\nand:2,3,true\nand:2,4,true\n")
    printed = set()
    for command in COMMANDS[section]:
        for line in records(capsys, *command.split()):
            printed |= set(line)
    assert printed == documented(section)


def test_a_cell_has_its_settings_and_its_counts(tmp_path, monkeypatch, capsys):
    from gatewalk.campaign import campaign, run

    run(campaign(target="and:2", replications=2), tmp_path / "and.sqlite", jobs=1)
    cell = {column.name for column in CELL_COLUMNS}
    printed = set(record(capsys, "campaign", "status", tmp_path / "and.sqlite"))
    assert printed == cell | documented("gatewalk campaign status")


def test_every_column_says_what_it_is(capsys):
    assert all(column.meaning.endswith(".") for column in COLUMNS)
    assert set(record(capsys, "evolve", "and:2")) == {column.name for column in COLUMNS}
