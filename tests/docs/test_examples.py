"""Every example of README.md and docs is run, and prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documents import PAGES, Block, blocks_of
from examples import RUN, check_options, run_page

RUNNABLE = {name: page for name, page in PAGES.items() if any(one.language in RUN for one in blocks_of(page))}
# What a page may ask for that a test cannot do.
REASONS = r"(installs|needs|takes|continues|a sketch)\b.+"
MOST_NOT_RUN = 30


def not_run() -> list[tuple[str, Block]]:
    return [(name, one) for name, page in PAGES.items() for one in blocks_of(page) if one.not_run]


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_page_runs(name: str, tmp_path: Path) -> None:
    run_page(blocks_of(PAGES[name]), tmp_path)


def test_a_block_that_is_not_run_says_why() -> None:
    told = [f"{name}:{one.line}: {one.not_run}" for name, one in not_run()]
    assert [line for line in told if not re.fullmatch(REASONS, line.split(": ", 1)[1])] == []
    assert len(told) <= MOST_NOT_RUN, "\n".join(told)


@pytest.mark.parametrize("name", PAGES)
def test_commands_within_sentences_exist(name: str) -> None:
    text = PAGES[name].read_text()
    for command in re.findall(r"(?<!`)`(gatewalk [a-z][^`|]*)`(?!`)", text):
        check_options(" ".join(command.split()))
