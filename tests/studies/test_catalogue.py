"""Studies of the package are found by name, others by path."""

from __future__ import annotations

from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.studies.catalogue import HOME, find, is_packaged, names


def test_names_are_found_and_the_paper_is_the_first() -> None:
    assert names()[0] == "paper"
    assert find("nodes") == HOME / "nodes"
    assert is_packaged(find("nodes"))


def test_a_path_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert find("mine") == Path("mine")
    assert find("./nodes") == Path("nodes")
    assert not is_packaged(find("./nodes"))
    with pytest.raises(InputError, match="did you mean nodes"):
        find("node")
