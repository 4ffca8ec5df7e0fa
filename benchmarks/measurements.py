"""Where measurements are kept: JSON lines in `results`, with the machine and the versions behind them."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
PACKAGES = ("gatewalk", "numba", "numpy")


def machine() -> dict[str, str]:
    """The processor, the versions of Python and of what computes, and the commit."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    return {
        "processor": processor(),
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
        "commit": done.stdout.strip() or "unknown",
    }


def processor() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def store(name: str, records: Iterable[dict[str, Any]]) -> None:
    """Replace what was measured: the machine first, then a line for each record."""
    FOLDER.mkdir(exist_ok=True)
    lines = [json.dumps(record) for record in ({"machine": machine()}, *records)]
    (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def add(name: str, record: dict[str, Any]) -> None:
    """Add a record to what was measured before, perhaps elsewhere: it carries its own machine."""
    FOLDER.mkdir(exist_ok=True)
    line = json.dumps({**record, "machine": machine()})
    with (FOLDER / f"{name}.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    print(line, flush=True)


def stored(name: str) -> list[dict[str, Any]]:
    """The records so far, without the line of the machine."""
    path = FOLDER / f"{name}.jsonl"
    if not path.exists():
        return []
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [record for record in records if set(record) != {"machine"}]
