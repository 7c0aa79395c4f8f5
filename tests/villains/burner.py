"""A bot that keeps the processor busy while others are asked: `burner.py HOW [CHILDREN]`.

It keeps the protocol. HOW: `spins` has children in sessions of their own that spin from its first
answer on; with `hides` they live for a few milliseconds only, one after another, and nobody waits
for them; with `wakes` they send each other a signal to go on all the time.
"""

import json
import os
import signal
import sys
import time


def fork():
    try:
        return os.fork()
    except BlockingIOError:  # there may be no more for now
        return -1


def spins():
    while True:
        pass


def hides():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if fork() == 0:
            until = time.process_time() + 0.003
            while time.process_time() < until:
                pass
            os._exit(0)
        time.sleep(0.003)


def wakes():
    signal.signal(signal.SIGCONT, lambda number, frame: None)
    while True:
        os.kill(-1, signal.SIGCONT)


HOW = {"spins": spins, "hides": hides, "wakes": wakes}


def begin(how, children):
    for _ in range(children):
        if fork() == 0:
            os.setsid()
            os.close(0)
            os.close(1)
            HOW[how]()


def main():
    how, children = sys.argv[1], int(sys.argv[2])
    begun = False
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "quit":
            break
        if message["type"] == "hello":
            print(json.dumps({"id": 0}), flush=True)
        elif message["type"] == "act":
            print(json.dumps({"id": message["id"], "action": message["legal"][0]}), flush=True)
            if not begun:
                begun = True
                begin(how, children)


main()
