"""`arena site` on run folders and files of records."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from arena.records import brief_of
from arena.store import Played, RunStore, packed
from tests.site.conftest import BOTS, HEADER, build, play_match
from tests.site.test_build_site import value_in


def run(*arguments: str, without: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `arena site …`, as if the package `without` were not installed."""
    program = (
        f"import sys; sys.modules[{without!r}] = None; from arena.cli.app import main; main()"
        if without
        else "from arena.cli.app import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", program, "site", *arguments],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "cup"
    with RunStore.create(folder, HEADER) as store:
        records = [play_match(number, BOTS[:4]) for number in range(6)]
        store.add(
            Played(
                number=number,
                match=record["match"],
                bots=(0, 1, 2, 3),
                ranks=tuple(record["ranks"]),
                packed=packed(orjson.dumps(record), orjson.dumps(brief_of(record))),
            )
            for number, record in enumerate(records)
        )
    return folder


def test_a_run_folder_becomes_pages_with_its_name_and_settings(
    run_folder: Path, tmp_path: Path
) -> None:
    done = run(str(run_folder), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert "4 bots, 6 matches" in done.stderr
    board = (tmp_path / "out/index.html").read_text()
    assert "<h1>spring</h1>" in board
    assert "bubblewrap" in board
    assert "the-master-seed" not in board
    parts = "".join(part.read_text() for part in (tmp_path / "out/data").iterdir())
    assert "tricks" in parts
    assert "hands" in parts


def test_a_file_of_records_becomes_pages(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    lines = [orjson.dumps(play_match(number, BOTS[:4])) for number in range(2)]
    file.write_bytes(b"\n".join([*lines, b"nonsense", b""]))
    out = str(tmp_path / "out")
    refused = run(str(file), "--out", out)
    assert refused.returncode == 2
    assert "line 3" in refused.stderr
    done = run(str(file), "--out", out, "--skip-bad", "--title", "Friends")
    assert done.returncode == 0, done.stderr
    assert "1 bad line skipped" in done.stderr
    assert "<h1>Friends</h1>" in (tmp_path / "out/index.html").read_text()


def test_a_missing_extra_is_named_with_the_command_that_installs_it(run_folder: Path) -> None:
    done = run(str(run_folder), "--out", "out", without="vl_convert")
    assert done.returncode == 2
    assert "vl_convert" in done.stderr
    assert "pip install 'callbreak-arena[site]'" in done.stderr


@pytest.mark.slow
def test_ten_thousand_matches_load_in_pieces(records: list[dict[str, Any]], tmp_path: Path) -> None:
    many = [
        {**records[number % len(records)], "match": f"m{number}", "set": f"s{number // 6}"}
        for number in range(10_000)
    ]
    build(many, tmp_path)
    assert (tmp_path / "index.html").stat().st_size < 1_000_000
    parts = list((tmp_path / "data").glob("records-*.js"))
    assert len(parts) == 200
    assert max(part.stat().st_size for part in parts) < 1_000_000
    index = value_in((tmp_path / "data/matches.js").read_text())
    assert len(index["matches"]) == 10_000
