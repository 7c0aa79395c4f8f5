"""Holds most of what it may."""

import json
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


table = bytearray(b"x") * 50_000_000

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        say({"id": message["id"], "action": message["legal"][0]})
    elif message["type"] == "quit":
        break
