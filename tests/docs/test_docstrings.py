"""Every example in a docstring of the package shows what it says."""

import doctest
import importlib
import re

import pytest
from documents import ROOT

SOURCES = ROOT / "src"


def module_name(path):
    return ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")


MODULES = [
    module_name(path)
    for path in sorted(SOURCES.rglob("*.py"))
    if re.search(r"^\s*>>> ", path.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of them write files
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0, "the examples are in no docstring that doctest finds"
    assert found.failed == 0
