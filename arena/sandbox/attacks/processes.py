"""Seeing and touching other processes, and becoming too many."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import threading
import time

from .weapons import LIBC, RefusedError, attack, syscall, targets

PTRACE_SEIZE = 0x4206
PTRACE_DETACH = 17
RLIMIT_NOFILE = 7
FIOSETOWN, SIOCSPGRP, FIOASYNC = 0x8901, 0x8902, 0x5452
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15
HIGH_BITS = 1 << 32
"""The kernel does not look at these of an order; a filter that does would be passed by."""
GENERATIONS = 200
TIMERS = 16
HOLD_S = 0.3
"""So long a bomb keeps what it has: time enough for a watcher."""


@attack
def see_others() -> str:
    victim = targets().victim
    with open(f"/proc/{victim}/comm") as file:
        return f"process {victim} is {file.read().strip()!r}"


@attack
def signal_others() -> str:
    os.kill(targets().victim, 0)
    return "the victim can be signalled"


@attack
def signal_group_of_others() -> str:
    syscall("rt_sigqueueinfo", targets().victim, 0, _queued_signal())
    return "the victim can be sent a queued signal"


def _queued_signal() -> ctypes.Array[ctypes.c_int]:
    info = (ctypes.c_int * 32)()
    info[2] = -1  # SI_QUEUE
    return info


@attack
def signal_by_descriptor() -> str:
    """A socket's owner gets SIGIO when something arrives, whoever that is."""
    victim = targets().victim
    pid, owner = ctypes.c_int(victim), (ctypes.c_int * 2)(1, victim)
    on = ctypes.c_int(1)
    ways = (
        *(("ioctl", order, ctypes.byref(pid)) for order in (FIOSETOWN, SIOCSPGRP)),
        ("ioctl", HIGH_BITS | FIOSETOWN, ctypes.byref(pid)),
        ("ioctl", FIOASYNC, ctypes.byref(on)),
        ("fcntl", F_SETOWN, victim),
        ("fcntl", HIGH_BITS | F_SETOWN, victim),
        ("fcntl", F_SETOWN_EX, ctypes.byref(owner)),
        ("fcntl", F_SETSIG, int(signal.SIGTERM)),
    )
    open_ways = []
    for call, order, argument in ways:
        one, other = socket.socketpair()
        with one, other, contextlib.suppress(OSError, RefusedError):
            syscall(call, one.fileno(), order, argument)
            open_ways.append(f"{call} {order:#x}")
    if not open_ways:
        raise RefusedError("no owner can be set")
    return f"a descriptor can signal others: {', '.join(open_ways)}"


@attack
def trace_others() -> str:
    victim = targets().victim
    syscall("ptrace", PTRACE_SEIZE, victim, 0, 0)
    return "the victim is traced"


@attack
def trace_own_child() -> str:
    """No secret is to be had by it, but the call is a wide door into the kernel."""
    syscall("ptrace", 0, 0, 0, 0)  # PTRACE_TRACEME
    return "it can be traced"


@attack
def read_memory_of_others() -> str:
    buffer = ctypes.create_string_buffer(8)

    class Span(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))

    local = Span(ctypes.addressof(buffer), 8)
    remote = Span(ctypes.addressof(buffer), 8)
    # Its own memory will do: it is the call that must be refused.
    syscall("process_vm_readv", os.getpid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
    return "process_vm_readv works"


@attack
def take_descriptor_of_others() -> str:
    pidfd = os.pidfd_open(os.getpid())
    try:
        os.close(syscall("pidfd_getfd", pidfd, 1, 0))
    finally:
        os.close(pidfd)
    return "pidfd_getfd works"


@attack
def limit_others() -> str:
    soft, hard = resource.prlimit(targets().victim, RLIMIT_NOFILE)
    return f"the victim's limits are {soft}, {hard}"


@attack
def fork_bomb() -> str:
    limit = targets().processes
    children = []
    try:
        for _ in range(limit):
            if (pid := os.fork()) == 0:
                signal.pause()
                os._exit(0)
            children.append(pid)
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)
    return f"{limit} children"


@attack
def thread_bomb() -> str:
    limit = targets().processes
    stop = threading.Event()
    threading.stack_size(64 * 1024)
    threads = []
    try:
        for _ in range(limit):
            thread = threading.Thread(target=stop.wait)
            thread.start()
            threads.append(thread)
        time.sleep(HOLD_S)
    except RuntimeError as error:
        raise RefusedError(str(error)) from error
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    return f"{limit} threads"


@attack
def outlive() -> str:
    """Orphans by double fork and setsid, deaf to signals, with stdout held open. The harness counts
    who is left after the kill: they are known by their command line, which holds its needle."""
    for number in range(5):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                _be_deaf()
                if number == 4:  # generations born while the kill is on its way
                    for _ in range(GENERATIONS):
                        if os.fork():
                            break
                        time.sleep(0.01)
                time.sleep(600)
            os._exit(0)
    print(json.dumps({"sent": "orphans"}), flush=True)
    time.sleep(600)
    return "never told"


def _be_deaf() -> None:
    LIBC.prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: off
    for number in {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE}:
        signal.signal(number, signal.SIG_IGN)


@attack
def burn() -> str:
    """Children in sessions of their own that spin. The harness looks whether it sees them, and
    whether it can stop them."""
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            while True:
                pass
    print(json.dumps({"sent": "spinners"}), flush=True)
    time.sleep(600)
    return "never told"


@attack
def burn_alone() -> str:
    """The same for a program that may have no children."""
    print(json.dumps({"sent": "spinners"}), flush=True)
    while True:
        pass


@attack
def burn_by_timer() -> str:
    """A stopped program goes on at SIGCONT, and timers run while it is stopped."""
    signal.signal(signal.SIGCONT, lambda number, frame: None)
    event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)  # sigevent: SIGEV_SIGNAL
    for number in range(TIMERS):
        timer = ctypes.c_int()
        syscall("timer_create", time.CLOCK_MONOTONIC, event, ctypes.byref(timer))
        every = (150 + 10 * number) * 1_000_000  # rarely due: a stop drops what is due
        spans = (ctypes.c_long * 4)(0, every, 0, every)
        syscall("timer_settime", timer, 0, spans, None)
    print(json.dumps({"sent": "timers"}), flush=True)
    while True:
        pass


@attack
def outlive_alone() -> str:
    """The same for a program that may have no children."""
    _be_deaf()
    print(json.dumps({"sent": "deaf"}), flush=True)
    time.sleep(600)
    return "never told"
