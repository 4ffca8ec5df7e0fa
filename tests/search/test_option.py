"""Options: one entry in `Settings` is all that a new setting needs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatewalk.campaign import campaign, run
from gatewalk.campaign import spec as spec_module
from gatewalk.campaign.export import export
from gatewalk.campaign.labels import labels
from gatewalk.campaign.plan import plan
from gatewalk.campaign.schema import CELL
from gatewalk.cli.evolve import command as evolve_command
from gatewalk.search.option import Option, described, options_of
from gatewalk.search.settings import CELL_COLUMNS, OPTIONS, cell_values, law_text, settings

PLAIN = [name for name in OPTIONS if name not in ("target", "law")]


def test_options_are_read_off_the_fields_of_a_dataclass() -> None:
    @dataclass(frozen=True)
    class Small:
        size: int = field(metadata=described(Option(resolve=lambda written, so_far: written, default=3)))

    assert options_of(Small)["size"].default == 3


@pytest.mark.parametrize("name", PLAIN)
def test_the_command_line_has_every_option(name: str) -> None:
    option = OPTIONS[name]
    shown = CliRunner().invoke(evolve_command, ["--help"]).output
    assert f"--{option.flag or name} " in shown
    assert option.help.split()[0] in shown


@pytest.mark.parametrize("name", PLAIN)
def test_campaigns_and_settings_take_every_option(name: str) -> None:
    assert name in spec_module.AXES
    written = {"gates": "and"}.get(name, OPTIONS[name].default)
    assert settings("and:3", **{name: written}) == settings("and:3")
    assert len(plan(campaign(target="and:3", replications=1, **{name: [written]}))) == 1


def test_every_column_of_a_cell_is_stored_exported_and_in_json(tmp_path: Path) -> None:
    names = [column.name for column in CELL_COLUMNS]
    assert set(names) <= {column.name for column in CELL}
    with run(campaign(target="and:2", replications=1, seed=5), jobs=1) as results:
        header = export(results, "csv", tmp_path / "runs.csv").read_text().splitlines()[0].split(",")
        (one,) = results.runs()
    assert header[: len(names)] == names
    assert list(one.record())[: len(names)] == names
    assert {name: one.record()[name] for name in names} == cell_values(settings("and:2"), 5)


def test_what_determines_a_run_is_in_its_hash_and_nothing_else() -> None:
    law = json.loads(law_text(settings("and:4")))
    assert set(law) == {option.law for option in OPTIONS.values() if option.law}
    same = law_text(settings("and:4", budget=5, evaluation="table"))
    assert same == law_text(settings("and:4"))
    for changed in ({"nodes": 9}, {"training": "sample"}, {"offspring": 2}, {"options": {"ties": "coin"}}):
        assert law_text(settings("and:4", **changed)) != law_text(settings("and:4"))


def test_labels_tell_cells_apart_by_any_option() -> None:
    first = cell_values(settings("and:4"), 1)
    for changed in (
        {"nodes": 9}, {"selection": "strict"}, {"profile": "tinyverse"}, {"training": "sample"},
        {"mutation": "point:2"}, {"offspring": 2}, {"gates": "and,or"}, {"budget": 7},
        {"options": {"ties": "coin"}}, {"algorithm": "tgp-multi"},
    ):  # fmt: skip
        names = labels([first, cell_values(settings("and:4", **changed), 1)])
        assert names[0] != names[1]
