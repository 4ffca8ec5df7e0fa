"""There is one SAM and one NewValue: breaking either on purpose changes the runs of every engine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gatewalk

SOURCE = Path(gatewalk.__file__).parent
# For every engine: the name that `choose` must give, and the settings.
ENGINES = {
    "small symbolic": '("and:5", {"nodes": 9})',
    "symbolic": '("and:40", {"nodes": 40})',
    "small": '("maj:3", {"nodes": 12})',
    "small table": '("and:7", {"nodes": 12, "evaluation": "table"})',
    "incremental": '("mul:2", {"nodes": 30})',
    "plain": '("maj:3", {"nodes": 12, "gates": "and,or,const1"})',
}
PROGRAM = f"""
import numpy as np
from gatewalk.cgp.engines import choose
from gatewalk.search.cgp_search import task_of
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings

CASES = {{{", ".join(f"{name!r}: {case}" for name, case in ENGINES.items())}}}
for name, (target, options) in CASES.items():
    made = settings(target, budget=300, **options)
    assert choose(task_of(made, None), made.evaluation).name == name
    runs = run_many(made, seed=1, runs=range(5))
    print(name, runs.elementary_steps.tolist(), [run.program.tolist() for run in runs], sep="|")
"""
# What is broken, in which file: SAM counts genes from the last one; NewValue never gives the highest value.
BREAKS = {
    "sam": (
        "cgp/mutations/sam.py",
        "slot = program.slots[choice]",
        "slot = program.slots[np.uint64(program.slots.size) - _ONE - choice]",
    ),
    "new value": (
        "cgp/program.py",
        "value, registers = below_from(registers, spare, others_of(slot))",
        "value, registers = below_from(registers, spare, max(others_of(slot), np.uint64(2)) - np.uint64(1))",
    ),
}


def runs_of(package: Path, **environment: str) -> dict[str, str]:
    """What every engine makes of its runs, with the sources in that folder."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONPATH": str(package.parent)} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,  # of a machine with much else to do
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split("|", 1) for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def usual() -> dict[str, str]:
    return runs_of(SOURCE)


@pytest.mark.parametrize("name", BREAKS)
def test_breaking_it_changes_every_engine(name: str, usual: dict[str, str], tmp_path: Path) -> None:
    file, line, broken = BREAKS[name]
    package = tmp_path / "gatewalk"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (package / file).read_text()
    assert text.count(line) == 1
    (package / file).write_text(text.replace(line, broken))
    # Runs are the same however much LLVM optimises, and these kernels take long to compile and run once.
    changed = runs_of(package, NUMBA_CACHE_DIR=str(tmp_path / "kernels"), NUMBA_OPT="1")
    assert set(usual) == set(changed) == set(ENGINES)
    assert [engine for engine in ENGINES if usual[engine] == changed[engine]] == []
