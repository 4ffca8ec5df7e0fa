"""The live page in its own process, and in a browser that follows a store while it grows."""

from __future__ import annotations

import json
import socket
import threading
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from live_browser import Tab, live_browser

from gatewalk.campaign import parse, run
from gatewalk.errors import InputError
from gatewalk.report.live import serving


def spec(replications: int) -> str:
    grid = "[grid]\ntarget = 'and'\nn = [2, 3]\nselection = ['strict', 'nonstrict']\n"
    return f"{grid}replications = {replications}\n"


def test_it_is_there_until_the_end(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with serving(store) as live:
        assert live.address.startswith("http://127.0.0.1:")
        with urlopen(live.address + "data.json") as answer:
            assert "about to begin" in json.load(answer)["error"]
        run(parse(spec(2)), store, jobs=1).close()
        before = time.monotonic()
        waiting = threading.Thread(target=live.finish)
        waiting.start()
        found: dict = {}
        while not found.get("finished"):  # it was asked a moment ago, so it stays until it has told the end
            with urlopen(live.address + "data.json") as answer:
                found = json.load(answer)
        waiting.join()
        assert found["overview"]["counts"]["runs"] == 8
        assert time.monotonic() > before
    with pytest.raises(URLError):
        urlopen(live.address)


def test_a_port_that_is_taken_and_one_that_is_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: .*in use"), serving(tmp_path / "a", port=port):
            pass
    for host, bad, says in (
        ("127.0.0.1", 70000, "there is no port 70000"),
        ("no such host", 0, "no interface"),
    ):
        with pytest.raises(InputError, match=says), serving(tmp_path / "a", host=host, port=bad):
            pass


def wait_for(tab: Tab, expression: str) -> None:
    for _ in range(600):
        if tab.ask(expression):
            return
        time.sleep(0.05)
    raise AssertionError(tab.ask("document.getElementById('state').textContent"))


def test_charts_follow_and_switches_stay(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    run(parse(spec(2)), store, jobs=1).close()
    with live_browser(tmp_path / "browser") as tab:
        with serving(store) as live:
            tab.show(1280, prefers_color_scheme="light", prefers_reduced_motion="reduce")
            tab.go(live.address)
            counts = "document.querySelector('#counts').textContent"
            wait_for(tab, f"document.body.dataset.ready && {counts}.includes('of 8 asked')")
            tab.click("#times-switches [data-key='times-y-linear']")
            tab.click("#times-curves input")
            tab.ask("window.stays = true")
            run(parse(spec(9)), store, jobs=1).close()
            wait_for(tab, f"{counts}.includes('of 36 asked')")
            wait_for(tab, "document.querySelector('#times-readout').textContent.includes('of 9')")
            assert tab.ask("window.stays")  # the page was not loaded again
            assert tab.ask("document.querySelector('#times-switches [data-key=times-y-linear]').checked")
            assert not tab.ask("document.querySelector('#times-curves input').checked")
            live.finish()
            wait_for(tab, "document.getElementById('state').textContent.includes('has finished')")
        served = {line for line in tab.complaints if not line.startswith(live.address)}
        assert served == set()


def test_a_page_says_that_its_campaign_is_gone(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    run(parse(spec(2)), store, jobs=1).close()
    with live_browser(tmp_path / "browser") as tab:
        with serving(store) as live:
            tab.show(360, prefers_color_scheme="dark", prefers_reduced_motion="reduce")
            tab.go(live.address)
            wait_for(tab, "document.body.dataset.ready")
        wait_for(tab, "document.getElementById('state').className === 'gone'")
        assert "cannot be reached" in tab.ask("document.getElementById('state').textContent")
        assert tab.ask("document.documentElement.scrollWidth") <= 360
