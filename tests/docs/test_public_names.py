"""Every public name is documented: its parameters, what it returns, and an example."""

from __future__ import annotations

import dataclasses
import inspect
import re
from importlib import import_module
from typing import Any

import pytest

ROOMS = ("boolean", "circuit", "theory", "synthesis", "learn", "campaign", "analysis", "report", "studies")
PACKAGES = ["gatewalk", *(f"gatewalk.{room}" for room in ROOMS)]
NAMES = {
    (value.__module__, value.__name__): value
    for package in PACKAGES
    for value in (getattr(import_module(package), name) for name in import_module(package).__all__)
}


def sections(value: object) -> dict[str, str]:
    """The numpydoc sections of a docstring by title; the text before the first has the title ""."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def named(section: str) -> list[str]:
    """The names that a section of parameters or attributes explains, in order."""
    lines = re.findall(r"^([\w*][\w*, ]*?)(?: :.*)?$", section, re.MULTILINE)
    return [name.strip().lstrip("*") for line in lines for name in line.split(",")]


def parameters(value: Any) -> set[str]:
    # `settings` shows the options one by one in its signature, and takes them as `**options`.
    code = inspect.unwrap(value).__code__
    taken = code.co_argcount + code.co_kwonlyargcount
    flags = (code.co_flags & inspect.CO_VARARGS) // 4 + (code.co_flags & inspect.CO_VARKEYWORDS) // 8
    return set(code.co_varnames[: taken + flags])


@pytest.mark.parametrize("key", NAMES, ids=".".join)
def test_the_name_is_documented(key: tuple[str, str]) -> None:
    value = NAMES[key]
    found = sections(value)
    assert found[""].strip(), "says nothing"
    assert ">>> " in found.get("Examples", ""), "no example"
    if not inspect.isclass(value):
        assert set(named(found.get("Parameters", ""))) == parameters(value)
        returns_something = inspect.signature(value).return_annotation not in (None, "None")
        assert ("Returns" in found) == returns_something
    elif dataclasses.is_dataclass(value):
        fields = {field.name for field in dataclasses.fields(value) if not field.name.startswith("_")}
        assert set(named(found["Attributes"])) == fields
    elif not issubclass(value, BaseException):
        taken = set(inspect.signature(value).parameters)
        assert set(named(found["Parameters"])) == taken
