"""What a user's Python file defines: found, imported once, and refused in a line."""

import sys

import pytest

from gatewalk.errors import InputError
from gatewalk.foreign import defined, found_in, reference


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("mine.py:f", ("mine.py", "f", "")),
        ("mine.py:f:5", ("mine.py", "f", "5")),
        ("a/b.c/mine.py:f:5:6", ("a/b.c/mine.py", "f", "5:6")),
        ("mine.py:", ("mine.py", "", "")),
        ("mine.py", None),
        ("and:8", None),
        ("mine.pyc:f", None),
    ],
)
def test_a_text_names_a_file_and_what_it_defines(text, parts):
    assert reference(text) == parts


def test_a_file_is_imported_once_and_finds_its_neighbours(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "beside_it.py").write_text("five = 5\n")
    (tmp_path / "mine.py").write_text("from beside_it import five\ncalls = []\ncalls.append(five)\n")
    monkeypatch.chdir(tmp_path)
    assert defined("mine.py", "calls") == [5]
    assert defined(str(tmp_path / "mine.py"), "calls") is defined("mine.py", "calls")


def test_a_file_is_found_beside_another_one(tmp_path):
    (tmp_path / "mine.py").write_text("five = 5\n")
    with found_in(tmp_path):
        assert defined("mine.py", "five") == 5
    with pytest.raises(InputError, match="no such file"):
        defined("mine.py", "five")


OPERATOR = "import gatewalk\n@gatewalk.mutation('f')\ndef f(program, random):\n"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\ny = (\n", r"mine\.py: line 2: SyntaxError: '\(' was never closed"),
        ("def f():\n    return 1 / 0\n\nf()\n", r"mine\.py: line 2: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit('no')\n", r"mine\.py: line 2: SystemExit: no"),
        ("from gatewalk import target\ntarget(b'')\n", r"mine\.py: line 2: a target is a name"),
        (f"{OPERATOR}    program.chnage(0)\n", r"mine\.py: line 4: there is no program\.chnage"),
        (f"{OPERATOR}    program.set(0, 9)\n", r"mine\.py: mutation f: line 4: program\.set: the gene"),
        ("raise ValueError('a\\nb' * 1000)\n", r"mine\.py: line 1: ValueError: a\\nb"),
        ("import none_such\n", r"mine\.py: line 1: ModuleNotFoundError"),
        ("\0", r"mine\.py: .*null bytes"),
        ("five = 5\nsix = 6\n", r"mine\.py defines no 'fife'; did you mean five\?"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(tmp_path, source, words):
    (tmp_path / "mine.py").write_text(source)
    with found_in(tmp_path), pytest.raises(InputError, match=words) as error:
        defined("mine.py", "fife")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize("file", ["none.py", "\0.py", "x" * 5000 + ".py", "."])
def test_a_file_that_is_not_there(file):
    with pytest.raises(InputError, match="there is no such file in") as error:
        defined(file, "f")
    assert len(str(error.value)) < 600


def test_what_failed_is_tried_again(tmp_path):
    path = tmp_path / "mine.py"
    for source in ("five = \n", "five = 1 / 0\n"):
        path.write_text(source)
        with pytest.raises(InputError, match="line 1"):
            defined(str(path), "five")
    path.write_text("five = 5\n")
    assert defined(str(path), "five") == 5
