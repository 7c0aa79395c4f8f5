"""Tells its log what it is asked for."""

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
        print("asked for a", message["kind"], file=sys.stderr)
        say({"id": message["id"], "action": message["legal"][0]})
    elif message["type"] == "quit":
        break
