"""What serves the page of a running campaign: it answers GET below a token, and refuses everything else.

Two things are served: the page, which never changes, and its data, which are read from the store through a
connection of their own, no more often than is cheap. A request must name this server in its Host header, so
that no other site's page can reach it by a name of its own (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
import time
from dataclasses import dataclass, field
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from gatewalk.campaign.results import Results
from gatewalk.errors import InputError
from gatewalk.report.report_data import Memory, as_json, report_data
from gatewalk.report.report_page import policy, report_page

_LEAST_SECONDS = 1.0  # between two readings of the store
_EASE = 3  # times as long as a reading took, nothing is read again
_TOLERANCE = 0.2  # the share of new runs with which fits are not made anew, but at the end
_RESAMPLES = 40  # of growth fits, which are made again and again
WATCHED_SECONDS = 8.0  # since the last request: somebody is looking
_IDLE_SECONDS = 15.0  # until a connection that says nothing is closed
_MOST_CONNECTIONS = 32


@dataclass
class Feed:
    """The data of the page, as bytes, made anew when they are asked for and old enough."""

    store: str
    memory: Memory = field(default_factory=Memory)
    lock: threading.Lock = field(default_factory=threading.Lock)
    body: bytes = b""
    mark: str = ""
    due: float = 0.0
    finished: bool = False
    is_last: bool = False
    asked: float = -WATCHED_SECONDS
    delivered: threading.Event = field(default_factory=threading.Event)

    def answer(self) -> tuple[bytes, str, bool]:
        """The data, their mark, which changes with them, and whether they are the end."""
        with self.lock:
            self.asked = time.monotonic()
            if self.asked >= self.due:
                self._read()
                self.due = time.monotonic() + max(_LEAST_SECONDS, _EASE * (time.monotonic() - self.asked))
            self.asked = time.monotonic()  # the next request comes some seconds after the answer
            return self.body, self.mark, self.is_last

    def _read(self) -> None:
        finished = self.finished
        try:
            with Results.open(self.store) as results:
                tolerance = 0.0 if finished else _TOLERANCE
                data = report_data(results, memory=self.memory, resamples=_RESAMPLES, tolerance=tolerance)
            data["finished"] = finished
        except InputError as error:
            data = {"error": "The campaign is about to begin." if not self.mark else str(error)}
        self.body, self.is_last = as_json(data).encode(), finished
        self.mark = f'"{secrets.token_hex(8)}"'

    @property
    def is_watched(self) -> bool:
        """Was it asked for lately?"""
        return time.monotonic() - self.asked < WATCHED_SECONDS

    def end(self) -> None:
        """The campaign is over: what is asked for next is the end of it."""
        with self.lock:
            self.finished, self.due = True, 0.0


def server_on(listener: socket.socket, feed: Feed, *, host: str, token: str) -> ThreadingHTTPServer:
    """A server on a socket that listens already; `serve_forever` starts it.

    Parameters
    ----------
    listener
        Bound to the interface and port.
    feed
        What it tells of.
    host
        The interface, as it was asked for.
    token
        The first part of every path that is served.
    """

    class Server(ThreadingHTTPServer):
        """At most so many connections at once: a thread each."""

        daemon_threads = True
        block_on_close = False
        room = threading.BoundedSemaphore(_MOST_CONNECTIONS)

        def process_request(self, request: Any, client_address: Any) -> None:
            if not self.room.acquire(blocking=False):
                self.shutdown_request(request)
                return
            super().process_request(request, client_address)

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            try:
                super().process_request_thread(request, client_address)
            finally:
                self.room.release()

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A browser that goes away is no error of the campaign."""

    class Handler(_Handler):
        """Knows what it serves."""

    Handler.feed, Handler.token, Handler.host = feed, token, host
    Handler.port = listener.getsockname()[1]
    server = Server(("", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    return server


def host_in_address(host: str) -> str:
    """A host as it stands in an address; of "every interface" the name of this machine.

    >>> host_in_address("::1"), host_in_address("127.0.0.1")
    ('[::1]', '127.0.0.1')
    """
    if host in ("", "0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


class _Handler(BaseHTTPRequestHandler):
    """One request. What is not the page or its data is refused in a word."""

    feed: Feed
    token: str
    host: str
    port: int
    timeout = _IDLE_SECONDS
    server_version, sys_version = "gatewalk", ""

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _refuse(self) -> None:
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, b"only GET\n", "text/plain", {"Allow": "GET, HEAD"})

    do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = _refuse

    def _answer(self) -> None:
        if not names_this_server(self.headers.get("Host", ""), self.host, self.port):
            self._send(HTTPStatus.FORBIDDEN, b"another host\n", "text/plain")
            return
        _, _, rest = self.path.partition("/")
        token, slash, name = rest.partition("/")
        known = compare_digest(token.encode(errors="replace"), self.token.encode())
        if not (known and slash and name in ("", "data.json")):
            self._send(HTTPStatus.NOT_FOUND, b"not here\n", "text/plain")
        elif name:
            self._data()
        else:
            self._send(HTTPStatus.OK, report_page(None, live=True).encode(), "text/html; charset=utf-8")

    def _data(self) -> None:
        try:
            body, mark, is_last = self.feed.answer()
        except Exception:  # a bug, which must not look like the end of the campaign
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, b"a bug\n", "text/plain")
            return
        if self.headers.get("If-None-Match") == mark:
            self._send(HTTPStatus.NOT_MODIFIED, b"", "application/json", {"ETag": mark})
            return
        self._send(HTTPStatus.OK, body, "application/json", {"ETag": mark})
        if is_last:
            self.feed.delivered.set()

    def _send(self, status: HTTPStatus, body: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Content-Security-Policy": f"{policy(live=True)}; frame-ancestors 'none'",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",  # the address has the token in it
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            **(more or {}),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and status != HTTPStatus.NOT_MODIFIED:
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is no request of HTTP: the status alone, no page that quotes it."""
        self.close_connection = True
        if not hasattr(self, "request_version"):
            self.request_version = "HTTP/1.0"
        self._send(HTTPStatus(code), b"", "text/plain")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: standard error shows the campaign."""


def names_this_server(header: str, host: str, port: int) -> bool:
    """Does a Host header mean this server by an address, by localhost, or by the name that was asked for?

    A page of another site that lets its own name point here sends that name.

    Examples
    --------
    >>> names_this_server("127.0.0.1:8000", "127.0.0.1", 8000), names_this_server("[::1]:8000", "::1", 8000)
    (True, True)
    >>> names_this_server("evil.example:8000", "127.0.0.1", 8000)
    False
    """
    name, colon, number = header.rpartition(":")
    if not colon or number != str(port):
        return False
    name = name.removeprefix("[").removesuffix("]") if name.startswith("[") else name
    known = {host.lower(), host_in_address(host).lower(), "localhost"}
    if name.lower() in known:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not _is_loopback(host)


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
