"""The floors of the house hold: import-linter runs as a test."""

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parent.parent


def test_every_file_imports_only_from_floors_below(
    monkeypatch, capsys, tmp_path
):  # monkeypatch: import-linter reads the configuration of the current folder
    monkeypatch.chdir(ROOT)
    assert lint_imports(cache_dir=str(tmp_path)) == EXIT_STATUS_SUCCESS, capsys.readouterr().out
