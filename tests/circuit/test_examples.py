"""The examples in the docstrings of this room show what they say."""

import doctest
import importlib
import pkgutil

import pytest

import gatewalk.circuit

MODULES = [module.name for module in pkgutil.iter_modules(gatewalk.circuit.__path__, "gatewalk.circuit.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
