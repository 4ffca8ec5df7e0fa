"""What is released: the wheel and the source archive hold what they should, and the wheel works alone."""

import ast
import csv
import json
import re
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from environments import environment, install, link, required_by, variables
from processes import finished
from released import EXTRAS, SPEC, WORKING, readme_example

from gatewalk.circuit.files import read_file, write_file
from gatewalk.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# A command or a statement of every feature that an extra brings. Those that compute would take hours: who
# lacks an extra learns it before the work, not after.
ENDLESS = "xor:14 --nodes 13 --runs 100000 --budget 1000000000000"
COMMANDS = [
    ("plot", "circuit draw add:2 --out adder.pdf"),
    ("plot", "circuit draw add:2 --out adder.png"),
    ("plot", "evolve xor:14 --nodes 13 --budget 1000000000000 --watch run.gif"),
    ("plot", f"observe {ENDLESS} --out levels.svg"),
    ("plot", "campaign plot spec.sqlite --out times.svg"),
    ("plot", "paper --out paper"),
    ("plot", "study run flat --out study"),
    ("data", f"observe {ENDLESS} --out trace.parquet"),
    ("data", "campaign export spec.sqlite --to parquet --out runs.parquet"),
    ("data", "circuit convert and.blif written.parquet"),
    ("data", "circuit convert and.parquet read.v"),
    ("dask", "campaign run spec.toml --store cluster.sqlite --dask tcp://127.0.0.1:1"),
    ("sat", "circuit check add:16 add:16"),
    ("sat", "circuit minimise add:16 --seconds 36000 --out smaller.blif"),
    ("sat", "circuit minimise mul:3 --prove --seconds 36000 --out smallest.blif"),
]
STATEMENTS = [
    ("data", "from gatewalk.campaign import Results; Results.open('spec.sqlite').to_frame()"),
    ("learn", "from gatewalk.learn import CircuitClassifier"),
    ("plot", "from gatewalk.campaign import Results; Results.open('spec.sqlite').plot()"),
    ("sat", "from gatewalk.synthesis import smallest; smallest('maj:3')"),
    (
        "sympy",
        "import gatewalk as gw; from gatewalk.circuit.formats.sympy_module import sympy_expressions; "
        "sympy_expressions(gw.read_file('and.blif'))",
    ),
]
TRY_ALL = """
import contextlib, io, json, sys
from gatewalk.cli.main import main
from gatewalk.errors import MissingExtra

def tried(words):
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            main(words.split())
        except SystemExit as end:
            return end.code, said.getvalue()

def stated(text):
    try:
        exec(text, {})
    except MissingExtra as error:
        return 2, f"gatewalk: {error}\\n"

commands, statements = json.load(sys.stdin)
print(json.dumps([*map(tried, commands), *map(stated, statements)]))
"""


def hatchling(folder, target, *kinds):
    """Build a source tree into a folder, as `make dist` does."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    for kind in kinds:
        command += ["-t", kind]
    finished(command, cwd=folder, check=True)


def contents(wheel):
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def only(folder, pattern):
    """The one file of such a name."""
    (found,) = folder.glob(pattern)
    return found


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    hatchling(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def metadata(dist):
    return message_from_bytes(contents(only(dist, "*.whl"))[f"gatewalk-{__version__}.dist-info/METADATA"])


@pytest.fixture(scope="module")
def core(dist, metadata, tmp_path_factory):
    """The programs of an environment with the wheel and the dependencies that it cannot do without."""
    needed = required_by(metadata.get_all("Requires-Dist", []))
    programs = environment(tmp_path_factory.mktemp("core") / "venv", needed.values())
    installed = install(programs, str(only(dist, "*.whl")))
    assert installed.returncode == 0, installed.stderr
    return programs


@pytest.fixture(scope="module")
def place(core, tmp_path_factory):
    """A folder with a campaign and its store, which the core alone has made."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "spec.toml").write_text(SPEC)
    (folder / "and.blif").write_text(".model and\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.end\n")
    write_file(read_file(folder / "and.blif"), folder / "and.parquet")
    made = run(core, folder, "gatewalk", "campaign", "run", "spec.toml")
    assert made.returncode == 0, made.stderr
    return folder


def run(programs, folder, program, *arguments, path=None, given=""):
    """A program of an environment, in a folder that is not the project's."""
    return finished([str(programs / program), *arguments], cwd=folder, env=variables(path), input=given)


def test_the_wheel_holds_the_package_and_its_licence(dist):
    listing = finished(
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "src"],
        cwd=ROOT,
        check=True,
    )
    sources = {name.removeprefix("src/") for name in listing.stdout.split() if (ROOT / name).is_file()}
    sources = {name for name in sources if not re.fullmatch(r"gatewalk_studies/.*\.svg", name)}
    info = {f"gatewalk-{__version__}.dist-info/{name}" for name in ("METADATA", "RECORD", "WHEEL")}
    info |= {f"gatewalk-{__version__}.dist-info/{name}" for name in ("entry_points.txt", "licenses/LICENSE")}
    assert set(contents(only(dist, "*.whl"))) == sources | info
    # Data that is read at run time, lest the listing above be empty of it.
    assert {Path(name).suffix for name in sources} >= {".py", ".toml", ".csv", ".md", ".js", ".css"}


