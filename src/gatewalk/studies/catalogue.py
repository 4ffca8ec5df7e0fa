"""Finding studies: folders of this package, or any folder that a user names by its path."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from gatewalk.errors import InputError, shown
from gatewalk.studies.folder import SPEC

HOME = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The studies of the package.

    Returns
    -------
    tuple of str
        The paper first.

    Examples
    --------
    >>> names()[0]
    'paper'
    """
    found = sorted(path.parent.name for path in HOME.glob(f"*/{SPEC}"))
    return tuple(sorted(found, key=lambda name: name != "paper"))


def find(name: str) -> Path:
    """The folder of a study.

    Parameters
    ----------
    name
        The name of a study of the package, or the path of a folder, such as ./mine.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> find("nodes").name
    'nodes'
    """
    if name in names():
        return HOME / name
    is_path = os.sep in name or name.startswith(".") or Path(name).is_dir()
    if is_path:
        return Path(name)
    near = difflib.get_close_matches(name.replace("-", "_"), names(), 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise InputError(
        f"unknown study {shown(name)}; {hint}the studies are {', '.join(names())}; "
        "give your own folder by its path, e.g. ./mine"
    )


def is_packaged(folder: Path) -> bool:
    """Whether the study is part of the package."""
    return folder.resolve().parent == HOME.resolve()
