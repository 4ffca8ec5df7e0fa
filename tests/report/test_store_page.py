"""The file of a report: written whole, nothing fetched, names as text, followed until the campaign ends."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import threading
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner
from processes import LIMIT, wait_until
from report_stores import everything, nothing, unsolved

from gatewalk.campaign import run
from gatewalk.campaign.export import export
from gatewalk.campaign.spec import parse
from gatewalk.campaign.store_file import writing
from gatewalk.cli.main import gatewalk
from gatewalk.errors import InputError
from gatewalk.report import store_page, store_tables
from gatewalk.report.page import as_json
from gatewalk.report.store_page import (
    Memory,
    follow,
    page_data,
    page_of,
    policy,
    report,
    report_text,
    runs_csv,
    script,
)


def test_a_store_becomes_a_file(tmp_path):
    store, out = tmp_path / "runs.sqlite", tmp_path / "page.html"
    run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), store, jobs=1).close()
    report(store, out)
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {path.name for path in tmp_path.iterdir()} == {"runs.sqlite", "page.html"}
    with pytest.raises(InputError, match=r"must end in \.html"):
        report(store, tmp_path / "page.txt")
    with pytest.raises(InputError, match="cannot be written"):
        report(store, tmp_path / "nowhere" / "page.html")


def test_the_store_itself_is_not_overwritten(tmp_path):
    store = tmp_path / "runs.html"
    run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), store, jobs=1).close()
    before = store.read_bytes()
    with pytest.raises(InputError, match="the store itself"):
        report(store, store)
    assert store.read_bytes() == before


NASTY = '</script><img src=x onerror="alert(1)"><!--<script>'


def scripts(page):
    return re.findall(r"<script(?: [^>]*)?>(.*?)</script>", page, re.DOTALL)


def test_the_file_fetches_nothing():
    page = page_of(page_data(everything(), resamples=3))
    addresses = set(re.findall(r"https?://[^\s\"'<\\]+", page))
    assert addresses == {"https://github.com/leeoniya/uPlot", "http://www.w3.org/2000/svg"}
    assert re.findall(r"<(?:img|iframe|object)|<script[^>]*src|url\(|@import", page) == []
    assert "connect-src &#x27;none&#x27;" in page


def test_the_policy_allows_the_script_that_is_there():
    (own,) = [text for text in scripts(page_of(None)) if "uPlot" in text]
    assert own == script()
    digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy()
    assert "</script" not in script()


def test_names_are_text_in_the_file():
    data = page_data(everything(), resamples=3)
    data["name"] = data["overview"]["rows"][0][0] = NASTY
    page = page_of(data)
    assert len(scripts(page)) == 3
    assert "<img" not in page
    assert json.loads(scripts(page)[0])["name"] == NASTY
    assert "@" not in re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL)


def test_all_of_it_is_json_without_markup():
    for results in (everything(), nothing(), unsolved()):
        data = page_data(results, resamples=3)
        text = as_json(data)
        assert not set("<>&") & set(text)
        assert json.loads(text) == json.loads(json.dumps(data))


def test_an_empty_store_says_why_there_is_nothing_to_see():
    data = page_data(nothing())
    assert data["state"]["words"] == "0 of 3 runs are stored"
    for section in ("times", "distributions", "generalisation", "circuits"):
        assert data[section]["reason"] == "There is no finished run yet."
    assert data["growth"]["notes"] == ["There is no finished run yet."]


def test_the_state_of_a_store_that_is_written_to(tmp_path):
    path = tmp_path / "runs.sqlite"
    results = run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), path, jobs=1)
    assert page_data(results)["state"] == {"running": False, "words": "all 3 runs are stored"}
    with writing(path) as connection:
        assert page_data(results)["state"]["running"]
        connection.execute("UPDATE campaign SET state = 'interrupted'")
        connection.execute("UPDATE cell SET planned = 5")
    assert page_data(results)["state"]["words"] == "3 of 5 runs are stored; the campaign was interrupted"
    results.close()


def test_what_is_remembered_gives_the_same():
    memory = Memory()
    first, second = (page_data(everything(), memory=memory, resamples=3) for _ in range(2))
    first["made"] = second["made"] = ""
    assert first == second
    assert memory.fits


def test_progress_goes_from_nothing_to_all():
    shares = []
    page_data(everything(), resamples=3, on_progress=lambda share, words: shares.append(share))
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert 0.8 < shares[-1] < 1


def test_progress_says_what_is_done():
    said = []
    report_text(everything(), on_progress=lambda share, words: said.append(words))
    stages = (
        "reading runs",
        "intervals, bounds and exact times by n: ",
        "comparing runs with exact distributions: ",
        "comparing cells by selection",
        "fitting",
        "drawing the smallest circuit for and:2",
        "packing the runs for download",
    )
    places = [next(at for at, words in enumerate(said) if words.startswith(stage)) for stage in stages]
    assert places == sorted(places)
    assert places[-1] == len(said) - 1


def test_it_is_the_export(tmp_path):
    packed = runs_csv(everything(), most_bytes=1_000_000)
    assert packed is not None
    export(everything(), "csv", tmp_path / "runs.csv")
    assert gzip.decompress(base64.b64decode(packed)) == (tmp_path / "runs.csv").read_bytes()


def test_too_many_runs_are_left_out(monkeypatch):
    monkeypatch.setattr(store_page, "MOST_RUNS", 5)
    assert runs_csv(everything(), most_bytes=1_000_000) is None


def test_a_page_follows_until_the_campaign_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(store_page, "_LEAST_PAUSE", 0.05)
    store, path = tmp_path / "runs.sqlite", tmp_path / "runs.html"

    def seen(words):
        return path.exists() and words in path.read_text(encoding="utf-8")

    following = threading.Thread(target=follow, args=(store, path))
    with writing(store):  # a store without a cell, as at the beginning of a campaign
        following.start()
        wait_until(lambda: seen('data-reload="0.'))
    following.join(LIMIT)
    assert seen('data-reload=""')
    run(parse('[grid]\ntarget = "and:2"\nreplications = 3\n'), store, jobs=1).close()
    following = threading.Thread(target=follow, args=(store, path))
    with writing(store):
        following.start()
        wait_until(lambda: seen('data-reload="0.') and seen("running: all 3 runs are stored"))
    following.join(LIMIT)
    assert {file.name for file in tmp_path.iterdir()} == {"runs.sqlite", "runs.html"}
    again = tmp_path / "again.html"
    report(store, again)
    made = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
    assert made.sub("", path.read_text(encoding="utf-8")) == made.sub("", again.read_text(encoding="utf-8"))


def test_what_cannot_be_followed(tmp_path):
    store = tmp_path / "runs.html"
    with writing(store), pytest.raises(InputError, match="the store itself"):
        follow(store, store)
    with pytest.raises(InputError, match="no such store"):
        follow(tmp_path / "none.sqlite", tmp_path / "page.html")
    with writing(tmp_path / "runs.sqlite"), pytest.raises(InputError, match="cannot be written"):
        follow(tmp_path / "runs.sqlite", tmp_path / "nowhere" / "page.html")


VENDOR = files("gatewalk.report").joinpath("vendor")
RECORDED = tomllib.loads(VENDOR.joinpath("VENDORED.toml").read_text(encoding="utf-8"))


def test_other_peoples_code_is_as_it_was():
    hashes = {name: value for package in RECORDED.values() for name, value in package["sha256"].items()}
    assert hashes == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name != "VENDORED.toml"
    }


def test_other_peoples_code_has_its_version_and_licence():
    uplot = RECORDED["uplot"]
    code = VENDOR.joinpath("uPlot.iife.min.js").read_text(encoding="utf-8")
    assert f"uPlot (v{uplot['version']})" in code
    assert f"The {uplot['licence']} License" in VENDOR.joinpath("uPlot.LICENSE").read_text(encoding="utf-8")
    assert len(code) < 60_000


GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "report.md"


def test_the_code_runs(tmp_path, monkeypatch):
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store_tables, "_RESAMPLES", 4)
    exec(code, {})
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "large.html"}


def test_its_options_are_there():
    for command in (["campaign", "run"], ["report"]):
        shown = CliRunner().invoke(gatewalk, [*command, "--help"]).output
        for line in re.findall(f"^gatewalk {' '.join(command)} .*$", GUIDE.read_text(), re.MULTILINE):
            for option in re.findall(r"--[\w-]+", line):
                assert option in shown
