"""The server of the live page: GET of two things below a token, and nothing else."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gatewalk.campaign import parse, run
from gatewalk.report import live_server
from gatewalk.report.live_server import Feed, names_this_server, server_on

TOKEN = "secret-token"
SPEC = '[grid]\ntarget = ["and:2", "and:3"]\nreplications = 3\n'


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("live") / "runs.sqlite"
    run(parse(SPEC), path, jobs=1).close()
    return path


@pytest.fixture
def feed(store: Path) -> Feed:
    return Feed(str(store))


@pytest.fixture
def port(feed: Feed) -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = server_on(listener, feed, host="127.0.0.1", token=TOKEN)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield listener.getsockname()[1]
    server.shutdown()
    server.server_close()
    thread.join()


def ask(
    port: int, path: str, method: str = "GET", **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=named)
    answer = connection.getresponse()
    found = answer.status, answer.headers, answer.read()
    connection.close()
    return found


def test_the_page_and_its_data(port: int) -> None:
    status, headers, body = ask(port, f"/{TOKEN}/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert body.startswith(b"<!doctype html>")
    status, headers, body = ask(port, f"/{TOKEN}/data.json")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    found = json.loads(body)
    assert (found["overview"]["counts"]["runs"], found["finished"]) == (6, False)
    status, _, body = ask(port, f"/{TOKEN}/data.json", If_None_Match=headers["ETag"])
    assert (status, body) == (304, b"")
    status, headers, body = ask(port, f"/{TOKEN}/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 50_000


@pytest.mark.parametrize(
    "path",
    ["/", "//", f"/{TOKEN}", f"/{TOKEN}x/", "/data.json", f"/{TOKEN}/runs.sqlite", f"/{TOKEN}/../{TOKEN}/",
     f"/{TOKEN}/data.json?x=1", f"/{TOKEN.upper()}/", "/%73ecret-token/"],
)  # fmt: skip
def test_anything_else_is_not_there(port: int, path: str) -> None:
    status, headers, body = ask(port, path)
    assert (status, body) == (404, b"not here\n")
    assert "Location" not in headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(port: int, method: str) -> None:
    status, headers, _ = ask(port, f"/{TOKEN}/", method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


def test_every_answer_is_closed_to_other_sites(port: int) -> None:
    for path in (f"/{TOKEN}/", f"/{TOKEN}/data.json", "/"):
        _, headers, _ = ask(port, path)
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in headers
        assert "Python" not in headers["Server"]


def test_another_name_is_refused(port: int) -> None:
    for host in (f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", f"127.0.0.1.evil.example:{port}"):
        assert ask(port, f"/{TOKEN}/data.json", Host=host)[0] == 403
    assert ask(port, f"/{TOKEN}/", Host=f"localhost:{port}")[0] == 200


def test_what_is_no_request_gets_no_page(port: int) -> None:
    for words in (
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"<script> / HTTP/1.1\r\n\r\n",
        b"\xff\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            connection.sendall(words)
            connection.shutdown(socket.SHUT_WR)
            assert b"script>" not in connection.recv(5000)
    assert ask(port, f"/{TOKEN}/")[0] == 200


def test_names() -> None:
    assert names_this_server("192.0.2.7:80", "0.0.0.0", 80)
    assert not names_this_server("192.0.2.7:80", "127.0.0.1", 80)
    assert names_this_server("lab.example:80", "lab.example", 80)
    assert not names_this_server("evil.example:80", "0.0.0.0", 80)
    assert not names_this_server("localhost:81", "localhost", 80)


def test_the_store_is_read_no_more_often_than_is_cheap(feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(live_server, "report_data", lambda results, **_: read.append(results) or {})
    monkeypatch.setattr(live_server, "_LEAST_SECONDS", 1e9)
    first = feed.answer()
    assert feed.answer() == first
    assert len(read) == 1
    feed.end()
    assert feed.answer() != first
    assert json.loads(feed.body) == {"finished": True}


def test_a_bug_is_told_from_an_end(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_server, "report_data", None)
    assert ask(port, f"/{TOKEN}/data.json")[0] == 500
    assert ask(port, f"/{TOKEN}/")[0] == 200


def test_a_store_that_is_not_there_yet(tmp_path: Path) -> None:
    body, *_ = Feed(str(tmp_path / "none.sqlite")).answer()
    assert json.loads(body) == {"error": "The campaign is about to begin."}
