"""Compiled kernels are taken from disk only if no source of any kernel changed."""

import ast
import os
import sys
import time
from pathlib import Path

import numba
import pytest
from processes import finished

from gatewalk.native import cache
from gatewalk.native.jit import kernel

KERNELS = {"kernel", "hot_kernel", "inlined", "internal"}


def package(folder, factor):
    """A package of two files, where a kernel calls a part in the other one."""
    pack = folder / "pack"
    pack.mkdir(exist_ok=True)
    (pack / "__init__.py").write_text("")
    (pack / "lower.py").write_text(
        f"from gatewalk.native.jit import inlined\n\n\n@inlined\ndef times(x):\n    return {factor} * x\n"
    )
    (pack / "upper.py").write_text(
        "from gatewalk.native.jit import kernel\nfrom pack.lower import times\n\n\n"
        "@kernel\ndef twice(x):\n    return times(x)\n"
    )
    return pack


PROGRAM = """
import sys
from pathlib import Path
from gatewalk.native import cache
cache.PACKAGE = Path(sys.argv[1])
from pack.upper import twice
value = twice(3)
print(value, sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values()))
"""


def run(pack, program=PROGRAM, **environment):
    """What a program says that imports the package in the place of ours."""
    source = Path(cache.__file__).parent.parent.parent
    paths = os.pathsep.join([str(pack.parent), str(source)])
    command = [sys.executable, "-c", program, str(pack)]
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = finished(command, env={**kept, "PYTHONPATH": paths, **environment}, check=True)
    return done.stdout.split()


