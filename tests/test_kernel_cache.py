"""Compiled kernels are taken from disk only if no source of any kernel changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gatewalk import kernel_cache

PROGRAM = """
import sys
from gatewalk.jit import kernel
import pack.upper
value = pack.upper.twice(3)
stats = pack.upper.twice.stats
print(value, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def package(folder: Path, factor: int) -> Path:
    pack = folder / "pack"
    pack.mkdir(exist_ok=True)
    (pack / "__init__.py").write_text("")
    (pack / "lower.py").write_text(
        f"from gatewalk.jit import kernel\n\n\n@kernel\ndef times(x):\n    return {factor} * x\n"
    )
    (pack / "upper.py").write_text(
        "from gatewalk.jit import kernel\nfrom pack.lower import times\n\n\n"
        "@kernel\ndef twice(x):\n    return times(x)\n"
    )
    return pack


def run(folder: Path) -> list[str]:
    source = str(Path(kernel_cache.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), source])}
    program = "import gatewalk.kernel_cache as c, pathlib\n"
    program += f"c._stamp = lambda: c.stamp_of(pathlib.Path({str(folder / 'pack')!r}))\n" + PROGRAM
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_changed_callee_in_another_file_is_compiled_again(tmp_path: Path) -> None:
    package(tmp_path, 2)
    assert run(tmp_path) == ["6", "0", "1"]
    assert run(tmp_path) == ["6", "1", "0"]
    package(tmp_path, 5)
    assert run(tmp_path) == ["15", "0", "1"]


def test_stamp_sees_names_and_contents(tmp_path: Path) -> None:
    pack = package(tmp_path, 2)
    before = kernel_cache.stamp_of(pack)
    (pack / "notes.py").write_text("# no kernels\n")
    assert kernel_cache.stamp_of(pack) == before
    (pack / "lower.py").rename(pack / "lowest.py")
    assert kernel_cache.stamp_of(pack) != before


def test_the_stamp_covers_the_fast_kernels() -> None:
    names = {
        path.relative_to(kernel_cache.PACKAGE).as_posix()
        for path in kernel_cache.sources(kernel_cache.PACKAGE)
    }
    assert {"stream.py", "popcount.py", "jit.py", "cgp/cone.py", "cgp/blocks.py", "cgp/bits.py"} <= names
