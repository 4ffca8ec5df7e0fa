"""Other people's code in the package: unchanged, with its licence, and in the wheel."""

import hashlib
import tomllib
from importlib.resources import files

FOLDER = files("gatewalk.report").joinpath("vendor")
RECORDED = tomllib.loads(FOLDER.joinpath("VENDORED.toml").read_text(encoding="utf-8"))


def test_every_file_is_recorded_and_as_it_was() -> None:
    hashes = {name: value for one in RECORDED.values() for name, value in one["sha256"].items()}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in FOLDER.iterdir()
        if path.name != "VENDORED.toml"
    }
    assert found == hashes


def test_name_version_and_licence() -> None:
    uplot = RECORDED["uplot"]
    script = FOLDER.joinpath("uPlot.iife.min.js").read_text(encoding="utf-8")
    assert f"uPlot (v{uplot['version']})" in script
    assert f"The {uplot['licence']} License" in FOLDER.joinpath("uPlot.LICENSE").read_text(encoding="utf-8")
    assert len(script) < 60_000
