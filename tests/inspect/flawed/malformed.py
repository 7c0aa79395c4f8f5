"""Writes its replies as Python and not as JSON."""

import json
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        reply = {"id": message["id"], "action": message["legal"][0]}
        sys.stdout.write(f"{reply}\n")
        sys.stdout.flush()
    elif message["type"] == "quit":
        break
