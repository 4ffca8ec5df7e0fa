"""Studies are clients: they import public names only, in the very form that a user's own folder has."""

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

import gatewalk_studies

HOME = Path(gatewalk_studies.__file__).parent
LIBRARIES = {"matplotlib", "numpy", "scipy"}


def private_imports(text):
    """What a study's file imports that is neither public, nor of its own folder, nor of a library."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                yield from (
                    name.name for name in names if name.name != "gatewalk" and not is_library(name.name)
                )
            case ast.ImportFrom(module=str(module), level=0) if not is_library(module):
                public = public_names(module)
                yield from (f"{module}.{name.name}" for name in node.names if name.name not in public)
            case ast.ImportFrom(module=module, level=level) if level > 1:
                yield f"{'.' * level}{module or ''}"
            case ast.Attribute(value=ast.Name(id="gw"), attr=name) if name not in public_names("gatewalk"):
                yield f"gw.{name}"
            case ast.Attribute(value=ast.Name(id="style"), attr=str(name)) if name.startswith("_"):
                yield f"style.{name}"


def public_names(module):
    """The names of `gatewalk`, or of one of its rooms, that are public; those of other modules are not."""
    if module.count(".") > 1 or module.partition(".")[0] != "gatewalk":
        return set()
    style = {"style"} if module == "gatewalk.analysis" else set()  # a module: the house style of figures
    return style | set(getattr(import_module(module), "__all__", ()))


def is_library(module):
    """Whether a module is of the standard library or of one that studies may use."""
    top = module.partition(".")[0]
    return top in LIBRARIES or top in sys.stdlib_module_names


FILES = sorted(HOME.glob("*/*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HOME).as_posix())
def test_studies_import_public_names_only(path):
    assert list(private_imports(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("from gatewalk.stats import sample\nimport gatewalk as gw\ngw.search_for\n", []),
        ("from .sizes import Size\nfrom . import sizes\nimport numpy as np\nimport csv\n", []),
        ("from gatewalk.analysis import style\nstyle.panels\nstyle._DPI\n", ["style._DPI"]),
        ("from gatewalk.stats.sample import sample\n", ["gatewalk.stats.sample.sample"]),
        (
            "from gatewalk.stats import growth, _growth, survival\n",
            ["gatewalk.stats._growth", "gatewalk.stats.survival"],
        ),
        ("import gatewalk.stats\nimport pandas\n", ["gatewalk.stats", "pandas"]),
        ("from gatewalk_studies.nodes import study\n", ["gatewalk_studies.nodes.study"]),
        ("from ..nodes import study\n", ["..nodes"]),
        ("import gatewalk as gw\ngw.native\n", ["gw.native"]),
    ],
)
def test_what_is_private(text, private):
    assert list(private_imports(text)) == private
