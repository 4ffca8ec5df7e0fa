"""What a user's Python file defines, by a text such as `mine.py:sam_edges`: a file and a name in it.

Such a file is code: it is imported because the user names it on the command line, in a campaign or in Python,
and never because a store or a saved search does. It is imported once in a process. Files beside it can be
imported by it, as if it were a script.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gatewalk.errors import InputError, printable, shown

_TEXT = re.compile(r"(?P<file>.*\.py):(?P<name>[^:]*)(?::(?P<rest>.*))?", re.DOTALL)
_LONGEST = 300  # characters of a reason
_folder: ContextVar[Path] = ContextVar("folder", default=Path())
_modules: dict[Path, ModuleType] = {}


class Reference(NamedTuple):
    """A file, a name in it, and what follows the name after a further colon, such as a size."""

    file: str
    name: str
    rest: str


def reference(text: str) -> Reference | None:
    """The parts of a text that names something in a Python file; None if it is another text.

    >>> reference("mine.py:dnf:5"), reference("and:8")
    (Reference(file='mine.py', name='dnf', rest='5'), None)
    """
    parts = _TEXT.fullmatch(text)
    return None if parts is None else Reference(parts["file"], parts["name"], parts["rest"] or "")


@contextmanager
def found_in(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Within the block, files are found relative to this folder instead of the working directory."""
    token = _folder.set(Path(folder))
    try:
        yield
    finally:
        _folder.reset(token)


def defined(file: str, name: str) -> object:
    """What a Python file defines under a name; whatever is wrong with the file is an `InputError`.

    >>> _ = Path("mine.py").write_text("def majority(a, b, c): return a + b + c > 1")
    >>> defined("mine.py", "majority")(0, 1, 1)
    True
    """
    module = _imported(file)
    if name in vars(module):
        return vars(module)[name]
    public = [one for one in vars(module) if not one.startswith("_")]
    near = get_close_matches(name, public, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"{printable(file)} defines no {shown(name)}{hint}")


def _imported(file: str) -> ModuleType:
    folder = _folder.get()
    try:
        path = (folder / file).resolve()
        there = path.is_file()
    except (OSError, ValueError):  # a name too long, or one that no file can have
        there = False
    if not there:
        raise InputError(f"{shown(file)}: there is no such file in {printable(str(folder.absolute()))}")
    if path in _modules:
        return _modules[path]
    module = ModuleType(f"gatewalk.foreign:{path}")  # a name that no import statement can mean
    module.__file__ = str(path)
    _modules[path] = sys.modules[module.__name__] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    except BaseException as error:
        del _modules[path], sys.modules[module.__name__]
        if isinstance(error, (Exception, SystemExit)):
            raise InputError(f"{printable(file)}: {why(error, path)}") from error
        raise
    return module


def why(error: BaseException, path: str | os.PathLike[str]) -> str:
    """In one line what went wrong in a user's code, with the line of this file where that is known."""
    line, words = None, str(error)
    if isinstance(error, SyntaxError) and error.filename == os.fspath(path):
        line, words = error.lineno, error.msg
    at = error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == os.fspath(path):
            line = at.tb_lineno  # of the innermost call that stands in the file
        at = at.tb_next
    if isinstance(error, InputError):  # of an operator it knows the line; the traceback ends at the decorator
        words = re.sub(rf"^{re.escape(Path(path).name)}:(?=\d+: )", "line ", words)
        line = None if re.match(r"(\w+ [\w-]+: )?line \d+: ", words) else line
    kind = "" if isinstance(error, InputError) else type(error).__name__
    reason = printable(": ".join(filter(None, (kind, words))))
    reason = reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]}..."
    return f"line {line}: {reason}" if line else reason
