"""Plays at random, and not from the seed."""

import json
import random
import sys


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"id": 0})
    elif message["type"] == "act":
        say({"id": message["id"], "action": random.choice(message["legal"])})
    elif message["type"] == "quit":
        break
