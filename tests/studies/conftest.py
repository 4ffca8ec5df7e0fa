"""Folders of studies for the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from study_folder import SPEC

Make = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Make:
    """A function that makes a study's folder of these files; by default one that is right."""

    def make(spec: str = SPEC, **files: str) -> Path:
        home = tmp_path / "mine"
        home.mkdir(exist_ok=True)
        (home / "spec.toml").write_text(spec, encoding="utf-8")
        for name, text in files.items():
            (home / name.replace("_", ".")).write_text(text, encoding="utf-8")
        return home

    return make
