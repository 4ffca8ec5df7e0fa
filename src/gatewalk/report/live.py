"""The page of a running campaign, served by a process of its own while the campaign runs.

The process reads the store as any other program would. It is not a thread of the writing process: closing the
file there would drop the locks that SQLite holds on it, and both would compete for Python's global lock.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from gatewalk.campaign.held_interrupts import interrupts_held_back
from gatewalk.errors import InputError, shown
from gatewalk.report.live_server import Feed, host_in_address, server_on

HOST = "127.0.0.1"
_LAST_SECONDS = 30.0  # the longest wait for an open page to fetch the final data
_BACKLOG = 16


@dataclass(frozen=True)
class Live:
    """A page that is being served. address: its URL."""

    address: str
    _orders: Connection

    def finish(self) -> None:
        """Say that the campaign has finished, and give an open page some seconds to fetch the final data."""
        with suppress(OSError, EOFError):  # the process is gone: there is nobody to tell
            self._orders.send("finish")
            self._orders.poll(_LAST_SECONDS)


@contextmanager
def serving(store: str | os.PathLike[str], *, host: str = HOST, port: int = 0) -> Iterator[Live]:
    """Serve the page of a store, which need not exist yet, until the block ends.

    Parameters
    ----------
    store
        The file that a campaign writes to.
    host
        The interface to serve on; by default only this machine can open the page.
    port
        The port; 0 for any that is free.

    Raises
    ------
    InputError
        If there is no such interface, or the port is taken.

    Examples
    --------
    >>> from urllib.request import urlopen
    >>> with serving("runs.sqlite") as live:
    ...     page = urlopen(live.address).read()
    >>> page[:15]
    b'<!doctype html>'
    """
    listener = _listener(host, port)
    token = secrets.token_urlsafe(18)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(listener, theirs, os.fspath(store), host, token), daemon=True
    )
    with interrupts_held_back():
        process.start()
    theirs.close()
    address = f"http://{host_in_address(host)}:{listener.getsockname()[1]}/{token}/"
    listener.close()
    try:
        yield Live(address, ours)
    finally:
        ours.close()
        process.terminate()
        process.join()


def _listener(host: str, port: int) -> socket.socket:
    if not 0 <= port < 1 << 16:
        raise InputError(f"there is no port {port}; use one from 1 to 65535, or 0 for any that is free")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise InputError(f"there is no interface {shown(host)} to serve the live page on") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on other systems it would let two programs share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        where = f"{host}, port {port}" if port else host
        raise InputError(f"cannot serve the live page on {where}: {error.strerror}; choose another") from None
    return listener


def _serve(listener: socket.socket, orders: Connection, store: str, host: str, token: str) -> None:
    """The main function of the process: serve until the parent process has finished or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    feed = Feed(store)
    server = server_on(listener, feed, host=host, token=token)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    try:
        orders.recv()
    except (EOFError, OSError):
        return
    watched = feed.is_watched
    feed.end()
    if watched:
        feed.delivered.wait(_LAST_SECONDS)
    with suppress(OSError):
        orders.send("done")
