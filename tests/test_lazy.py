"""The rooms' public names; and that those of some rooms cost nothing before they are used."""

import os
import re
import sys
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from pkgutil import iter_modules

import pytest
from processes import finished

ROOMS = {
    "gatewalk": "evolve",
    "gatewalk.analysis": "cells_of",
    "gatewalk.boolean": "why_inexpressible",
    "gatewalk.campaign": "plan",
    "gatewalk.circuit": "circuit_named",
    "gatewalk.stats": "growth",
    "gatewalk.studies": "read_study",
    "gatewalk.theory": "exact",
}
LAZY = ("gatewalk", "gatewalk.campaign", "gatewalk.circuit", "gatewalk.theory")


@pytest.mark.parametrize("name", ROOMS)
def test_every_name_is_there(name):
    room = import_module(name)
    names = room.__all__
    assert ROOMS[name] in names
    assert set(names) <= set(dir(room))
    for exported in names:
        public = getattr(room, exported)
        assert not (isclass(public) or isfunction(public)) or public.__name__ == exported
    with pytest.raises(AttributeError, match="nothing_like_this"):
        room.nothing_like_this  # noqa: B018


@pytest.mark.parametrize("name", LAZY)
def test_no_module_of_a_lazy_room_hides_a_name(name):
    room = import_module(name)
    modules = {module.name for module in iter_modules(room.__path__)}
    assert modules.isdisjoint(room.__all__)


def test_a_name_is_not_hidden_by_the_module_of_that_name():
    program = "import gatewalk.stats.growth; from gatewalk.stats import growth; assert callable(growth)"
    assert finished([sys.executable, "-c", program]).returncode == 0


def test_rooms_that_are_lazy_load_without_anything_heavy():
    program = (
        f"import sys, {', '.join(LAZY)}; "
        "sys.exit(any(name in sys.modules for name in ('numba', 'scipy', 'numpy', 'typing', 'pandas')))"
    )
    assert finished([sys.executable, "-c", program]).returncode == 0


def test_a_search_loads_few_modules(tmp_path):
    # With a kernel cache of its own: the index of another may name observers, and loading it imports these.
    program = (
        "import sys, gatewalk as gw; gw.evolve('and:8', nodes=16, seed=1).circuit; "
        "print(sum(name.partition('.')[0] == 'gatewalk' for name in sys.modules))"
    )
    own_cache = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = finished([sys.executable, "-c", program], env=own_cache)
    assert int(done.stdout) <= 65, done.stderr


def test_only_methods_of_results_and_runs_reach_a_room_above():
    source = Path(import_module("gatewalk").__file__ or "").parent
    callers = {
        path.relative_to(source).as_posix(): path.read_text(encoding="utf-8")
        for path in source.rglob("*.py")
        if "lazy import" in (text := path.read_text(encoding="utf-8")) and re.search(r"\babove\b", text)
    }
    assert sorted(callers) == ["campaign/results.py", "search/runs.py"]
    for text in callers.values():
        calls = re.findall(r"(\w+)? *above\((.*?)\)\(self\b", text)
        assert len(calls) == len(re.findall(r"\babove\(", text)) > 0  # each hands them on, whole
        assert all(re.match(r'"gatewalk\.(analysis|report)\.', module) for _, module in calls)
