"""A bot that needs so many ms of processor time for every decision: `thinker.py MS`."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    if message["type"] == "hello":
        print(json.dumps({"id": 0}), flush=True)
    elif message["type"] == "act":
        until = time.process_time() + float(sys.argv[1]) / 1000
        while time.process_time() < until:
            pass
        print(json.dumps({"id": message["id"], "action": message["legal"][0]}), flush=True)
