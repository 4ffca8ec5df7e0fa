"""The literal CGP as a fixture: tests are imported by path and cannot import one another."""

import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def literal():
    """Algorithms 1-3 written with lists (literal_cgp.py)."""
    spec = importlib.util.spec_from_file_location("literal_cgp", Path(__file__).with_name("literal_cgp.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["literal_cgp"] = module
    spec.loader.exec_module(module)
    return module
