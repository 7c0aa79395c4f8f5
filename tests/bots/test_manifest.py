"""bot.toml is read whole or refused in one line that names file, key and mend."""

from pathlib import Path

import pytest

from arena.bots.manifest import Manifest, read_manifest
from arena.errors import ConfigError

GOOD = 'name = "carl"\nversion = "1.0"\nrun = ["python3", "bot.py"]\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "bot.toml"
    path.write_text(text)
    return path


def test_a_minimal_manifest_needs_name_version_and_run(tmp_path):
    manifest = read_manifest(written(tmp_path, GOOD))
    assert manifest == Manifest(name="carl", version="1.0", run=["python3", "bot.py"])
    assert manifest.build is None
    assert manifest.env == {}


def test_every_optional_key_is_read(tmp_path):
    more = 'build = ["make"]\nlanguage = "c"\nauthor = "a"\ndescription = "d"\nscratch_mb = 5\n'
    manifest = read_manifest(written(tmp_path, GOOD + more + 'env = { A_B = "c" }\n'))
    assert manifest.build == ["make"]
    assert (manifest.language, manifest.author, manifest.description) == ("c", "a", "d")
    assert manifest.env == {"A_B": "c"}
    assert manifest.scratch_mb == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("carl", "Carl"), "`name` has a wrong value 'Carl' (lower-case"),
        (GOOD.replace("carl", "a" * 41), "`name` has a wrong value"),
        (GOOD.replace("carl", "carl\\n"), "`name` has a wrong value"),
        (GOOD.replace('"1.0"', "1.0"), "`version` has a wrong value 1.0 (a string"),
        (GOOD.replace('version = "1.0"\n', ""), "`version` is missing (a string"),
        (GOOD.replace('["python3", "bot.py"]', '"python3 bot.py"'), "`run` has a wrong value"),
        (GOOD.replace('["python3", "bot.py"]', "[]"), "`run` has a wrong value"),
        (GOOD.replace('"bot.py"', "7"), "`run` has a wrong value 7"),
        (GOOD + "biuld = []\n", "unknown key `biuld` (did you mean `build`?)"),
        (GOOD + "zzz = 1\n", "unknown key `zzz` (known: name, version"),
        (GOOD + "env = { A = 1 }\n", "`env` has a wrong value 1"),
        (GOOD + "scratch_mb = -1\n", "`scratch_mb` has a wrong value -1"),
        (GOOD + "[", "is not valid TOML"),
    ],
)
def test_an_error_names_file_key_and_mend_in_one_line(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_manifest(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.mend


def test_a_manifest_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "bot.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_manifest(path)
