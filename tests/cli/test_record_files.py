"""A file that is only tried is as it was afterwards, whatever it is."""

from __future__ import annotations

import os
import threading

import pytest

from arena.cli.output import appending, refuse_unwritable


def test_a_link_to_a_file_that_is_not_there_yet_stays_a_link(tmp_path):
    link, target = tmp_path / "link.jsonl", tmp_path / "target.jsonl"
    link.symlink_to(target)
    refuse_unwritable(link)
    with pytest.raises(KeyboardInterrupt), appending(link):
        raise KeyboardInterrupt
    assert link.is_symlink()
    assert not target.exists()


def test_a_pipe_is_not_opened_before_there_is_a_record(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    with appending(pipe):
        reader.join(0.3)
        assert reader.is_alive()  # an open and a close would have been its end of file
    pipe.open("ab").close()
    reader.join(10)
    assert read == [b""]
