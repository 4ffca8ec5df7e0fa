"""Results for other programs: CSV, Parquet, IOHprofiler; one file here per format."""

from __future__ import annotations

import os
import secrets
from importlib import import_module
from pathlib import Path

from gatewalk.campaign.results import Results
from gatewalk.campaign.store_file import explained
from gatewalk.errors import InputError

FORMATS = ("csv", "parquet", "ioh")


def export(results: Results, to: str, out: str | os.PathLike[str], *, for_spreadsheet: bool = False) -> Path:
    """Write results in a format: a file, or for IOHprofiler a folder.

    for_spreadsheet: in CSV, write texts that a spreadsheet would run as formulas so that it does not.
    """
    if to not in FORMATS:
        raise InputError(f"unknown format {to}; use {', '.join(FORMATS)}")
    path = Path(out)
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: the folder {path.absolute().parent} does not exist; make it first")
    if path.exists() and not path.is_file() and to != "ioh":
        raise InputError(f"{path}: is there and no file; choose another name")
    if path.exists() and results.is_in(path):
        raise InputError(f"{path}: is the store itself, which would be lost; choose another name")
    if for_spreadsheet and to != "csv":
        raise InputError(f"a file for spreadsheets is CSV, not {to}: use csv")
    module = import_module(f"gatewalk.campaign.export.{to}")
    # A symbolic link is kept; the file that it points to is written.
    options = {"for_spreadsheet": True} if for_spreadsheet else {}
    with explained(results.name):
        module.write(results, path.resolve() if path.is_symlink() else path, **options)
    return path


def unfinished(path: Path) -> Path:
    """A new path in the same folder, for a file that is not yet complete."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
