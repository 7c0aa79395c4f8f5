"""Bots that misbehave, one for each name in MISDEEDS: `villain.py NAME`.

Each keeps the protocol except in one thing, those in AFTERTHOUGHTS after `end`. `act` counts from
1; a misdeed that takes place at a request is a function of the request and its number, and answers
it itself if it wants to.
"""

import contextlib
import fcntl
import json
import os
import signal
import sys
import time

HELD_BACK_S = 30


def say(text):
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def reply(request, action=None, **more):
    legal = request["legal"]
    return json.dumps(
        {"id": request["id"], "action": legal[0] if action is None else action, **more}
    )


def answer(request, action=None, **more):
    say(reply(request, action, **more) + "\n")


def mute(request, act):
    time.sleep(HELD_BACK_S)


def late_once(request, act):
    if act == 2:
        time.sleep(float(sys.argv[2]))
    answer(request)


def late_always(request, act):
    time.sleep(float(sys.argv[2]))
    answer(request)


def spins(request, act):
    while True:
        pass


def eats_memory(request, act):
    eaten = []
    while True:
        eaten.append(bytearray(8_000_000))


def half_a_line(request, act):
    say(reply(request)[:9])
    time.sleep(HELD_BACK_S)


def floods_lines(request, act):
    while True:
        say("all work and no play\n" * 1000)


def floods(request, act):
    while True:
        say("all work and no play" * 1000)


def floods_after(request, act):
    answer(request)
    if act == 1:
        floods_lines(request, act)


def deaf(request, act):
    with contextlib.suppress(PermissionError):  # the sandbox may refuse it
        fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
    time.sleep(HELD_BACK_S)


def closes_stdin(request, act):
    os.close(0)
    answer(request)
    time.sleep(HELD_BACK_S)


def closes_stdout(request, act):
    answer(request)
    os.close(1)
    time.sleep(HELD_BACK_S)


def exits_in_mid_call(request, act):
    sys.stderr.write("about to give up\nI give up\n")
    sys.stderr.flush()
    os._exit(3)


def exits_in_mid_trick(request, act):
    if request["kind"] == "play" and len(request["state"]["tricks"]) == 2:
        os._exit(4)
    answer(request)


def crashes(request, act):
    os.kill(os.getpid(), signal.SIGSEGV)


def stops_itself(request, act):
    os.kill(os.getpid(), signal.SIGSTOP)


def execs(request, act):
    os.execv("/bin/echo", ["echo", "somebody else"])


def leaves_a_grandchild(request, act):
    if os.fork() == 0:
        time.sleep(HELD_BACK_S)
    os._exit(0)


def ignores_sigterm(request, act):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    answer(request)


def floods_the_log(request, act):
    if act == 1:
        for _ in range(50):
            os.write(2, b"x" * 1_000_000)
    answer(request)


def answers_twice(request, act):
    say(reply(request) + "\n" + reply(request) + "\n")


def is_last(request):
    return request["kind"] == "play" and len(request["state"]["hand"]) == 1


def answers_twice_at_the_end(request, act):
    line = reply(request) + "\n"
    say(line * 2 if is_last(request) else line)


def leaves_at_the_end(request, act):
    answer(request)
    if is_last(request):
        os._exit(0)


def speaks_after_the_end():
    say("good game\n")


def speaks_late_after_the_end():
    time.sleep(0.02)
    say("good game\n")


def speaks_in_half_lines_after_the_end():
    say("good ")


def leaves_after_the_end():
    os._exit(0)


def ponders_after_the_end():
    time.sleep(float(sys.argv[2]))


def answers_ahead(request, act):
    ahead = json.dumps({"id": request["id"] + 1, "action": "AS"}) + "\n"
    # In one write: after a second one it could have been asked already.
    say(reply(request) + "\n" + (ahead if request["kind"] == "play" else ""))


def fills_its_stdin(request, act):
    own = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    answer(request)
    try:
        while True:
            os.write(own, b" " * 4096)
    except BlockingIOError:
        time.sleep(HELD_BACK_S)


def pads(request, act):
    line = reply(request)
    say(line + " " * (65536 - len(line)) + "\n")


def chatters(request, act):
    answer(request, note="word " * 12_000)


def prints(request, act):
    say("my hand is strong\n")
    answer(request)


def wrong_id(request, act):
    say(json.dumps({"id": request["id"] + 1, "action": request["legal"][0]}) + "\n")


def not_held(request, act):
    answer(request, "XX" if request["kind"] == "play" else 13)


def wrong_type(request, act):
    answer(request, float(request["legal"][0]))


def fair(request, act):
    answer(request)


def dribbles(request, act):
    for byte in reply(request) + "\n":
        say(byte)


def slow_start():
    time.sleep(0.3)


def silent_start():
    time.sleep(HELD_BACK_S)


def exits_at_start():
    sys.stderr.write("no such module\n")
    sys.stderr.flush()
    os._exit(1)


def banner_at_start():
    say("Welcome to my bot\n")


STARTS = {
    "slow-start": slow_start,
    "silent-start": silent_start,
    "exits-at-start": exits_at_start,
    "banner-at-start": banner_at_start,
}
MISDEEDS = {
    function.__name__.replace("_", "-"): function
    for function in (
        mute,
        late_once,
        late_always,
        half_a_line,
        spins,
        eats_memory,
        floods_lines,
        floods,
        floods_after,
        deaf,
        closes_stdin,
        closes_stdout,
        exits_in_mid_call,
        exits_in_mid_trick,
        crashes,
        stops_itself,
        execs,
        leaves_a_grandchild,
        ignores_sigterm,
        floods_the_log,
        answers_twice,
        answers_twice_at_the_end,
        leaves_at_the_end,
        answers_ahead,
        fills_its_stdin,
        pads,
        chatters,
        prints,
        wrong_id,
        not_held,
        wrong_type,
        dribbles,
    )
}


AFTERTHOUGHTS = {
    function.__name__.replace("_", "-"): function
    for function in (
        speaks_after_the_end,
        speaks_late_after_the_end,
        speaks_in_half_lines_after_the_end,
        leaves_after_the_end,
        ponders_after_the_end,
    )
}


def lines():
    """Lines of stdin, read without a buffer that would hide what is still in the pipe."""
    held = b""
    while data := os.read(0, 65536):
        *whole, held = (held + data).split(b"\n")
        yield from whole


def main():
    name = sys.argv[1]
    STARTS.get(name, lambda: None)()
    act = 0
    for line in lines():
        message = json.loads(line)
        if message["type"] == "hello":
            say('{"id":0}\nhello!\n' if name == "banner-after-the-hello" else '{"id":0}\n')
        elif message["type"] == "act":
            act += 1
            MISDEEDS.get(name, fair)(message, act)
        elif message["type"] == "fault":
            sys.stderr.write(f"told: {message['kind']}\n")
            sys.stderr.flush()
        elif message["type"] == "end" and name in AFTERTHOUGHTS:
            AFTERTHOUGHTS[name]()
        elif message["type"] == "quit" and name != "ignores-sigterm":
            break
        elif name == "answers-notifications":
            say('{"id":0}\n')
    while name == "ignores-sigterm":
        time.sleep(HELD_BACK_S)


main()
