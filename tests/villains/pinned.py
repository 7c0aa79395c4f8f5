"""A bot that ends at once unless its whole process may run on one core alone."""

import json
import sys

with open("/proc/self/status") as status:
    (allowed,) = (line.split()[1] for line in status if line.startswith("Cpus_allowed_list"))
if not allowed.isdigit():
    sys.exit(f"free to run on {allowed}")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    if message["type"] == "hello":
        print(json.dumps({"id": 0}), flush=True)
    elif message["type"] == "act":
        reply = {"id": message["id"], "action": message["legal"][0], "note": f"core {allowed}"}
        print(json.dumps(reply), flush=True)
