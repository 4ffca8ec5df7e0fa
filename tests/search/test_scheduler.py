"""Tasks on threads and in slices: order, errors, Ctrl-C, and nothing under way is lost."""

import os
import signal
import threading
from threading import Event

import pytest
from processes import LIMIT, wait_until

from gatewalk.errors import InputError
from gatewalk.search import scheduler as room
from gatewalk.search.scheduler import SLICE_SECONDS, Slice, interruptible, mapped, run_all, threads

both_ways = pytest.mark.parametrize("jobs", [1, 3])


def tasks_of(numbers):
    """`next_task` for these tasks."""
    numbers = iter(numbers)
    return lambda: next(numbers, None)


def square(number, stop):
    return number * number


def test_the_number_of_threads():
    assert threads(3) == 3
    assert threads() == threads(None) == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("jobs", [0, -1, 1.5, 1025, 100_000])
def test_a_number_of_threads_that_cannot_be_is_refused(jobs):
    with pytest.raises(InputError, match=f"--jobs (is|must be a whole number, not) {jobs:g}"):
        threads(jobs, what="--jobs")


def test_slices_grow_to_a_tenth_of_a_second():
    piece = Slice(100)
    piece.took(100, seconds=0.0)
    assert piece.steps == 200  # no more than twice as many, however fast
    piece.took(200, seconds=SLICE_SECONDS / 4)
    assert piece.steps == 400
    piece.took(400, seconds=4 * SLICE_SECONDS)
    assert piece.steps == 100  # as many as fit, however few
    piece.took(1, seconds=100.0)
    assert piece.steps == 1


def test_a_slice_that_ended_early_says_how_fast_it_was():
    piece = Slice(1000)
    piece.took(10, seconds=SLICE_SECONDS / 50)
    assert piece.steps == 500
    piece.took(0, seconds=1.0)  # nothing was made: nothing is learnt
    assert piece.steps == 500


@both_ways
def test_every_task_is_done_once(jobs):
    delivered = []
    run_all(tasks_of(range(1, 100)), square, delivered.append, jobs=jobs)
    assert sorted(delivered) == [number * number for number in range(1, 100)]


@both_ways
def test_a_delivery_may_bring_new_tasks(jobs):
    waiting, delivered = [1], []

    def deliver(number):
        delivered.append(number)
        waiting.extend(more for more in (2 * number, 2 * number + 1) if more < 64)

    run_all(lambda: waiting.pop() if waiting else None, lambda number, stop: number, deliver, jobs=jobs)
    assert sorted(delivered) == list(range(1, 64))


@both_ways
def test_no_tasks(jobs):
    run_all(tasks_of([]), square, lambda result: pytest.fail("nothing was to do"), jobs=jobs)
    assert mapped(square, [], jobs=jobs) == []


@both_ways
def test_deliveries_and_ticks_are_in_the_calling_thread(jobs):
    callers = set()

    def note(*_):
        callers.add(threading.current_thread())

    run_all(tasks_of(range(1, 20)), square, note, jobs=jobs, tick=note)
    assert callers == {threading.current_thread()}


def test_one_job_starts_no_thread():
    before, workers = threading.active_count(), set()

    def do(number, stop):
        workers.add((threading.current_thread(), threading.active_count()))
        return number

    assert mapped(do, range(5), jobs=1) == list(range(5))
    assert workers == {(threading.current_thread(), before)}


def test_tasks_are_done_side_by_side():
    meeting = threading.Barrier(3, timeout=LIMIT)

    def do(number, stop):
        meeting.wait()
        return threading.current_thread()

    assert len(set(mapped(do, range(3), jobs=3))) == 3


def test_no_thread_is_left():
    before = threading.active_count()
    mapped(square, range(20), jobs=4)
    assert threading.active_count() == before


def test_results_come_in_order_and_are_told_as_they_come():
    gate, told = Event(), []

    def do(number, stop):
        if number == 0:
            assert gate.wait(LIMIT)  # the first ends after the second was delivered
        return number

    def on_done(number):
        told.append(number)
        gate.set()

    assert mapped(do, range(2), jobs=2, on_done=on_done) == [0, 1]
    assert told == [1, 0]


@both_ways
def test_an_error_in_a_task_ends_all_and_is_raised(jobs):
    done = []

    def do(number, stop):
        if number == 7:
            raise MemoryError("no room")
        done.append(number)
        return number

    with pytest.raises(MemoryError, match="no room"):
        mapped(do, range(10**9), jobs=jobs)
    assert len(done) < 10**6


@both_ways
def test_an_error_of_who_is_told_is_raised(jobs):
    def on_done(number):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        mapped(square, range(10), jobs=jobs, on_done=on_done)


def test_when_a_task_fails_the_others_under_way_are_stopped_and_delivered():
    begun, delivered = Event(), []

    def do(number, stop):
        if number == 0:
            assert begun.wait(LIMIT)
            raise MemoryError
        while not stop():
            begun.set()
        return number

    with pytest.raises(MemoryError):
        run_all(tasks_of(range(2)), do, delivered.append, jobs=2)
    assert delivered == [1]


