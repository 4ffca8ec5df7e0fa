"""Every public name says what it is; those of `gatewalk` itself their parameters, too, with an example."""

import dataclasses
import inspect
import re
from importlib import import_module

import pytest

ROOMS = (
    "stats",
    "boolean",
    "circuit",
    "theory",
    "synthesis",
    "learn",
    "campaign",
    "analysis",
    "report",
    "studies",
)


def public(package):
    """The public names of a package, by the module that defines them and their name."""
    module = import_module(package)
    values = [getattr(module, name) for name in module.__all__]
    return {(value.__module__, value.__name__): value for value in values}


FACADE = public("gatewalk")
NAMES = FACADE | {key: value for room in ROOMS for key, value in public(f"gatewalk.{room}").items()}


def sections(value):
    """The numpydoc sections of a docstring by title; the text before the first has the title ""."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def named(section):
    """The names that a section of parameters or attributes explains, in order."""
    lines = re.findall(r"^([\w*][\w*, ]*?)(?: :.*)?$", section, re.MULTILINE)
    return [name.strip().lstrip("*") for line in lines for name in line.split(",")]


def parameters(value):
    # `settings` shows the options one by one in its signature, and takes them as `**options`.
    code = inspect.unwrap(value).__code__
    taken = code.co_argcount + code.co_kwonlyargcount
    flags = (code.co_flags & inspect.CO_VARARGS) // 4 + (code.co_flags & inspect.CO_VARKEYWORDS) // 8
    return set(code.co_varnames[: taken + flags])


@pytest.mark.parametrize("key", NAMES, ids=".".join)
def test_the_name_says_what_it_is(key):
    # A dataclass without a docstring gets its signature for one.
    value = NAMES[key]
    said = inspect.getdoc(value) or ""
    assert re.match(r"\S.*[.:]$", said, re.MULTILINE), "no sentence"
    assert not said.startswith(f"{key[1]}("), "only its signature"


@pytest.mark.parametrize("key", FACADE, ids=".".join)
def test_the_facade_is_documented(key):
    value = FACADE[key]
    found = sections(value)
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
