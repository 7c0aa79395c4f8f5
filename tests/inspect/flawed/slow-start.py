"""Takes most of its time to start."""

import json
import sys
import time


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        time.sleep(1.7)
        say({"id": 0})
    elif message["type"] == "act":
        say({"id": message["id"], "action": message["legal"][0]})
    elif message["type"] == "quit":
        break
