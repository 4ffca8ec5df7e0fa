"""The version that users see is a version, and the same everywhere in the package."""

import re

from click.testing import CliRunner

import gatewalk
from gatewalk.cli.main import gatewalk as command
from gatewalk.version import __version__


def test_the_version():
    assert re.match(r"\d+(\.\d+)*", __version__)
    assert gatewalk.__version__ == __version__
    assert __version__ in CliRunner().invoke(command, ["--version"]).output
