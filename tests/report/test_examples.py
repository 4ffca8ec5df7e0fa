"""The examples in the docstrings of this room, and of what it records, show what they say."""

import doctest
import importlib
import pkgutil

import pytest

import gatewalk.report

MODULES = [module.name for module in pkgutil.walk_packages(gatewalk.report.__path__, "gatewalk.report.")]


@pytest.mark.parametrize("name", [*MODULES, "gatewalk.search.recorder", "gatewalk.search.triggers"])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
