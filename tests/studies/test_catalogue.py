"""Studies of the package are found by name, others by path."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.studies.catalogue import HOME, find, is_packaged, names
from gatewalk.studies.folder import read_study


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


DOCS = Path(__file__).parents[2] / "docs" / "studies" / "README.md"


@pytest.mark.parametrize("name", [name for name in names() if name != "paper"])
def test_the_gallery_of_the_documents_shows_every_study(name: str) -> None:
    text = DOCS.read_text(encoding="utf-8")
    study = read_study(find(name))
    assert f"## {study.title}\n" in text
    minutes = study.minutes or 0
    assert f"`gatewalk study run {name}`, {minutes:g} minute" in text
    assert f"../../src/gatewalk/studies/{name}/figure.svg" in text


@pytest.mark.parametrize("page", [DOCS, *HOME.glob("*/README.md")], ids=lambda page: page.parent.name)
def test_links_and_pictures_of_the_notes_lead_somewhere(page: Path) -> None:
    named = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert any(name.endswith(".svg") for name in named)
    assert [name for name in named if not name.startswith("http") and not (page.parent / name).exists()] == []