def test_the_wheel_has_ten_stored_runs_of_each_cell_and_the_source_archive_all(dist):
    wheel, stored = contents(only(dist, "*.whl")), list(ROOT.glob("src/gatewalk_studies/*/runs.csv"))
    assert len(stored) > 5
    for path in stored:
        header, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
        at = header.index("run")
        short = csv.reader(wheel[path.relative_to(ROOT / "src").as_posix()].decode().splitlines())
        assert list(short) == [header, *(row for row in rows if int(row[at]) < 10)]
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        for path in [*stored, *ROOT.glob("src/gatewalk_studies/*/*.svg")]:
            file = archive.extractfile(f"gatewalk-{__version__}/{path.relative_to(ROOT).as_posix()}")
            assert file is not None
            assert file.read() == path.read_bytes()


def test_an_installed_package_finds_its_studies(core, tmp_path):
    listed = run(core, tmp_path, "gatewalk", "study", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    assert len(listed.stdout.splitlines()) == len(list(ROOT.glob("src/gatewalk_studies/*/spec.toml")))


def test_the_source_archive_builds_the_same_wheel(dist, tmp_path):
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        names = archive.getnames()
        archive.extractall(tmp_path, filter="data")
    assert not [name for name in names if re.search(r"\.nb[ic]$|\.pyc$|^[^/]+/(results|\.venv|dist)/", name)]
    unpacked = tmp_path / f"gatewalk-{__version__}"
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "constraints.txt", "Makefile"):
        assert (unpacked / name).read_bytes() == (ROOT / name).read_bytes()
    hatchling(unpacked, tmp_path / "again", "wheel")
    assert contents(only(tmp_path / "again", "*.whl")) == contents(only(dist, "*.whl"))


def test_the_wheel_says_what_it_is_and_needs(metadata):
    assert metadata["Version"] == __version__
    assert metadata["Requires-Python"] == "<3.14,>=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert set(metadata.get_all("Provides-Extra", [])) >= {*EXTRAS, "all"}
    assert set(PROJECT["optional-dependencies"]["all"]) == {
        f"gatewalk[{','.join(name for name in PROJECT['optional-dependencies'] if name in EXTRAS)}]"
    }
    payload = metadata.get_payload(decode=True)
    assert isinstance(payload, bytes)
    assert payload.decode() == (ROOT / "README.md").read_text()


def test_the_wheel_works_in_an_empty_environment(core, tmp_path):
    told = run(core, tmp_path, "gatewalk", "--version")
    assert told.stdout == f"gatewalk {__version__}\n"
    found = run(core, tmp_path, "gatewalk", "evolve", "and:4", "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["solved"] is True
    shown = run(core, tmp_path, "python", "-c", readme_example() + "print(gw.__file__)")
    assert shown.returncode == 0, shown.stderr
    *circuit, where = shown.stdout.splitlines()
    assert re.fullmatch(r"\d+ .*y = [gx\d &]+", " ".join(circuit))
    assert Path(where).is_relative_to(core.parent)
    for command in ("circuit draw add:2 --out adder.svg", "evolve and:4 --watch run.svg"):
        drawn = run(core, tmp_path, "gatewalk", *command.split())
        assert drawn.returncode == 0, drawn.stderr
        assert "<svg" in (tmp_path / command.split()[-1]).read_text()


def test_without_extras_every_feature_names_the_one_it_needs(core, place):
    before = sorted(place.iterdir())
    given = json.dumps([[text for _, text in COMMANDS], [text for _, text in STATEMENTS]])
    done = run(core, place, "python", "-c", TRY_ALL, given=given)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    for (extra, text), (status, said) in zip([*COMMANDS, *STATEMENTS], answers, strict=True):
        assert status == 2, (text, said)
        last = said.splitlines()[-1]
        assert re.fullmatch(rf"gatewalk: .+ needs an extra: pip install 'gatewalk\[{extra}\]'", last)
    everything = "\n".join(said for _, said in answers)
    assert [purpose for purpose in purposes() if purpose not in everything] == []
    assert sorted(place.iterdir()) == before, "nothing is begun that cannot be ended"


def purposes():
    """For what some function of the package asks for an extra: of each purpose the constant beginning."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "need" and len(node.args) == 2:
                purpose = node.args[1]
                if isinstance(purpose, ast.JoinedStr):
                    purpose = purpose.values[0]
                if isinstance(purpose, ast.Constant):
                    found.append(str(purpose.value))
    assert "drawing figures" in found
    return found


def added(metadata, extra, folder):
    """A folder with links to what an extra brings beside the core."""
    asked = metadata.get_all("Requires-Dist", [])
    have = required_by(asked)
    folder.mkdir()
    link(folder, [one for name, one in required_by(asked, extra=extra).items() if name not in have])
    return folder


def test_pip_finds_all_extras_complete(dist, core, metadata, tmp_path):
    wanted = f"{only(dist, '*.whl')}[all]"
    assert install(core, "--dry-run", wanted).returncode != 0
    agreed = install(core, "--dry-run", wanted, path=added(metadata, "all", tmp_path / "all"))
    assert agreed.returncode == 0, agreed.stderr


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_what_its_features_need(extra, core, place, metadata, tmp_path):
    path = added(metadata, extra, tmp_path / extra)
    done = run(core, place, "python", "-W", "ignore", "-c", readme_example() + WORKING[extra], path=path)
    assert done.returncode == 0, done.stderr
