"""Results for other programs: CSV, Parquet, IOHprofiler; one file here per format."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

from gatewalk.campaign.results import Results
from gatewalk.errors import InputError

FORMATS = ("csv", "parquet", "ioh")


def export(results: Results, to: str, out: str | os.PathLike[str]) -> Path:
    """Write results in a format: a file, or for IOHprofiler a folder."""
    if to not in FORMATS:
        raise InputError(f"unknown format {to}; use {', '.join(FORMATS)}")
    path = Path(out)
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: the folder {path.absolute().parent} does not exist; make it first")
    module = import_module(f"gatewalk.campaign.export.{to}")
    module.write(results, path)
    return path
