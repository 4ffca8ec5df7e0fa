"""Every public name says what it is and shows it by an example; there are not too many of them."""

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
PACKAGES = ("gatewalk", *(f"gatewalk.{room}" for room in ROOMS))


def public(package):
    """The public functions and classes of a package, by the module that defines them and their name."""
    module = import_module(package)
    values = [getattr(module, name) for name in module.__all__]
    kinds = (inspect.isclass, inspect.isroutine)
    return {(v.__module__, v.__name__): v for v in values if any(is_kind(v) for is_kind in kinds)}


NAMES = {key: value for room in PACKAGES for key, value in public(room).items()}


def explained(value):
    """The names that a docstring explains, on lines such as `seed, run: which run it is`."""
    lines = re.findall(r"^([a-z]\w*(?:, [a-z]\w*)*): ", inspect.getdoc(value) or "", re.MULTILINE)
    return {name for line in lines for name in line.split(", ")}


def known(value):
    """The parameters of a function; the attributes of a class and what it is made from."""
    if inspect.isclass(value):
        fields = getattr(value, "__dataclass_fields__", ())
        taken = () if issubclass(value, BaseException) else inspect.signature(value).parameters
        return {*fields, *taken, *dir(value)}
    # Functions that take `**words` show the words one by one in their signatures.
    return {*inspect.signature(value).parameters, *inspect.unwrap(value).__code__.co_varnames}


@pytest.mark.parametrize("key", NAMES, ids=".".join)
def test_the_name_says_what_it_is(key):
    # A dataclass without a docstring gets its signature for one.
    value = NAMES[key]
    said = inspect.getdoc(value) or ""
    assert re.match(r"\S.*[.:]$", said, re.MULTILINE), "no sentence"
    assert not said.startswith(f"{key[1]}("), "only its signature"


@pytest.mark.parametrize("key", NAMES, ids=".".join)
def test_what_it_explains_is_there(key):
    value = NAMES[key]
    fitted = {name for name in explained(value) if name.endswith("_")}  # as estimators get in `fit`
    assert explained(value) - fitted <= known(value)


@pytest.mark.parametrize("key", NAMES, ids=".".join)
def test_it_has_an_example(key):
    assert ">>> " in inspect.getdoc(NAMES[key])


def test_there_are_few_enough_to_know():
    assert len(NAMES) <= 112
