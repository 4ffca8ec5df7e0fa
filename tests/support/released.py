"""A release tried as a user would: pip downloads what the wheel asks for, for the core and for each extra.

`make dist-check` runs this file; `tests/test_distribution.py` does the same without a network.
"""

import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Those of features; `all` is their sum, and the others are for who works on the package.
EXTRAS = ("dask", "data", "learn", "plot", "sat", "sympy")

SPEC = 'seed = 7\nreplications = 3\n[grid]\ntarget = ["and:4"]\n'

# What an extra makes possible, after the README's example and in a folder with spec.toml and its store.
WORKING = {
    "dask": """
from distributed import LocalCluster
from gatewalk import campaign
with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
    with campaign.run(campaign.read("spec.toml"), dask=cluster.scheduler_address) as results:
        assert len(results) == 3
""",
    "data": """
from pyarrow.parquet import read_table
from gatewalk.campaign import Results
from gatewalk.campaign.export import export
with Results.open("spec.sqlite") as results:
    export(results, "parquet", "runs.parquet")
    assert results.to_frame()["run"].tolist() == read_table("runs.parquet")["run"].to_pylist() == [0, 1, 2]
""",
    "learn": """
from sklearn.base import clone
from gatewalk.learn import CircuitClassifier
assert clone(CircuitClassifier(budget=3)).get_params()["budget"] == 3
""",
    "plot": """
from pathlib import Path
from gatewalk.circuit.drawing.schematic import schematic
from gatewalk.circuit.drawing.picture import write_picture
write_picture(schematic(run.circuit), "circuit.pdf")
assert Path("circuit.pdf").read_bytes().startswith(b"%PDF")
""",
    "sat": """
from gatewalk.synthesis import smallest
assert len(smallest("maj:3").circuit) == 4
""",
    "sympy": """
from gatewalk.circuit.formats.sympy_module import sympy_expressions
(expression,) = sympy_expressions(run.circuit).values()
assert len(expression.free_symbols) == 8
""",
}


def readme_example():
    """The first example in Python."""
    found = re.search(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def try_wheel(wheel, constraints, extra):
    """Install a wheel, with an extra if one is named, into an empty environment, and use it."""
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        python, gatewalk = str(programs / "python"), str(programs / "gatewalk")
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "--constraint", str(constraints), wanted], check=True)
        (folder / "spec.toml").write_text(SPEC)
        used = WORKING["data"] + WORKING["plot"] if extra == "all" else WORKING.get(extra, "")
        for command in (
            [gatewalk, "--version"],
            [gatewalk, "evolve", "and:4", "--json"],
            [gatewalk, "campaign", "run", "spec.toml"],
            [python, "-W", "ignore", "-c", readme_example() + used],
        ):
            subprocess.run(command, check=True, cwd=folder)


def main(dist, constraints):
    """Try the wheel of a folder: the core, then each extra, then all of them."""
    (wheel,) = dist.resolve().glob("*.whl")
    for extra in ("", *EXTRAS, "all"):
        began = time.monotonic()
        try_wheel(wheel, constraints.resolve(), extra)
        print(f"gatewalk[{extra}] works: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
