"""Every example of README.md and docs is run, and prints what the page shows."""

import re

import pytest
from documents import PAGES, blocks_of
from examples import RUN, check_options, run_page

RUNNABLE = {name: page for name, page in PAGES.items() if any(one.language in RUN for one in blocks_of(page))}
# What a page may ask for that a test cannot do.
REASONS = r"(installs|needs|takes|continues|a sketch)\b.+"


def not_run():
    return [(name, one) for name, page in PAGES.items() for one in blocks_of(page) if one.not_run]


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_page_runs(name, tmp_path):
    run_page(blocks_of(PAGES[name]), tmp_path)


def test_a_block_that_is_not_run_says_why():
    told = [f"{name}:{one.line}: {one.not_run}" for name, one in not_run()]
    assert [line for line in told if not re.fullmatch(REASONS, line.split(": ", 1)[1])] == []


@pytest.mark.parametrize("name", PAGES)
def test_commands_within_sentences_exist(name):
    text = PAGES[name].read_text()
    for command in re.findall(r"(?<!`)`(gatewalk [a-z][^`|]*)`(?!`)", text):
        check_options(" ".join(command.split()))
