"""The rooms' public names, and that they cost nothing before they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import gatewalk.theory
import gatewalk.theory.chain


@pytest.mark.parametrize("room", [gatewalk.theory, gatewalk.theory.chain])
def test_every_name_is_there(room: object) -> None:
    names = room.__all__  # type: ignore[attr-defined]
    assert "exact" in names
    assert set(names) <= set(dir(room))
    for name in names:
        assert getattr(room, name).__name__ == name
    with pytest.raises(AttributeError, match="nothing_like_this"):
        room.nothing_like_this  # type: ignore[attr-defined]  # noqa: B018


def test_the_rooms_load_without_kernels() -> None:
    program = (
        "import sys, gatewalk.theory, gatewalk.theory.chain; "
        "sys.exit(any(name in sys.modules for name in ('numba', 'scipy', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
