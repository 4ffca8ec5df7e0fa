"""The literal CGP as a fixture."""

import literal_cgp
import pytest


@pytest.fixture(scope="session")
def literal():
    """Algorithms 1-3 written with lists (tests/support/literal_cgp.py)."""
    return literal_cgp
