"""The command line as a whole: help, options of every command, refusals, output that nobody takes, Ctrl-C."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from command import call, record
from processes import finished
from refusals import BAD_SETTINGS, refused

from gatewalk import InputError, search_for
from gatewalk.campaign import campaign, plan, read
from gatewalk.cli.main import COMMANDS, gatewalk
from gatewalk.cli.options import MOST_RUNS, OUT_FILE, Jobs, Number, Whole
from gatewalk.search.options import OPTIONS

GATEWALK = f"{sys.executable} -m gatewalk"
KEYWORDS = {option.flag or name: option.keyword or name for name, option in OPTIONS.items()}


def shell(command):
    """Exit code of the first command of a pipeline, and what was said on standard error."""
    script = f"{command}; exit ${{PIPESTATUS[0]}}"
    done = finished(["bash", "-c", script])
    return done.returncode, done.stderr


def leaves(group=gatewalk, names=()):
    """Every command that is no group, by its words."""
    from click import Context, Group

    for name in group.list_commands(Context(group)):
        command = group.get_command(Context(group), name)
        if isinstance(command, Group):
            yield from leaves(command, (*names, name))
        else:
            yield (*names, name), command


@pytest.mark.parametrize(
    ("words", "command"), [pytest.param(*leaf, id=" ".join(leaf[0])) for leaf in leaves()]
)
def test_help_teaches_and_fits_the_screen(words, command):
    shown = CliRunner().invoke(gatewalk, [*words, "--help"], terminal_width=80).output
    typed = f"gatewalk {' '.join(words)}"
    assert f"{typed} [OPTIONS]" in shown or f"{typed} " in shown
    if words != ("study", "list"):
        assert f"  {typed} " in shown.split("Examples:")[1] or f"  {typed}\n" in shown.split("Examples:")[1]
    assert command.help.split()[0].istitle()
    for option in command.params:
        if option.param_type_name == "option":
            assert option.help, option
            assert option.help.rstrip("]0123456789 ").endswith((".", "[default: sam", "[default:")), (
                option.help
            )


def test_the_list_of_commands_begins_with_verbs():
    verbs = {"Search", "Compute", "Evaluate", "Measure", "Reproduce", "Run", "Write", "List", "Convert"}
    assert {command.help.split()[0].rstrip(",") for command in COMMANDS.values()} <= verbs


@pytest.mark.parametrize("command", ["", "campaign"])
def test_a_command_alone_shows_its_help(command):
    status, err = shell(f"{GATEWALK} {command}")
    assert status == 2
    assert err.startswith("Usage: gatewalk")
    assert "\nCommands:\n" in err


def test_an_unknown_command_is_refused_with_what_was_meant(capsys):
    refused(capsys, "evolv", naming=("'evolv'", "did you mean evolve?"))
    refused(capsys, "frobnicate", naming=("'frobnicate'", *COMMANDS))


@pytest.mark.parametrize(("option", "word", "names"), BAD_SETTINGS)
def test_no_door_takes_an_impossible_setting(option, word, names, capsys, tmp_path):
    line = refused(capsys, "evolve", "and:4", f"--{option}={word}", naming=names)
    assert option in line or str(word).rpartition(":")[2] in line
    with pytest.raises(InputError) as error:
        search_for("and:4", **{KEYWORDS[option]: word})
    assert names in str(error.value)
    file = tmp_path / "spec.toml"
    value = f'"{word}"' if isinstance(word, str) or word >= 1 << 63 else word
    file.write_text(f'[grid]\ntarget = "and:4"\n{option} = {value}\n')
    with pytest.raises(InputError) as error:
        plan(read(file))
    assert f"{file}:3: {option}" in str(error.value)
    with pytest.raises(InputError):
        plan(campaign(target="and:4", **{KEYWORDS[option]: word}))


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("1_000", 1000), ("1e6", 10**6), ("2.5e3", 2500), ("1E+2", 100), ("-3", -3), (7, 7)],
)
def test_whole_numbers_may_be_written_as_powers_of_ten(text, number):
    assert Whole().checked("--budget", text) == number


@pytest.mark.parametrize("text", ["1.5", "2.55e1", "1e-3", "15e-1", "e6", "1e31", "", "ten", "0x10"])
def test_anything_else_is_no_whole_number(text):
    with pytest.raises(InputError, match=f"--budget .*whole number.*{text!r}"):
        Whole().checked("--budget", text)


@pytest.mark.parametrize(
    ("kind", "word", "limit"),
    [
        (Whole(1, MOST_RUNS), "0", "at least 1"),
        (Whole(1, MOST_RUNS), "1000000001", "at most 1,000,000,000"),
        (Whole(0), "-1", "at least 0"),
        (Jobs(), "0", "at least 1"),
        (Jobs(), "100000", "at most 1,024"),
        (Number(more_than=0), "0", "more than 0"),
        (Number(more_than=0), "inf", "more than 0"),
        (Number(least=0.001, most=1e6), "nan", "at least 0.001 and at most 1,000,000"),
        (Number(least=0.001, most=1e6), "1e7", "at most 1,000,000"),
        (Number(), "many", "a number"),
    ],
)
def test_numbers_out_of_range_are_refused_by_their_option(kind, word, limit):
    with pytest.raises(InputError) as error:
        kind.checked("--option", word)
    assert str(error.value).startswith("--option ")
    assert limit in str(error.value)


def test_a_file_to_write_needs_a_name_and_a_folder(tmp_path):
    assert OUT_FILE.checked("--out", str(tmp_path / "new.svg")) == tmp_path / "new.svg"
    for word, remedy in (("", "file"), (tmp_path / "no" / "new.svg", "no folder"), (tmp_path, "is a folder")):
        with pytest.raises(InputError, match=remedy) as error:
            OUT_FILE.checked("--out", str(word))
        assert str(error.value).startswith("--out")


def test_numbers_are_checked_by_the_commands_that_take_them(capsys, tmp_path):
    for words in (("evolve", "and:3"), ("observe", "and:3"), ("circuit", "minimise", "and:3")):
        refused(capsys, *words, "--runs", "0", naming=("--runs", "0", "at least 1"))
    spec = tmp_path / "spec.toml"
    spec.write_text('[grid]\ntarget = "and:2"\n')
    commands = (("evolve", "and:3"), ("study", "run", "nodes"), ("paper",), ("campaign", "run", spec))
    for words in commands:
        refused(capsys, *words, "--jobs", "0", naming=("--jobs", "0", "at least 1"))
    for words in (*commands[:3], ("exact", "and:3")):
        refused(capsys, *words, "--seed=-1", naming=("--seed", "-1", "at least 0"))
    for words in (("bench",), ("circuit", "minimise", "and:3")):
        refused(capsys, *words, "--seconds", "nan", naming=("--seconds", "nan"))
    assert list(tmp_path.iterdir()) == [spec]


def test_files_are_checked_by_the_commands_that_write_them(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (
        ("evolve", "and:3", "--out"),
        ("evolve", "and:3", "--watch"),
        ("exact", "and:2", "--out"),
        ("observe", "and:3", "--out"),
        ("circuit", "convert", "and:3"),
        ("circuit", "draw", "and:3", "--out"),
        ("circuit", "minimise", "and:3", "--out"),
        ("campaign", "plot", "x.sqlite", "--out"),
        ("report", "x.sqlite", "--out"),
    ):
        refused(capsys, *words, "nowhere/a.svg", naming=("nowhere/a.svg", "there is no folder nowhere"))
        refused(capsys, *words, "", naming="empty")
    assert not list(Path().iterdir())


def test_options_of_the_profile_are_pairs(capsys):
    found = record(capsys, "evolve", "and:3", "--option", " ties = coin ", "--budget", "50")
    assert found["law_options"] == '{"ties": "coin"}'
    refused(capsys, "evolve", "and:3", "--option", "coin", naming=("--option", "'coin'", "NAME=VALUE"))


def test_options_that_trees_do_not_have_are_a_warning(capsys):
    tree = ("and:3", "--algorithm", "tgp-single")
    status, _, err = call(capsys, "evolve", *tree, "--nodes", "5", "--mutation", "point:2")
    assert status == 0
    warnings = [line for line in err.splitlines() if line.startswith("gatewalk: warning: ")]
    assert ["--nodes" in line and "cgp" in line for line in warnings] == [True, False]
    assert "--mutation" in warnings[1]
    assert "warning" not in call(capsys, "evolve", *tree)[2]


def test_a_reader_that_has_had_enough_is_no_error():
    status, err = shell(f"{GATEWALK} evolve and:4 --runs 20000 --json | head -1")
    assert status == 0
    assert "Traceback" not in err
    assert "Broken" not in err


def test_a_full_disk_is_told_in_one_line():
    status, err = shell(f"{GATEWALK} evolve and:4 --json > /dev/full")
    assert status == 2
    assert err.splitlines()[-1] == "gatewalk: No space left on device"


def test_what_is_not_utf_8_is_refused(capsys):
    for arguments in (("evolve", "and\udcff:3"), ("campaign", "status", "\udcff.sqlite"), ("\udcff",)):
        refused(capsys, *arguments, naming=("\\udcff", "UTF-8"))


def test_what_is_echoed_steers_no_terminal_and_is_short(capsys):
    for word in ("\x1b[31m\a", "x" * 100_000):
        line = refused(capsys, "evolve", "and:3", "--gates", word)
        assert line.isprintable()
        assert len(line) < 1100


def test_numba_without_its_compiler_is_told_in_one_line():
    status, err = shell(f"NUMBA_DISABLE_JIT=1 {GATEWALK} evolve and:4")
    assert status == 2
    assert err.startswith("gatewalk: ")
    assert "NUMBA_DISABLE_JIT" in err
    assert err.count("\n") == 1


def test_an_internal_error_is_one_line_that_says_how_to_see_more(capsys, monkeypatch):
    def broken(*_, **__):
        raise KeyError("x")

    monkeypatch.setattr("gatewalk.cli.options.search_for", broken)
    status, out, err = call(capsys, "evolve", "and:3")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "KeyError: 'x'" in err
    assert "GATEWALK_DEBUG=1" in err


def test_ctrl_c_while_a_command_starts():
    """The first hundredths of a second are Python's own; from the package's first line on it is one line."""
    program = "import os, signal, gatewalk.__main__ as m; "
    program += "m.interrupts.answer_while_busy = lambda: os.kill(os.getpid(), signal.SIGINT); m.main()"
    done = finished([sys.executable, "-c", program, "evolve"])
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gatewalk: interrupted\n")
