"""Remembers more than it may hold."""

import json
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


remembered = []

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        remembered.append(bytearray(b"x") * 20_000_000)
        say({"id": message["id"], "action": message["legal"][0]})
    elif message["type"] == "quit":
        break
