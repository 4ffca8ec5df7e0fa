"""Keys: everything that determines a result is in them, and they never change by themselves."""

from __future__ import annotations

import hashlib
import json

from gatewalk.campaign.identity import LAW_VERSION, cell_key, version_of
from gatewalk.search.settings import law_text, settings


def test_keys_differ_in_every_part() -> None:
    keys = {cell_key("a", 1, 2), cell_key("b", 1, 2), cell_key("a", 2, 2), cell_key("a", 1, 3)}
    assert len(keys) == 4


def test_keys_are_the_same_in_every_version() -> None:
    """Stores on disk hold these; another value here means that every run is run again."""
    assert cell_key('{"law":1}', 10, 7).hex() == "387a42263a96ceff35cce0c55e1a4d6f"


def test_only_runs_that_changed_have_a_new_version() -> None:
    tree = law_text(settings("and:4", algorithm="tgp-single"))
    assert version_of(tree) == 1
    assert version_of(law_text(settings("maj:5", algorithm="tgp-multi", gates="and,or,one"))) == 2
    assert version_of(law_text(settings("and:4"))) == 3
    assert version_of(law_text(settings("maj:5", gates="and,or,one"))) == 3
    assert LAW_VERSION == 3


def test_runs_that_did_not_change_keep_their_key() -> None:
    """As stores of the first version had it."""
    law = law_text(settings("and:4", algorithm="tgp-single"))
    text = json.dumps({"version": 1, "law": law, "budget": 10, "seed": 7}, sort_keys=True)
    assert cell_key(law, 10, 7) == hashlib.blake2b(text.encode(), digest_size=16).digest()
