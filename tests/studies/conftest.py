"""Folders of studies for the tests."""

import pytest
from study_folder import SPEC


@pytest.fixture
def folder(tmp_path):
    """A function that makes a study's folder of these files; by default one that is right."""

    def make(spec=SPEC, **files):
        home = tmp_path / "mine"
        home.mkdir(exist_ok=True)
        (home / "spec.toml").write_text(spec, encoding="utf-8")
        for name, text in files.items():
            (home / name.replace("_", ".")).write_text(text, encoding="utf-8")
        return home

    return make
