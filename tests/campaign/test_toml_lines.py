"""Keys of a TOML text are found in their lines."""

from __future__ import annotations

from gatewalk.campaign.toml_lines import line_of

TEXT = '''# a campaign
seed = 7  # [not a table]
note = """
nodes = 1
"""

[grid]
target = [
    "and:4", # = here
    "a]b",
]
"selection" = ["strict"]
nodes = ["n"]

[grid.law]
ties = ["coin"]
'''

TABLES = """
[[grid]]
target = "and:2"

[[grid]]
target = "or:2"
law = { ties = "coin" }
[grid.law2]
x = 1
"""


def test_keys_have_their_lines() -> None:
    assert line_of(TEXT, ("seed",)) == 2
    assert line_of(TEXT, ("grid", "target")) == 8
    assert line_of(TEXT, ("grid", 0, "nodes")) == 13
    assert line_of(TEXT, ("grid", "selection")) == 12
    assert line_of(TEXT, ("grid", 0, "law", "ties")) == 16


def test_a_key_in_a_string_is_not_a_key() -> None:
    assert line_of(TEXT, ("nodes",)) is None


def test_an_unknown_key_falls_back_to_its_table() -> None:
    assert line_of(TEXT, ("grid", "missing")) == 7
    assert line_of(TEXT, ("elsewhere",)) is None


def test_repeated_tables_are_counted() -> None:
    assert line_of(TABLES, ("grid", 0, "target")) == 3
    assert line_of(TABLES, ("grid", 1, "target")) == 6
    assert line_of(TABLES, ("grid", 1, "law", "ties")) == 7
    assert line_of(TABLES, ("grid", 1, "law2", "x")) == 9
