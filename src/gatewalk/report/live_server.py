"""The server of a running campaign's page: it answers GET below a token, and refuses all other requests.

It serves the page, which never changes, and the data of the page. The data are read from the store through a
separate connection, and only as often as is cheap. A request must name this server in its Host header, so
that a page of another site cannot reach it under a name of its own (DNS rebinding).
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

_LEAST_SECONDS = 1.0  # the least time between two readings of the store
_EASE = 3  # the pause after a reading, as a multiple of the time that it took
_TOLERANCE = 0.2  # while the campaign runs, fits are repeated only if there are more new runs than this share
_RESAMPLES = 40  # of growth fits; few, because they are often repeated
WATCHED_SECONDS = 8.0  # after a request, a browser is taken to show the page for so long
_IDLE_SECONDS = 15.0  # a silent connection is closed after this time
_MOST_CONNECTIONS = 32


@dataclass
class Feed:
    """The data of the page, as bytes; renewed on request if they are old enough."""

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
        """The data, a mark that changes whenever they do, and whether they are final."""
        with self.lock:
            self.asked = time.monotonic()
            if self.asked >= self.due:
                self._read()
                self.due = time.monotonic() + max(_LEAST_SECONDS, _EASE * (time.monotonic() - self.asked))
            # Reading may have taken long, and the page counts the time to its next request from the answer.
            self.asked = time.monotonic()
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
        """Whether a page asked for the data lately."""
        return time.monotonic() - self.asked < WATCHED_SECONDS

    def end(self) -> None:
        """Say that the campaign is over: the next answer holds the final data."""
        with self.lock:
            self.finished, self.due = True, 0.0


def server_on(listener: socket.socket, feed: Feed, *, host: str, token: str) -> ThreadingHTTPServer:
    """A server on a socket that is already listening; `serve_forever` starts it.

    Parameters
    ----------
    listener
        The socket, bound to the interface and port.
    feed
        The data to serve.
    host
        The interface, as it was asked for.
    token
        The first part of every path that is served.
    """

    class Server(ThreadingHTTPServer):
        """A thread for each connection, and a limit on the number of connections."""

        daemon_threads = True
        block_on_close = False
        free = threading.BoundedSemaphore(_MOST_CONNECTIONS)

        def process_request(self, request: Any, client_address: Any) -> None:
            if not self.free.acquire(blocking=False):
                self.shutdown_request(request)
                return
            super().process_request(request, client_address)

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            try:
                super().process_request_thread(request, client_address)
            finally:
                self.free.release()

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Print nothing: a browser that closes its connection is not an error of the campaign."""

    class Handler(_Handler):
        """The handler of requests to this server."""

    Handler.feed, Handler.token, Handler.host = feed, token, host
    Handler.port = listener.getsockname()[1]
    server = Server(("", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    return server


def host_in_address(host: str) -> str:
    """A host as written in an address; for "every interface", the name of this machine.

    >>> host_in_address("::1"), host_in_address("127.0.0.1")
    ('[::1]', '127.0.0.1')
    """
    if host in ("", "0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


class _Handler(BaseHTTPRequestHandler):
    """One request. Anything but the page and its data is refused with a short message."""

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
        except Exception:  # a bug must not look like the end of the campaign
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
            "Referrer-Policy": "no-referrer",  # because the address contains the token
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
        """Answer a malformed request with the status alone, without a page that quotes it."""
        self.close_connection = True
        if not hasattr(self, "request_version"):
            self.request_version = "HTTP/1.0"
        self._send(HTTPStatus(code), b"", "text/plain")

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: standard error shows the campaign's progress."""


def names_this_server(header: str, host: str, port: int) -> bool:
    """Whether a Host header names this server: by an IP address, as localhost, or by the given host.

    If another site lets its own name point to this machine, its pages send that name, which is refused.

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
