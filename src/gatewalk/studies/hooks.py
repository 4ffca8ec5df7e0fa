"""The Python code of a study, `study.py`. It may define these functions, which are called if present:

observe(cell, *, jobs)    measures something else about a cell; returns a dictionary that JSON can hold, or
                          None. The result is kept in the output folder and not computed again
findings(measured)        returns `Findings`: claims, figures, tables and lines of summary
run(request)              replaces everything else; returns a `Report`

Running a study executes this file, so run only folders whose code you trust.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from gatewalk.errors import InputError
from gatewalk.studies.catalogue import is_packaged
from gatewalk.studies.folder import CODE

NAMES = ("observe", "findings", "run")


@dataclass(frozen=True)
class Hooks:
    """The functions that `study.py` defines. code: its text, empty without the file."""

    observe: Callable[..., Any] | None = None
    findings: Callable[..., Any] | None = None
    run: Callable[..., Any] | None = None
    code: str = ""


def hooks_of(folder: Path) -> Hooks:
    """Import the study's Python, if it has any."""
    path = folder / CODE
    if not path.is_file():
        return Hooks()
    with blamed_on(path):
        module = _packaged(folder) if is_packaged(folder) else _foreign(path)
        code = path.read_text(encoding="utf-8")
    found = {name: getattr(module, name) for name in NAMES if hasattr(module, name)}
    if not found:
        raise InputError(f"{path}: defines none of {', '.join(NAMES)}; see the how-to on studies")
    for name, function in found.items():
        if not callable(function):
            raise InputError(f"{path}: {name} is not a function")
    return Hooks(**found, code=code)


def _packaged(folder: Path) -> ModuleType:
    return importlib.import_module(f"gatewalk.studies.{folder.name}.study")


def _foreign(path: Path) -> ModuleType:
    name = f"gatewalk_study_{path.parent.resolve().name}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # because dataclasses look the module up there
    quiet, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # do not write into the user's folder
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = quiet
    return module


@contextmanager
def blamed_on(path: Path) -> Iterator[None]:
    """Turn any error in a user's own code into a message that says where; not for studies of the package."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except Exception as error:
        if is_packaged(path.parent) or os.environ.get("GATEWALK_DEBUG") == "1":
            raise
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if _same(frame, path)]
        if isinstance(error, SyntaxError) and error.lineno:
            lines.append(error.lineno)
        where = f"{path}:{lines[-1]}" if lines else str(path)
        raise InputError(f"{where}: {type(error).__name__}: {error}") from error


def _same(frame: traceback.FrameSummary, path: Path) -> bool:
    return os.path.abspath(frame.filename) == os.path.abspath(path)
