"""Ctrl-C waits for the end of the block, and is then answered as usual."""

import signal
from threading import Thread

import pytest

from gatewalk.synthesis.deferred_interrupt import deferred_interrupt


def test_ctrl_c_comes_after_the_block():
    done = []

    def steps():
        with deferred_interrupt():
            done.append(1)
            signal.raise_signal(signal.SIGINT)
            done.append(2)
        done.append(3)

    with pytest.raises(KeyboardInterrupt):
        steps()
    assert done == [1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_ctrl_c_nothing_happens():
    with deferred_interrupt():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with deferred_interrupt():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_is_left_alone():
    done = []

    def steps():
        with deferred_interrupt():
            done.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=steps)
    thread.start()
    thread.join()
    assert done == [signal.default_int_handler]
