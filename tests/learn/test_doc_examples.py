"""The examples in the docstrings of `learn` show what they say."""

import doctest
import importlib
import pkgutil

import pytest

import gatewalk.learn

MODULES = [module.name for module in pkgutil.iter_modules(gatewalk.learn.__path__, "gatewalk.learn.")]


@pytest.mark.parametrize("name", ["gatewalk.learn", *MODULES])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
