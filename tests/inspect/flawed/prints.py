"""Prints what it thinks where its replies go."""

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
        print("my hand:", *message["state"]["hand"])
        say({"id": message["id"], "action": message["legal"][0]})
    elif message["type"] == "quit":
        break
