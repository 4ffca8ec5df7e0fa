"""Keys: everything that determines a result is in them, and they never change by themselves."""

from __future__ import annotations

from gatewalk.campaign.identity import LAW_VERSION, cell_key, run_key, version_of
from gatewalk.search.settings import law_text, settings


def test_keys_differ_in_every_part() -> None:
    keys = {cell_key("a", 1, 2), cell_key("b", 1, 2), cell_key("a", 2, 2), cell_key("a", 1, 3)}
    assert len(keys) == 4
    assert len({run_key(key, number) for key in keys for number in (0, 1, 2**40)}) == 12


def test_keys_are_the_same_in_every_version() -> None:
    """Stores on disk hold these; another value here means that every run is run again."""
    assert cell_key('{"law":1}', 10, 7).hex() == "387a42263a96ceff35cce0c55e1a4d6f"
    assert run_key(bytes(16), 3).hex() == "b07e1b9b923f31e854cc6ceac45d1e07"


def test_only_runs_that_changed_have_a_new_version() -> None:
    assert version_of(law_text(settings("and:4"))) == 1
    assert version_of(law_text(settings("and:4", algorithm="tgp-single"))) == 1
    assert version_of(law_text(settings("and:4", options={"sam_stream": "lean"}))) == 2
    assert version_of(law_text(settings("maj:5", gates="and,or,one"))) == 2
    assert LAW_VERSION == 2
