"""Lines are whole for a reader that is no terminal."""

from gatewalk.cli.console import console


def test_a_long_line_is_not_wrapped(capsys):
    console().print("word " * 100)
    assert capsys.readouterr().out.count("\n") == 1
    console(stderr=True).print("word " * 100)
    assert capsys.readouterr().err.count("\n") == 1
