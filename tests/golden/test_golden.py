"""What users get is what was recorded in `data`; `record.py` says when the data may change."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import answers
import cases
import pytest
from answers import DATA

from gatewalk.studies import names


def recorded(part: str) -> dict[str, Any]:
    """The recorded answers of a part, by case."""
    lines = (DATA / f"{part}.jsonl").read_text().splitlines()
    return {line["case"]: line["answer"] for line in map(json.loads, lines)}


RECORDED = {path.stem: recorded(path.stem) for path in sorted(DATA.glob("*.jsonl"))}

# Solvers sum in an order that depends on the processor; the last digits of their numbers may differ.
TOLERANCE = {"exact": 1e-12, "commands": 1e-12}


def differences(before: Any, now: Any, path: str = "", tolerance: float = 0.0) -> Iterator[str]:
    """A line for each value that is not as recorded; the order of keys counts too."""
    if isinstance(before, dict) and isinstance(now, dict):
        if list(before) != list(now):
            yield f"{path}: the keys were {list(before)} and are {list(now)}"
        for key in [key for key in before if key in now]:
            yield from differences(before[key], now[key], f"{path}.{key}", tolerance)
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield f"{path}: there were {len(before)} entries, there are {len(now)}"
        for at, (old, new) in enumerate(zip(before, now, strict=False)):
            yield from differences(old, new, f"{path}[{at}]", tolerance)
    elif isinstance(before, str) and isinstance(now, str) and "\n" in before + now:
        if before != now:
            old, new = before.splitlines(), now.splitlines()
            changed = difflib.unified_diff(old, new, "recorded", "now", n=1, lineterm="")
            yield "\n".join([f"{path or 'text'}:", *list(changed)[:30]])
    elif type(before) is float and type(now) is float:
        if not math.isclose(before, now, rel_tol=tolerance, abs_tol=tolerance / 100):
            yield f"{path}: was {before!r}, is {now!r}"
    elif type(before) is not type(now) or before != now:
        yield f"{path}: was {before!r}, is {now!r}"


def check(part: str, name: str, now: Any, tolerance: float = 0.0) -> None:
    """Fail with a line for each difference."""
    if name not in RECORDED[part]:
        pytest.fail(f"{part}, {name!r} was never recorded: see record.py", pytrace=False)
    as_stored = json.loads(json.dumps(now))
    found = list(differences(RECORDED[part][name], as_stored, tolerance=tolerance))
    if found:
        more = [f"... and {len(found) - 10} more"] if len(found) > 10 else []
        pytest.fail("\n".join([f"{part}, {name!r} is not as recorded:", *found[:10], *more]), pytrace=False)


@pytest.mark.parametrize(
    ("part", "name"),
    [(part, name) for part, (by_name, _) in answers.PARTS.items() for name in by_name],
    ids=lambda text: text,
)
def test_the_answer_is_that_of_before(part: str, name: str) -> None:
    by_name, answer = answers.PARTS[part]
    check(part, name, answer(by_name[name]), tolerance=TOLERANCE.get(part, 0.0))


@pytest.mark.parametrize("part", answers.PARTS)
def test_every_case_is_recorded(part: str) -> None:
    assert list(answers.PARTS[part][0]) == list(RECORDED[part])


def test_targets_made_in_python() -> None:
    names = answers.own_targets()
    assert list(names) == list(RECORDED["own_targets"])
    for name, now in names.items():
        check("own_targets", name, now)


@pytest.mark.parametrize("name", cases.SAVED)
def test_saved_search_is_continued(name: str) -> None:
    check("saved", name, answers.continued(name, (DATA / f"{name}.search").read_bytes()))


@pytest.mark.parametrize("name", cases.SAVED)
def test_search_is_saved_in_the_same_bytes(name: str) -> None:
    assert answers.untimed(answers.saved_bytes(name)) == (DATA / f"{name}.search").read_bytes()


def test_store_is_read() -> None:
    with answers.workplace() as folder:
        store = answers.store_copy(folder)
        check("continuing", "schema", answers.schema(store))
        check("continuing", "exported", answers.exported(store))
        code, _, err = answers.call("report", str(store), "--out", "page.html")
        assert code == 0, err
        assert Path("page.html").read_text().lower().startswith("<!doctype html>")


def test_new_store_has_the_same_tables() -> None:
    with answers.workplace() as folder:
        code, _, err = answers.call("campaign", "run", "small.toml", "--store", "new.sqlite", "--jobs", "1")
        assert code == 0, err
        check("continuing", "schema", answers.schema(folder / "new.sqlite"))


def test_campaign_of_a_store_is_continued() -> None:
    with answers.workplace() as folder:
        store = answers.store_copy(folder)
        before = answers.times_of(store)
        code, _, err = answers.call("campaign", "run", "golden.toml", "--store", str(store), "--jobs", "1")
        assert code == 0, err
        after = answers.times_of(store)
        assert {run: after[run] for run in before} == before, "a finished run was made again"
        assert len(after) == len(before) + 1, "the interrupted run is finished, and there are no others"
        check("continuing", "rows", answers.rows_of(store))


@pytest.mark.parametrize(
    "name", [*cases.STUDIES, *(pytest.param(name, marks=pytest.mark.slow) for name in cases.LONG_STUDIES)]
)
def test_verdicts_on_stored_results(name: str) -> None:
    check("verdicts", name, answers.verdicts(name))


def test_verdicts_of_every_study_with_stored_results_are_recorded() -> None:
    assert list(RECORDED["verdicts"]) == [*cases.STUDIES, *cases.LONG_STUDIES]
    assert {*RECORDED["verdicts"], "paper", "goldman_punch"} == set(names())
