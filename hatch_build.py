"""What a build does besides copying files: the wheel has the first ten stored runs of each cell of a study.

They are enough for a study's page to say whether runs come out the same. The repository and the source
archive have all of them, because the studies' notes cite them.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RUNS = 10


class StoredRuns(BuildHookInterface[Any]):
    """Puts shortened files of stored runs into the wheel, in place of those that it excludes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the shortened files."""
        if version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp())
        for path in Path(self.root, "src").glob("gatewalk_studies/*/runs.csv"):
            short = self.folder / path.parent.name
            shorten(path, short)
            build_data["force_include"][str(short)] = path.relative_to(Path(self.root, "src")).as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove them again."""
        if version != "editable":
            shutil.rmtree(self.folder)


def shorten(source: Path, target: Path) -> None:
    """Copy a table of runs without those that are numbered `RUNS` or more."""
    with (
        source.open(encoding="utf-8", newline="") as given,
        target.open("w", encoding="utf-8", newline="") as file,
    ):
        rows = csv.DictReader(given)
        writer = csv.DictWriter(file, rows.fieldnames or (), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in rows if int(row["run"]) < RUNS)
