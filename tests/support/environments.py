"""Virtual environments with nothing in them but a built package and what it asks for.

The dependencies are links to those of the environment that runs the tests, so an environment takes seconds to
make and no network; pip checks that they are what the package asks for. Nothing else that happens to be
installed here, such as an extra or a development tool, can be imported there.
"""

import os
import sys
import sysconfig
import venv
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from processes import finished

# Neither a configuration nor an index: what is not linked is missing.
_PIP = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def required_by(requirements, *, extra=""):
    """The installed distributions that the requirements ask for, and those that these ask for in turn."""
    found = {}
    to_do = [(Requirement(text), extra) for text in requirements]
    seen = set()
    while to_do:
        wanted, chosen = to_do.pop()
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": chosen}):
            continue
        name = canonicalize_name(wanted.name)
        found[name] = distribution(name)
        assert wanted.specifier.contains(found[name].version, prereleases=True), wanted
        for more in ("", *wanted.extras):
            if (name, more) not in seen:
                seen.add((name, more))
                to_do += [(Requirement(text), more) for text in found[name].requires or ()]
    return found


def link(folder, distributions):
    """Make distributions importable from a folder."""
    for one in distributions:
        for top in {Path(file).parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            (folder / top).symlink_to(Path(str(one.locate_file(top))))


def environment(folder, distributions):
    """Make an environment that holds links to the distributions; returns the folder of its programs."""
    venv.create(folder, symlinks=True)
    paths = sysconfig.get_paths("venv", vars={"base": str(folder), "platbase": str(folder)})
    link(Path(paths["purelib"]), distributions)
    return Path(paths["scripts"])


def install(programs, *arguments, path=None):
    """`pip install` into an environment, without any source but the files that are named."""
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--no-compile"]
    return finished([*pip, *arguments], env=variables(path) | _PIP)


def variables(path=None):
    """The variables of this process, without those that lead Python, pip or Numba to other places.

    path: a folder from which Python may import as well.
    """
    foreign = ("PYTHON", "PIP_", "NUMBA_", "XDG_", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept if path is None else kept | {"PYTHONPATH": str(path)}
