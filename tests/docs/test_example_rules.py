"""The rules by which examples of pages are found, run and compared (CONTRIBUTING.md)."""

import pytest
from documents import blocks, cells
from examples import run_page

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


def test_a_page_runs_in_order(tmp_path):
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
def test_a_page_that_is_wrong_fails(right, wrong, said, tmp_path):
    assert PAGE.count(right) == 1
    with pytest.raises(AssertionError, match=said):
        run_page(blocks(PAGE.replace(right, wrong)), tmp_path)


PICTURE = """
class Picture:
    def _repr_svg_(self):
        return "<svg/>"
"""


def cell(source, **shows):
    data = [{"data": {media.replace("_", "/"): text for media, text in shows.items()}}] if shows else []
    return {"cell_type": "code", "source": [source], "outputs": data}


@pytest.mark.parametrize(
    ("source", "shows"),
    [
        ("x = 2\nx + 1", {"text_plain": "3"}),
        ("x = 2", {}),
        ("Picture()", {"image_svg+xml": "<svg>another</svg>", "text_plain": "<Picture 1>"}),
    ],
)
def test_a_cell_shows_its_last_value(source, shows, tmp_path):
    run_page(cells({"cells": [cell(f"{PICTURE}\n{source}", **shows)]}), tmp_path)


@pytest.mark.parametrize(
    ("source", "shows"),
    [
        ("1 + 1", {"text_plain": "3"}),
        ("x = 3", {"text_plain": "3"}),
        ("'no picture'", {"image_svg+xml": "<svg/>", "text_plain": "<Picture 1>"}),
        ("Picture()", {"text_plain": "<Picture 1>"}),
    ],
)
def test_a_cell_that_shows_something_else_fails(source, shows, tmp_path):
    with pytest.raises(AssertionError, match="shows"):
        run_page(cells({"cells": [cell(f"{PICTURE}\n{source}", **shows)]}), tmp_path)
