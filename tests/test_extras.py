"""A missing library is named with the extra that brings it, without importing anything."""

import sys
from importlib.machinery import PathFinder

import pytest
from processes import finished

from gatewalk.errors import MissingExtra
from gatewalk.extras import need

LIBRARIES = {
    "matplotlib": "plot",
    "pandas": "data",
    "pyarrow": "data",
    "distributed": "dask",
    "pysat": "sat",
    "sklearn": "learn",
    "sympy": "sympy",
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_is_there_is_enough(library):
    need(library, "this")


@pytest.mark.parametrize(("library", "extra"), LIBRARIES.items())
def test_what_is_forbidden_is_missing(library, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"this needs an extra: .*gatewalk\[{extra}\]"):
        need(library, "this")


def test_what_no_finder_finds_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    monkeypatch.setattr(PathFinder, "find_spec", lambda *_: None)
    with pytest.raises(MissingExtra, match="data"):
        need("pyarrow", "this")


def test_nothing_is_imported():
    code = "import sys; from gatewalk.extras import need; need('pandas', 'x'); print('pandas' in sys.modules)"
    asked = finished([sys.executable, "-c", code], check=True)
    assert asked.stdout == "False\n"
