"""The rules by which examples of pages are found, run and compared (CONTRIBUTING.md)."""

import pytest
from documents import blocks
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
