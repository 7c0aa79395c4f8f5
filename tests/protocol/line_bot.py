"""A bot that plays fairly but for one reply, which it writes as a row of SPEC.md's table has it.

Arguments: what must be asked (hello, call, play) for that, and a file with the pieces in hex, one a
line. As in the table, 7 stands for the request's id, AS for a legal card, KH for one not held.
"""

import json
import sys
import time

ASKED, FILE = sys.argv[1:]
with open(FILE) as file:
    PIECES = [bytes.fromhex(line) for line in file]
DECK = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def filled(piece, message):
    piece = piece.replace(b"7", b"%d" % message["id"])
    if ASKED == "play":
        other = next(card for card in DECK if card not in message["state"]["hand"])
        piece = piece.replace(b"AS", message["legal"][0].encode()).replace(b"KH", other.encode())
    return piece


def write_row(message):
    for number, piece in enumerate(PIECES):
        if number:
            time.sleep(0.02)
        write(filled(piece, message))


done = False
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    if not done and ASKED in (message["type"], message.get("kind")):
        done = True
        write_row(message)
    elif "id" in message:
        reply = {"id": message["id"]}
        if message["type"] == "act":
            reply["action"] = message["legal"][0]
        write(json.dumps(reply).encode() + b"\n")
