"""The transcript of a match: every line that a seat is sent, and what it wrote, as JSON lines.

The events are those of the golden transcripts (`protocol/transcripts/README.md`): `to` and `from` a
seat, a `line` where it is JSON and a `text` where it is not, and the record last. A line stands
here byte for byte as it was sent, so a leak would show.
"""

from __future__ import annotations

import gzip
import os
import uuid
from contextlib import suppress
from pathlib import Path

import orjson

from arena.errors import StoreError, mend_of
from arena.records import MatchRecord

SAID_LIMIT_BYTES = 4 * 1024 * 1024
"""So much of what the bots write is kept of a match, then an event `cut` says that more came."""

SUFFIX = ".jsonl.gz"


class Transcript:
    """An observer that keeps the dialogues of all seats, in the order in which lines were whole."""

    def __init__(self) -> None:
        self._events: list[bytes] = []
        self._begun: dict[int, bytes] = {}
        self._said_bytes = 0

    def sent(self, seat: int, data: bytes) -> None:
        """Keeps lines of ours, which are JSON."""
        for line in data.splitlines():
            self._events.append(b'{"to":%d,"line":%s}' % (seat, line))

    def received(self, seat: int, data: bytes) -> None:
        """Keeps the lines that are whole now, unless the bots have said too much already."""
        before, self._said_bytes = self._said_bytes, self._said_bytes + len(data)
        if self._said_bytes > SAID_LIMIT_BYTES:
            if before <= SAID_LIMIT_BYTES:
                self._events.append(b'{"from":%d,"cut":true}' % seat)
            return
        *lines, self._begun[seat] = (self._begun.get(seat, b"") + data).split(b"\n")
        self._events += [_said(seat, line, ended=True) for line in lines]

    def text(self, record: MatchRecord) -> bytes:
        """The whole transcript; what a bot began to write and did not end comes before the end."""
        begun = [_said(seat, line, ended=False) for seat, line in self._begun.items() if line]
        return b"\n".join((*self._events, *begun, orjson.dumps({"record": record.as_dict()}), b""))


def _said(seat: int, line: bytes, *, ended: bool) -> bytes:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        text = line.decode("utf-8", "backslashreplace") + "\n" * ended
        return orjson.dumps({"from": seat, "text": text})
    return b'{"from":%d,"line":%s}' % (seat, line.strip())


def keep(path: Path, text: bytes) -> None:
    """Writes a transcript, whole or not at all; a name that ends in `.gz` has it compressed.

    What a link leads to is written, and devices and pipes are written through. Raises StoreError.
    """
    data = gzip.compress(text, 6, mtime=0) if path.suffix == ".gz" else text
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise StoreError(
            f"the transcript cannot be kept: {error.strerror or error}",
            where=str(path),
            mend=mend_of(error),
        ) from error


def _replace(path: Path, data: bytes) -> None:
    draft = path.with_name(f"{path.name[:100]}.{uuid.uuid4().hex}")  # nobody else's file
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with draft.open("xb") as file:
            file.write(data)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
