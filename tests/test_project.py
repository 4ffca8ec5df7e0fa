"""The project itself: light imports, one version, no traces of a machine, pinned dependencies."""

import ast
import importlib.metadata
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from processes import finished

from gatewalk.cli.main import COMMANDS, gatewalk
from gatewalk.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
HEAVY = ("dask", "distributed", "matplotlib", "numba", "pandas", "pyarrow", "scipy", "sklearn")

HELP = """
from gatewalk.cli.main import main
sys.argv = ["gatewalk", "--help"]
try:
    main()
except SystemExit as stop:
    assert stop.code in (0, None), stop.code
"""


def tracked_text():
    """Every tracked file that is text, by its path from the root."""
    listing = finished(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, check=True)
    texts = {}
    for name in filter(None, listing.stdout.split("\0")):
        path = ROOT / name
        data = path.read_bytes() if path.is_file() else b"\0"
        if b"\0" not in data:
            texts[name] = data.decode()
    return texts


@pytest.mark.parametrize("statements", ["import gatewalk", HELP], ids=["import", "help"])
def test_start_loads_nothing_heavy(statements):
    report = f"print('loaded:', *sorted(set(sys.modules) & set({HEAVY!r})))"
    done = finished([sys.executable, "-c", f"import sys\n{statements}\n{report}"], env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_version_is_the_same_everywhere():
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation is not None
    assert newest is not None
    assert citation[1] == newest[1] == __version__
    assert importlib.metadata.version("gatewalk") == __version__
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]


def test_no_file_knows_a_machine():
    homes = re.compile(r"(?<![\w.~*-])/(?:home|Users|root|work|private|mnt|opt)/\w[^\s\"'`]*")
    found = {name: homes.findall(text) for name, text in tracked_text().items()}
    assert {name: paths for name, paths in found.items() if paths} == {}


def test_no_file_names_a_package_index():
    index = re.compile(r"--(?:extra-)?index-url[ =]\S|--find-links[ =]\S|/simple/?\s")
    found = {name: index.findall(text) for name, text in tracked_text().items()}
    assert {name: places for name, places in found.items() if places} == {}


def test_every_dependency_is_pinned():
    pinned = set()
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        pin = re.fullmatch(r"([a-z0-9.-]+)==\S+(?: ; .+)?", line)
        assert pin is not None, line
        pinned.add(pin[1])
    extras = PROJECT["optional-dependencies"]
    wanted = PROJECT["dependencies"] + [need for needs in extras.values() for need in needs]
    names = {re.split(r"[\[<>=]", need, maxsplit=1)[0] for need in wanted} - {"gatewalk"}
    assert names <= pinned


def test_the_readme_lists_the_commands_there_are():
    listed = re.findall(r"^\| `gatewalk (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    shown = CliRunner().invoke(gatewalk, [command, "--help"])
    assert shown.exit_code == 0, shown.exception
    assert f"gatewalk {command}" in shown.output


def test_the_command_line_does_not_compute():
    machinery = {"numba", "numpy", "scipy", "sqlite3", "matplotlib", "pandas", "pyarrow"}
    found = {}
    for path in (ROOT / "src" / "gatewalk" / "cli").glob("*.py"):
        imported = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).partition(".")[0])
        found[path.name] = imported & machinery
    assert {name: used for name, used in found.items() if used} == {}
