"""Sends its calls as strings."""

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
        action = message["legal"][0]
        say({"id": message["id"], "action": str(action)})
    elif message["type"] == "quit":
        break
