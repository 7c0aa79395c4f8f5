"""Plays by what happened in all its matches."""

import json
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


decisions = 0

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        legal = message["legal"]
        say({"id": message["id"], "action": legal[decisions % len(legal)]})
        decisions += 1
    elif message["type"] == "quit":
        break
