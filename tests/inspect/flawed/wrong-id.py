"""Counts requests by itself, and from 100."""

import json
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


number = 100

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        say({"id": number, "action": message["legal"][0]})
        number += 1
    elif message["type"] == "quit":
        break
