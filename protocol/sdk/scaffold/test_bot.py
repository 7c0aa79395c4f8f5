"""Plays the recorded requests of `requests.jsonl` to the bot: python3 test_bot.py

Needs Python 3.11 or newer and nothing else, whatever language the bot is written in. A request
names what is legal, so each answer can be judged. Add requests of your own: a position from a match
that went wrong is a good one (`arena match … --record -` writes what happened).
"""

import json
import shutil
import subprocess
import tempfile
import threading
import tomllib
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANIFEST = tomllib.loads((HERE / "bot.toml").read_text())
MESSAGES = [json.loads(line) for line in (HERE / "requests.jsonl").read_text().splitlines()]
PATIENCE_S = 60


def answers(folder):
    """What the bot says to the recorded messages, one line at a time: [(message, reply)]."""
    with subprocess.Popen(
        MANIFEST["run"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as bot:
        watch = threading.Timer(PATIENCE_S, bot.kill)
        watch.start()
        found = []
        for message in MESSAGES:
            bot.stdin.write(json.dumps(message) + "\n")
            bot.stdin.flush()
            if "id" in message:
                found.append((message, bot.stdout.readline()))
        bot.stdin.close()
        rest = bot.stdout.read()
        watch.cancel()
    assert rest == "", f"nobody asked for {rest!r}"
    return found


class BotTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # In a copy: a build that is left beside the sources would belong to the bot from then on.
        copy = tempfile.TemporaryDirectory()
        cls.addClassCleanup(copy.cleanup)
        cls.folder = Path(copy.name, HERE.name)
        shutil.copytree(HERE, cls.folder)
        if "build" in MANIFEST:
            subprocess.run(MANIFEST["build"], cwd=cls.folder, check=True)
        cls.answers = answers(cls.folder)

    def test_every_request_is_answered_with_its_id(self):
        for message, reply in self.answers:
            self.assertEqual(json.loads(reply or "{}").get("id"), message["id"], message)

    def test_every_action_is_legal(self):
        for message, reply in self.answers:
            if message["type"] == "act":
                action = json.loads(reply)["action"]
                self.assertIn(action, message["legal"], message)
                self.assertIs(type(action), type(message["legal"][0]), message)

    def test_the_same_seed_gives_the_same_match(self):
        self.assertEqual(answers(self.folder), self.answers)


if __name__ == "__main__":
    unittest.main()