def test_results_that_came_with_an_error_are_delivered():
    """Of results that are ready together, an error does not hide the others, before it or after it."""
    delivered = []

    def do(number, stop):
        if number == 1:
            raise MemoryError
        return number

    class Threads(room._Threads):
        def submit(self, task):
            before = self._results.qsize()
            super().submit(task)
            wait_until(lambda: self._results.qsize() > before)  # one after the other: 0, the error, 2

    with pytest.raises(MemoryError):
        run_all(tasks_of(range(3)), do, delivered.append, executor=Threads(do, 2))
    assert delivered == [0, 2]


def interrupt():
    signal.raise_signal(signal.SIGINT)


@both_ways
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_delivers_what_is_under_way(jobs, number):
    delivered, ready = [], threading.Barrier(jobs + (jobs > 1), timeout=LIMIT)
    told = []

    def do(task, stop):
        slices = 0
        while True:
            slices += 1
            if stop():
                return task, slices
            if slices == 1:
                ready.wait()

    def tick():
        if not told and (jobs == 1 or ready.n_waiting == jobs):
            told.append(True)
            if jobs > 1:
                ready.wait()
            signal.raise_signal(number)

    with pytest.raises(KeyboardInterrupt):
        run_all(tasks_of(range(1, 10**9)), do, delivered.append, jobs=jobs, tick=tick)
    assert sorted(task for task, _ in delivered) == list(range(1, jobs + 1))  # and nothing that waited


def test_ctrl_c_in_a_delivery_is_an_interrupt_too():
    delivered = []

    def deliver(number):
        delivered.append(number)
        if number == 3:
            interrupt()

    with pytest.raises(KeyboardInterrupt):
        run_all(tasks_of(range(1, 10**9)), lambda number, stop: number, deliver, jobs=1)
    assert delivered == [1, 2, 3]


def test_an_interrupt_does_not_wait_for_a_thread_that_is_before_its_first_slice():
    """It may be compiling, or drawing rows, for minutes."""
    released, compiling, searching, delivered = Event(), Event(), Event(), []

    def do(number, stop):
        if number == 1:
            compiling.set()
            released.wait(LIMIT)
            return number
        while not stop():
            searching.set()
        return number

    def tick():
        if compiling.is_set() and searching.is_set():
            interrupt()

    try:
        with pytest.raises(KeyboardInterrupt):
            run_all(tasks_of([1, 2]), do, delivered.append, jobs=2, tick=tick)
        assert not released.is_set()
        assert delivered == [2]
    finally:
        released.set()


def test_a_thread_past_its_first_slice_is_waited_for(monkeypatch):
    monkeypatch.setattr(room, "_PATIENCE", 0.0)
    begun, delivered = Event(), []

    def do(number, stop):
        assert not stop()
        begun.set()
        while not stop():
            pass
        threading.Event().wait(0.2)  # the last slice is a long one
        return number

    def tick():
        if begun.is_set():
            interrupt()

    with pytest.raises(KeyboardInterrupt):
        run_all(tasks_of([1]), do, delivered.append, jobs=2, tick=tick)
    assert delivered == [1]


def test_the_first_ctrl_c_asks_and_the_second_acts_as_usual():
    with interruptible() as asked:
        assert not asked.is_set()
        interrupt()
        assert asked.is_set()
        with pytest.raises(KeyboardInterrupt):
            interrupt()


def test_handlers_are_those_from_before_afterwards():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    with pytest.raises(ZeroDivisionError), interruptible():
        raise ZeroDivisionError
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_signal_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible() as asked:
            interrupt()
            assert not asked.is_set()
    finally:
        signal.signal(signal.SIGINT, before)


def test_it_works_in_another_thread_where_no_signal_arrives():
    results = []

    def work():
        with interruptible() as asked:
            results.append(asked.is_set())
        results.append(mapped(square, range(3), jobs=2))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(LIMIT)
    assert results == [False, [0, 1, 4]]


def test_within_one_interruptible_run_another_answers_for_itself():
    """A signal is heard by the innermost; the one around it gets KeyboardInterrupt."""
    with interruptible() as outer:
        with pytest.raises(KeyboardInterrupt):
            run_all(tasks_of(range(1, 10**9)), square, lambda result: interrupt(), jobs=1)
        assert not outer.is_set()
        interrupt()
        assert outer.is_set()


def test_an_executor_of_ones_own_does_the_tasks():
    class Executor:
        name, slots, workers = "mine", 2, 2
        most = 0

        def __init__(self):
            self.tasks, self.stopped = [], False

        def submit(self, task):
            self.tasks.append(task)
            self.most = max(self.most, len(self.tasks))

        def wait(self, seconds):
            return [self.tasks.pop(0)]

        def stop(self):
            self.stopped = True
            return ["the rest"]

    executor, delivered = Executor(), []
    run_all(tasks_of("abc"), square, delivered.append, executor=executor)
    assert delivered == ["a", "b", "c", "the rest"]
    assert (executor.most, executor.stopped) == (2, True)
