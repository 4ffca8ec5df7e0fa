"""The rules by which examples of pages are found, run and compared (CONTRIBUTING.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents import blocks, commands, session
from examples import check_options, compare, run_page

PAGE = """# A page

<!-- run: printf 'x' > made -->
```toml file=and.toml
seed = 1
```

```sh
cat made and.toml
```

```text
xseed = 1
```

```python
x = 2
```

```python
>>> x + 1
3
```

<!-- exits with: 3 -->
```console
$ gatewalk circuit check and:2 or:2
...
```

<!-- not run: needs a cluster -->
```sh
gatewalk evolve and:2 --runs 1000000
```
"""


def test_a_page_runs_in_order(tmp_path: Path) -> None:
    run_page(blocks(PAGE), tmp_path)
    assert (tmp_path / "and.toml").read_text() == "seed = 1\n"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("xseed", "xneed", "the page shows"),
        (">>> x + 1\n3", ">>> x + 1\n4", "Expected"),
        ("exits with: 3", "exits with: 4", "ended with 3"),
        ("x = 2", "x = y", "NameError"),
        ("toml file=and.toml", "toml", "in which file"),
        ("--runs", "--walks", "no option --walks"),
        ("evolve and:2", "revolve and:2", "no command 'revolve'"),
        ("```console\n$", "```\n$", "label it"),
    ],
)
def test_a_page_that_is_wrong_fails(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    assert PAGE.count(right) == 1
    with pytest.raises(AssertionError, match=said):
        run_page(blocks(PAGE.replace(right, wrong)), tmp_path)


def test_output_directly_follows_its_block() -> None:
    assert [one.is_output for one in blocks("```sh\ntrue\n```\n\n```text\n```\nWords.\n```text\n```\n")] == [
        False,
        True,
        False,
    ]


def test_a_note_belongs_to_a_block() -> None:
    with pytest.raises(ValueError, match="before no block"):
        blocks("<!-- not run: takes minutes -->\nWords.\n```sh\ntrue\n```\n")
    with pytest.raises(ValueError, match="not closed"):
        blocks("```sh\ntrue\n")


def test_dots_stand_for_what_varies() -> None:
    compare("a ... c\n...\nend", "a b c\n1\n2\nend  \n")
    compare("begin\n...\nend", "compiling kernels for this processor, only at first use ...\nbegin\nend\n")
    for shown in ("a ... d\n...\nend", "...\nen", "a b c\nend"):
        with pytest.raises(AssertionError):
            compare(shown, "a b c\n1\n2\nend\n")


def test_commands_go_on_over_lines() -> None:
    text = "# a comment\na \\\n  b\n\ncat > f <<'END'\n1\nEND\nc\n"
    assert commands(text) == ["a  b", "cat > f <<'END'\n1\nEND", "c"]
    assert session("$ a \\\n  b\nout\n$ cat <<END\n1\nEND\n1\n") == [
        ("a  b", "out\n"),
        ("cat <<END\n1\nEND", "1\n"),
    ]


def test_options_are_looked_up() -> None:
    check_options("cd here && gatewalk circuit minimise mul:3 --out a.v # --nonsense")
    with pytest.raises(AssertionError, match="no option --nonsense"):
        check_options("gatewalk circuit minimise mul:3 --nonsense=3")
