"""bot.toml is read strictly, and every error says how to mend it."""

import pytest
from arena_protocol.manifest import KEYS, ManifestError, parse_manifest
from hypothesis import given
from hypothesis import strategies as st

LEAST = 'name = "carl"\nversion = "1.0"\nrun = ["python3", "bot.py"]\n'


def test_a_name_a_version_and_a_command_are_enough():
    manifest = parse_manifest(LEAST)
    assert (manifest.name, manifest.version, manifest.run) == ("carl", "1.0", ["python3", "bot.py"])
    assert manifest.build is None


def test_an_adapter_has_its_settings_in_a_table_of_its_name():
    manifest = parse_manifest(LEAST + 'adapter = "bhoos"\n[bhoos]\nport = 7000\n')
    assert (manifest.adapter, manifest.settings) == ("bhoos", {"port": 7000})


def test_scratch_space_is_a_table():
    scratch = parse_manifest(LEAST + "[scratch]\nmb = 16\n").scratch
    assert scratch is not None
    assert scratch.mb == 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LEAST + 'biuld = ["make"]', "did you mean `build`?"),
        (LEAST + "zzz = 1", "known keys: name, version"),
        (LEAST + "[bhoos]\nport = 7000", "unknown key `bhoos`"),
        (LEAST + 'adapter = "bhoos"\nbhoos = 7000', "[bhoos]"),
        (LEAST + "[scratch]\nmbs = 1", "did you mean `mb`?"),
        (LEAST + '[scratch]\nmb = "1"', "mb = 16"),
        (LEAST + "[settings]\na = 1", "unknown key `settings`"),
        (LEAST + '[env]\n"a-b" = "c"', "env.a-b"),
        (LEAST + '"\\u001b[31m" = 1', "unknown key `?[31m`"),
        (LEAST.replace("carl", "Carl"), "lower-case letters"),
        (LEAST.replace("carl", "carl\\n"), "lower-case letters"),
        (LEAST.replace("carl", "c" * 41), "at most 40"),
        (LEAST.replace('"1.0"', "1.0"), 'version = "1.0"'),
        ('name = "carl"\nversion = "1"', "`run` is missing"),
        ('name = "carl"\nversion = "1"\nrun = "python3 bot.py"', 'run = ["python3", "bot.py"]'),
        ('name = "carl"\nversion = "1"\nrun = []', "`run`"),
        ('name = "carl"\nversion = "1"\nrun = ["a\\u0000b"]', "`run.0`"),
        ('name = "carl"\nversion = "1"\nrun = [""]', "no program"),
        (LEAST + 'author = "a\\u001b[31m"', "`author` has characters that cannot stand there"),
        ("name = ", "not TOML"),
        (f"a = {'[' * 40}{']' * 40}", "nested deeper than 32"),
        (f"a = {'[' * 9000}{']' * 9000}", "nested deeper than 32"),
        ("a." * 40 + "b = 1", "nested deeper than 32"),
        ("a." * 100_000 + "b = 1", "nested deeper than 32"),
        ("[" + "a." * 100_000 + "b]", "nested deeper than 32"),
        ("x = {" + ' \'a\' . "\\"" . ' * 50_000 + "b = 1}", "nested deeper than 32"),
        (f"a = {'9' * 5000}", "not TOML"),
    ],
)
def test_an_error_says_what_is_wrong_and_how_to_mend_it(text, words):
    with pytest.raises(ManifestError) as raised:
        parse_manifest(text)
    assert words in str(raised.value)
    assert "\n" not in raised.value.mend
    assert str(raised.value).isprintable()


TOML_VALUES = st.sampled_from(['"x"', "1", "1.5", "true", '["a"]', "{a = 1}", "[]", "1979-05-27"])


@given(st.dictionaries(st.sampled_from([*KEYS, "settings", "bhoos"]), TOML_VALUES))
def test_any_value_of_any_key_is_read_or_refused_in_one_line(table):
    try:
        parse_manifest("\n".join(f"{key} = {value}" for key, value in table.items()))
    except ManifestError as error:
        assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    "image", ["--label=x=y", "-v", "dir:/etc", "a b", "UPPER", "a//b", "a:b:c", "", "a\\n"]
)
def test_an_image_is_a_reference_and_nothing_else(image):
    with pytest.raises(ManifestError, match="`image`"):
        parse_manifest(f'name = "a"\nversion = "1"\nrun = ["x"]\nimage = "{image}"\n')


@pytest.mark.parametrize(
    "image",
    [
        "alpine",
        "localhost/my-bot:1",
        "reg.example:5000/a/b_c:v1.2",
        "a@sha256:" + "0" * 64,
        "[::1]/x",
    ],
)
def test_every_reference_to_an_image_is_taken(image):
    text = f'name = "a"\nversion = "1"\nrun = ["x"]\nimage = "{image}"\n'
    assert parse_manifest(text).image == image


@pytest.mark.parametrize("key", ["run", "build"])
def test_a_program_never_begins_with_a_hyphen(key):
    lines = {"name": '"a"', "version": '"1"', "run": '["x"]'} | {key: '["-x"]'}
    with pytest.raises(ManifestError, match="hyphen"):
        parse_manifest("".join(f"{name} = {value}\n" for name, value in lines.items()))
