"""A study's own Python: what it may define, and mistakes in it as a line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.studies import Request, find, names, read_study, run_study
from gatewalk.studies.hooks import blamed_on, hooks_of

Make = Callable[..., Path]


def request(home: Path, out: Path, **options: object) -> Request:
    return Request(study=read_study(home), out=out, jobs=1, **options)  # type: ignore[arg-type]


def test_a_folder_without_code_has_no_hooks(folder: Make) -> None:
    found = hooks_of(folder())
    assert (found.observe, found.findings, found.run, found.code) == (None, None, None, "")


@pytest.mark.parametrize("name", names())
def test_studies_of_the_package_say_what_they_found(name: str) -> None:
    found = hooks_of(find(name))
    assert (found.findings is None) == (name == "paper")
    assert (found.run is None) == (name != "paper")


def test_a_mistake_of_the_package_is_a_bug_and_no_bad_input() -> None:
    with pytest.raises(ZeroDivisionError), blamed_on(find("nodes") / "study.py"):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def findings(measured:\n", "study.py:1: SyntaxError"),
        ("import no_such_module\n", "study.py:1: ModuleNotFoundError"),
        ("x = 1\n", "defines none of observe, findings, run"),
        ("findings = 3\n", "findings is no function"),
        ("def findings(measured):\n    return 1 / 0\n", "study.py:2: ZeroDivisionError"),
        ("def findings(measured):\n    return None\n", "must be a Findings"),
        ("def observe(cell, *, jobs):\n    return [1]\n", "must be a dictionary"),
        ("def observe(cell, *, jobs):\n    return {'x': float('nan')}\n", "what JSON cannot hold"),
        ("def observe(cell, *, jobs):\n    return {'x': {1, 2}}\n", "what JSON cannot hold"),
        ("def run(request):\n    return None\n", "must be a Report"),
        (
            "from gatewalk.studies import Drawing, Findings\n"
            "def findings(measured):\n"
            "    return Findings(figures=(Drawing(name='a', caption='c', draw=lambda: 1 / 0),))\n",
            "study.py:3: ZeroDivisionError",
        ),
    ],
)
def test_mistakes_in_the_code_of_a_folder_are_a_line(
    folder: Make, tmp_path: Path, code: str, words: str
) -> None:
    with pytest.raises(InputError) as refused:
        run_study(request(folder(study_py=code), tmp_path / "out", quick=True))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
