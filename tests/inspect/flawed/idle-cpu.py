"""Thinks on when it has answered, in another process."""

import json
import os
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


begun = False

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        say({"id": message["id"], "action": message["legal"][0]})
        if not begun and os.fork() == 0:
            os.close(1)
            while os.getppid() != 1:
                pass
            os._exit(0)
        begun = True
    elif message["type"] == "quit":
        break
