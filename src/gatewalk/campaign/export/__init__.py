"""Results for other programs: CSV, Parquet, IOHprofiler; one file here per format."""

from __future__ import annotations

import os
import secrets
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
    if path.exists() and not path.is_file() and to != "ioh":
        raise InputError(f"{path}: is there and no file; choose another name")
    if path.exists() and results.is_in(path):
        raise InputError(f"{path}: is the store itself, which would be lost; choose another name")
    module = import_module(f"gatewalk.campaign.export.{to}")
    # A link stays: what it names is written.
    module.write(results, path.resolve() if path.is_symlink() else path)
    return path


def unfinished(path: Path) -> Path:
    """A new name beside a path, for what is not yet complete."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
