"""The project itself: light imports, one version, no traces of a machine, files of a readable size."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from gatewalk.cli.main import COMMANDS, gatewalk
from gatewalk.version import __version__

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src" / "gatewalk").rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
HEAVY = ("dask", "distributed", "matplotlib", "numba", "pandas", "pyarrow", "scipy", "sklearn")

# Modules that need no test file of their name, and why.
TESTED_ELSEWHERE = {
    "__main__": "run by every test that starts the command in a process of its own",
}

HELP = """
from gatewalk.cli.main import main
sys.argv = ["gatewalk", "--help"]
try:
    main()
except SystemExit as stop:
    assert stop.code in (0, None), stop.code
"""


def tracked_text() -> dict[str, str]:
    """Every tracked file that is text, by its path from the root."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    texts = {}
    for name in filter(None, listing.stdout.decode().split("\0")):
        path = ROOT / name
        data = path.read_bytes() if path.is_file() else b"\0"
        if b"\0" not in data:
            texts[name] = data.decode()
    return texts


@pytest.mark.parametrize("statements", ["import gatewalk", HELP], ids=["import", "help"])
def test_start_loads_nothing_heavy(statements: str) -> None:
    report = f"print('loaded:', *sorted(set(sys.modules) & set({HEAVY!r})))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{statements}\n{report}"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_version_is_the_same_everywhere() -> None:
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation is not None
    assert newest is not None
    assert citation[1] == newest[1] == __version__
    assert importlib.metadata.version("gatewalk") == __version__
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]


def test_no_file_knows_a_machine() -> None:
    homes = re.compile(r"(?<![\w.~*-])/(?:home|Users|root|work|private|mnt|opt)/\w[^\s\"'`]*")
    found = {name: homes.findall(text) for name, text in tracked_text().items()}
    assert {name: paths for name, paths in found.items() if paths} == {}


def test_no_file_names_a_package_index() -> None:
    index = re.compile(r"--(?:extra-)?index-url[ =]\S|--find-links[ =]\S|/simple/?\s")
    found = {name: index.findall(text) for name, text in tracked_text().items()}
    assert {name: places for name, places in found.items() if places} == {}


def test_every_dependency_is_pinned() -> None:
    pinned = set()
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        pin = re.fullmatch(r"([a-z0-9.-]+)==\S+(?: ; .+)?", line)
        assert pin is not None, line
        pinned.add(pin[1])
    extras = PROJECT["optional-dependencies"]
    wanted = PROJECT["dependencies"] + [need for needs in extras.values() for need in needs]
    names = {re.split(r"[\[<>=]", need, maxsplit=1)[0] for need in wanted} - {"gatewalk"}
    assert names <= pinned


def test_the_readme_lists_the_commands_there_are() -> None:
    listed = re.findall(r"^\| `gatewalk (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    shown = CliRunner().invoke(gatewalk, [command, "--help"])
    assert shown.exit_code == 0, shown.exception
    assert f"gatewalk {command}" in shown.output


def test_the_command_line_does_not_compute() -> None:
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


def test_every_module_has_a_test_file_of_its_name() -> None:
    modules = {
        path.relative_to(ROOT / "src" / "gatewalk").with_suffix("").as_posix()
        for path in SOURCES
        if path.stem != "__init__"
    }
    tested = {
        path.relative_to(ROOT / "tests").with_name(path.stem.removeprefix("test_")).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
    }
    excepted = set(TESTED_ELSEWHERE)
    assert modules - tested - excepted == set(), "write the test file, at the same place under tests"
    assert excepted & tested == set(), "has its test file now: strike it off the list"
    assert excepted <= modules, "is gone: strike it off the list"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_source_file_is_introduced_and_short(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 450, "more than one concept in a file?"
    assert not text.strip() or ast.get_docstring(ast.parse(text)), "the module docstring is missing"


@pytest.mark.parametrize("arguments", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_a_skip_fails_where_skips_are_forbidden(tmp_path: Path, arguments: list[str]) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_module.py").write_text("import pytest\npytest.importorskip('no_such_module_at_all')\n")
    (tmp_path / "test_function.py").write_text(
        "import pytest\n"
        "@pytest.mark.skip(reason='too tired')\ndef test_marked(): pass\n"
        "def test_inside(): pytest.skip('no luck')\n"
        "@pytest.mark.xfail(reason='known to fail')\ndef test_expected(): assert False\n"
        "def test_good(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "--continue-on-collection-errors", *arguments]

    def run(forbidden: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "GATEWALK_NO_SKIPS": forbidden}
        environment.pop("PYTEST_XDIST_WORKER", None)
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment)

    if not arguments:  # whatever the number of workers, and each starts anew
        allowed = run("0")
        assert allowed.returncode == 0, allowed.stdout
    refused = run("1")
    assert refused.returncode != 0
    for reason in ("no_such_module_at_all", "too tired", "no luck", "known to fail"):
        assert reason in refused.stdout
    assert re.search(r"\b1 passed\b", refused.stdout)
    assert "skipped" not in refused.stdout.splitlines()[-1]


def test_the_package_manager_is_waited_for() -> None:
    lines = (ROOT / "Makefile").read_text().splitlines()
    calls = [line for line in lines if re.search(r"\bapt-get\b (?!install python3-venv)|\$\(APT\)", line)]
    assert "APT := apt-get -o DPkg::Lock::Timeout=600" in calls
    assert [line for line in calls if "apt-get" in line and not line.startswith("APT := ")] == [
        line for line in calls if "command -v apt-get" in line
    ]
    assert sum(line.count("$(APT)") for line in calls) == 2


def test_the_workflow_calls_the_targets_of_the_makefile_on_every_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
    job = workflow["jobs"]["test"]
    classifiers = {line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line}
    assert set(job["strategy"]["matrix"]["python"]) == classifiers == {"3.11", "3.12", "3.13"}
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["sudo make tools", "make test", "make dist"]
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {command.split()[-1] for command in commands} <= targets
    (tested,) = [step for step in job["steps"] if step.get("run") == "make test"]
    assert tested["env"] == {"GATEWALK_NO_SKIPS": "1"}
