"""A bot.toml on disk is read whole or refused in one line that names file, key and mend."""

from pathlib import Path

import pytest

from arena.bots.manifest import read_manifest
from arena.errors import ConfigError

GOOD = 'name = "plain"\nversion = "1.0"\nrun = ["python3", "bot.py"]\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "bot.toml"
    path.write_text(text)
    return path


def test_a_minimal_manifest_needs_name_version_and_run(tmp_path):
    manifest = read_manifest(written(tmp_path, GOOD))
    assert (manifest.name, manifest.version) == ("plain", "1.0")
    assert manifest.run == ["python3", "bot.py"]


def test_a_byte_order_mark_does_no_harm(tmp_path):
    assert read_manifest(written(tmp_path, "\ufeff" + GOOD)).name == "plain"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("plain", "Plain"), "name"),
        (GOOD.replace('"1.0"', "1.0"), "version"),
        (GOOD.replace('version = "1.0"\n', ""), "`version` is missing"),
        (GOOD.replace('["python3", "bot.py"]', '"python3 bot.py"'), "run"),
        (GOOD + "biuld = []\n", "did you mean `build`?"),
        (GOOD + "[", "TOML"),
    ],
)
def test_an_error_names_file_key_and_mend_in_one_line(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_manifest(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_manifest_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "bot.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_manifest(path)


def test_a_manifest_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        read_manifest(tmp_path / "bot.toml")
