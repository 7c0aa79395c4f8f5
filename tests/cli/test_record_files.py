"""A file that is only tried is as it was afterwards, whatever it is."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from arena.cli.output import appending, refuse_unwritable, write_text
from arena.tournament.transcript import keep


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


def test_a_pipe_of_the_shell_is_written_through(tmp_path):
    read, write = os.pipe()
    path = Path(f"/dev/fd/{write}")
    refuse_unwritable(path)
    write_text("a verdict", path)
    with appending(path):
        pass
    os.close(write)
    with open(read, "rb") as pipe:
        assert pipe.read() == b"a verdict"


def test_a_transcript_goes_through_devices_pipes_and_links(tmp_path):
    device, link, target = tmp_path / "device", tmp_path / "link", tmp_path / "target"
    if os.getuid() == 0:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.stat("/dev/null").st_rdev)
        keep(device, b"lines")
        assert stat.S_ISCHR(device.stat().st_mode)
    read, write = os.pipe()
    keep(Path(f"/dev/fd/{write}"), b"lines")
    os.close(write)
    with open(read, "rb") as pipe:
        assert pipe.read() == b"lines"
    target.touch()
    link.symlink_to(target)
    keep(link, b"lines")
    assert link.is_symlink()
    assert target.read_bytes() == b"lines"