def files(folder):
    """What Numba wrote anywhere below."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc"))


def test_a_changed_callee_in_another_file_is_compiled_again(tmp_path):
    pack = package(tmp_path, 2)
    assert run(pack) == ["6", "0", "1"]
    assert run(pack) == ["6", "1", "0"]
    package(tmp_path, 5)
    assert run(pack) == ["15", "0", "1"]


def test_it_is_beside_the_sources_in_a_folder_named_after_them(tmp_path):
    pack = package(tmp_path, 2)
    run(pack)
    ours = pack / "__pycache__" / f"gatewalk-kernels-{cache.stamp_of(pack)}"
    assert files(tmp_path) == files(ours) != []


def test_a_folder_deleted_meanwhile_is_made_again(tmp_path):
    pack = package(tmp_path, 2)
    program = PROGRAM.replace("value = ", "import shutil; shutil.rmtree(cache.place())\nvalue = ")
    assert run(pack, program) == ["6", "0", "1"]
    assert run(pack) == ["6", "1", "0"]


def test_the_place_that_the_user_wants_is_honoured(tmp_path):
    pack, wanted = package(tmp_path, 2), tmp_path / "wanted"
    assert run(pack, NUMBA_CACHE_DIR=str(wanted)) == ["6", "0", "1"]
    (ours,) = wanted.iterdir()
    assert ours.name == f"gatewalk-kernels-{cache.stamp_of(pack)}"
    assert files(tmp_path) == files(ours) != []


def test_kernels_of_others_stay_where_they_were(tmp_path):
    pack, wanted = package(tmp_path, 2), tmp_path / "wanted"
    (pack / "theirs.py").write_text(
        "import numba\n\n\n@numba.njit(cache=True)\ndef thrice(x):\n    return 3 * x\n"
    )
    program = PROGRAM + "from pack.theirs import thrice\nprint(thrice(3))\n"
    assert run(pack, program, NUMBA_CACHE_DIR=str(wanted)) == ["6", "0", "1", "9"]
    ours = wanted / f"gatewalk-kernels-{cache.stamp_of(pack)}"
    assert {path.name.split(".")[0] for path in files(ours)} == {"upper"}
    assert {path.name.split(".")[0] for path in set(files(wanted)) - set(files(ours))} == {"theirs"}


def test_a_decoration_leaves_the_setting_of_numba_alone(monkeypatch):
    ours = str(cache.place())
    monkeypatch.setattr(numba.config, "CACHE_DIR", "theirs")
    with cache.folder() as is_writable:
        assert (is_writable, numba.config.CACHE_DIR) == (True, ours)
    assert numba.config.CACHE_DIR == "theirs"
    with pytest.raises(TypeError, match="function"):
        kernel(3)
    assert numba.config.CACHE_DIR == "theirs"


def chosen(monkeypatch, folder):
    """Where the cache is, if this is the folder of the package and the user has no wish."""
    monkeypatch.setattr(cache, "PACKAGE", folder / "pack")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
    return cache.place.__wrapped__()


def test_folders_that_nobody_used_for_long_are_deleted(tmp_path, monkeypatch):
    pack = package(tmp_path, 2)
    base = pack / "__pycache__"
    names = (cache.stamp_of(pack), "0" * 16, "1" * 16, "of-somebody-else")
    ours, unused, recent, theirs = (base / f"gatewalk-kernels-{name}" for name in names)
    for folder, seconds in ((ours, 60), (unused, 60), (recent, -60), (theirs, 60)):
        folder.mkdir(parents=True)
        (folder / "kernel.nbc").write_text("machine code")
        at = time.time() - cache.KEPT_SECONDS - seconds
        os.utime(folder, (at, at))
    assert chosen(monkeypatch, tmp_path) == ours
    assert sorted(base.iterdir()) == sorted([ours, recent, theirs])
    assert files(ours)


def test_a_place_where_nothing_can_be_made_is_left_for_the_next(tmp_path, monkeypatch):
    stamp = cache.stamp_of(package(tmp_path, 2))
    (tmp_path / "pack" / "__pycache__").write_text("a file: no folder can be made in it")
    assert chosen(monkeypatch, tmp_path) == tmp_path / "home" / "gatewalk" / f"gatewalk-kernels-{stamp}"
    (tmp_path / "home").rename(tmp_path / "elsewhere")
    (tmp_path / "home").write_text("another file")
    assert chosen(monkeypatch, tmp_path) is None


def test_a_folder_that_may_only_be_read_is_left_for_the_next(tmp_path, monkeypatch):
    pack = package(tmp_path, 2)
    older = pack / "__pycache__" / "gatewalk-kernels-0123456789abcdef"
    older.mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(pack))
    found = chosen(monkeypatch, tmp_path)
    assert found is not None
    assert found.parent == tmp_path / "home" / "gatewalk"
    assert found.is_dir()
    assert older.is_dir()


def test_the_stamp_sees_names_and_contents(tmp_path):
    pack = package(tmp_path, 2)
    before = cache.stamp_of(pack)
    (pack / "notes").mkdir()
    (pack / "notes" / "words.py").write_text("# nothing to compile in this folder\n")
    assert cache.stamp_of(pack) == before
    (pack / "lower.py").rename(pack / "lowest.py")
    renamed = cache.stamp_of(pack)
    package(tmp_path, 3)
    assert len({before, renamed, cache.stamp_of(pack)}) == 3


def names_in_kernels(source):
    """Names that the functions of a file use which are compiled."""
    return {
        name.id
        for function in ast.walk(source)
        if isinstance(function, ast.FunctionDef)
        and KERNELS & {one.id for one in function.decorator_list if isinstance(one, ast.Name)}
        for part in function.body
        for name in ast.walk(part)
        if isinstance(name, ast.Name)
    }


def test_the_stamp_covers_all_that_is_compiled():
    """Constants of other files too: the compiler takes their values; of an error only its name."""
    covered, missed = set(cache.sources(cache.PACKAGE)), []
    for path in sorted(cache.PACKAGE.rglob("*.py")):
        source = ast.parse(path.read_text(encoding="utf-8"))
        used = names_in_kernels(source) - {"InputError"}
        if used and path not in covered:
            missed.append(path)
        for line in ast.walk(source):
            if isinstance(line, ast.ImportFrom) and (line.module or "").startswith("gatewalk"):
                there = cache.PACKAGE.parent.joinpath(*(line.module or "").split(".")).with_suffix(".py")
                if used & {one.asname or one.name for one in line.names} and there.is_file():
                    missed += {there} - covered
    assert not missed
