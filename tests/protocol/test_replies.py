"""Reading replies: nothing a bot writes raises, and the strict rules hold in every disguise."""

import json
import sys

import pytest
from arena_protocol import (
    MISSING,
    NOTE_LIMIT_CHARS,
    Malformed,
    Reply,
    action_index,
    describe,
    parse_reply,
    same_action,
)
from arena_protocol.framing import LineBuffer
from arena_protocol.replies import plain_reply
from hypothesis import given
from hypothesis import strategies as st

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
KEYS = st.sampled_from(["id", "action", "note", "name", "version"]) | st.text(max_size=6)
PIECES = b'{ } [ ] : , " \\ - 7 \r \0 \xff "id" "action" null NaN 1e999 \\ud800 \\u0069d'
FRAGMENTS = st.sampled_from([b" ", b"\xef\xbb\xbf", *PIECES.split(b" ")])


PLAIN = [
    b'{"id":7,"action":"AS"}',
    b'{"id": 7, "action": "AS"}',
    b'{"action": 3, "id": 12}',
    b'{"id":1,"action":null}',
]
ODD = [
    b'{"id":1,"action":2,"note":"n"}',
    b'{"id":1,"action":2,"name":"n"}',
    b'{"id":1,"id":1,"action":2}',
    b'{"id":1,"action":2,"action":2}',
    b'{"\\u0069d":1,"id":2,"action":2}',
    b'{"id":1}',
    b'{"id":1.0,"action":2}',
    b'{"id":1,"action":2} {}',
    b"",
]


def escaped(key: str) -> str:
    """The same key, every character as a JSON escape."""
    return '"' + "".join(f"\\u{ord(c):04x}" for c in key) + '"'


@given(st.binary(max_size=200) | st.lists(FRAGMENTS, max_size=30).map(b"".join))
def test_arbitrary_bytes_never_raise(line):
    assert isinstance(parse_reply(line), Reply | Malformed)


@given(
    st.sampled_from(PLAIN + ODD)
    | st.lists(FRAGMENTS, max_size=12).map(b"".join)
    | st.binary(max_size=80),
    st.sampled_from([b"\n", b"\r\n", b"", b"\n\n", b"\n{", b"\r\r\n"]),
)
def test_the_short_way_gives_what_the_long_way_gives_or_nothing(line, end):
    data = line + end
    reply = plain_reply(data)
    lines = LineBuffer()
    lines.feed(b"\n")  # past the very start, where a byte order mark may stand
    found = lines.feed(data)
    if reply is not None:
        assert len(found) == 1
        assert not lines.pending
        assert parse_reply(found[0]) == reply
        assert reply.note is reply.name is reply.version is None


@pytest.mark.parametrize("line", PLAIN)
def test_the_usual_lines_take_the_short_way(line):
    assert plain_reply(line + b"\n") == plain_reply(line + b"\r\n") == parse_reply(line)


@pytest.mark.parametrize("line", ODD)
def test_all_others_take_the_long_way(line):
    assert plain_reply(line + b"\n") is None
    assert plain_reply(PLAIN[0]) is None
    assert plain_reply(PLAIN[0] + b" " * 64 + b"\n") is None


@given(JSON_VALUES, st.booleans())
def test_arbitrary_json_never_raises(value, ascii_only):
    line = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert isinstance(parse_reply(line), Reply | Malformed)


@given(st.dictionaries(KEYS, JSON_VALUES, max_size=6), st.integers(-(2**63), 2**63 - 1))
def test_any_object_with_an_integer_id_is_a_reply(fields, number):
    line = json.dumps({**fields, "id": number}, allow_nan=True).encode()
    reply = parse_reply(line)
    if isinstance(reply, Malformed):
        assert b"NaN" in line or b"Infinity" in line or b"E" in line or _has_huge_number(fields)
    else:
        assert reply.id == number


def _has_huge_number(value) -> bool:
    if isinstance(value, dict):
        return any(_has_huge_number(v) for v in value.values())
    if isinstance(value, list):
        return any(_has_huge_number(v) for v in value)
    return isinstance(value, int) and abs(value) > sys.float_info.max


@given(
    st.lists(
        st.tuples(KEYS, st.booleans(), st.integers(0, 9) | st.dictionaries(KEYS, st.none())),
        max_size=7,
    )
)
def test_equal_keys_are_found_in_every_disguise(pairs):
    line = ",".join(
        f"{escaped(k) if hidden else json.dumps(k)}:{json.dumps(v)}" for k, hidden, v in pairs
    )
    keys = [k for k, _, _ in pairs]
    twice = keys.count("id") > 1 or keys.count("action") > 1
    reply = parse_reply(b"{" + line.encode() + b"}")
    ids = [v for k, _, v in pairs if k == "id"]
    assert isinstance(reply, Malformed) == (twice or not ids or not isinstance(ids[0], int))


def test_keys_of_inner_objects_may_repeat_the_outer_ones():
    line = b'{"id":1,"why":[{"id":2,"action":"\\""},{"id":3}],"action":"AS","x":{"action":0}}'
    assert parse_reply(line) == Reply(1, "AS")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "empty"),
        (b"[1]", "a list, not an object"),
        (b"3", "a number, not an object"),
        (b"null", "null, not an object"),
        (b"ready!", "stderr"),
        (b'{"id":1,"action":NaN}', "NaN"),
        (b'{"id":1,"action":-Infinity}', "Infinity"),
        (b'{"id":1,"action":1e999}', "infinity"),
        (b'{"id":1,"x":' + b"9" * 5000 + b"}", "infinity"),
        (b'{"id":1,"x":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "depth"),
        (b'{"x":' * 20_000, "depth"),
        (b'{"id":1}\0', "NUL byte at byte 9"),
        (b'{"id":1,"note":"\xff"}', "UTF-8 at byte 17"),
        (b'{"id":1}{"id":1}', "more than one"),
        (b'{"id":1,"action":3', "not JSON"),
        (b'\xef\xbb\xbf{"id":1}', "byte order mark"),
        (b'{"action":3}', "without an id"),
        (b'{"id":true}', "true"),
        (b'{"id":7.0}', "7.0"),
        (b'{"id":"7"}', '"7"'),
        (b'{"id":18446744073709551616}', "not an integer"),
        (b'{"id":1,"id":1}', "two keys `id`"),
        (b'{"id":1,"action":3,"\\u0061ction":4}', "two keys `action`"),
    ],
)
def test_the_reason_names_what_is_wrong(line, words):
    reply = parse_reply(line)
    assert isinstance(reply, Malformed)
    assert words in reply.reason


def test_a_missing_action_is_not_null():
    assert parse_reply(b'{"id":0}') == Reply(0, MISSING)
    assert parse_reply(b'{"id":0,"action":null}') == Reply(0, None)


def test_hello_may_carry_name_and_version():
    reply = parse_reply(b'{"id":0,"name":"x","version":7}')
    assert (reply.name, reply.version) == ("x", None)


def test_a_long_note_is_clipped_and_a_note_of_another_type_dropped():
    long = json.dumps({"id": 1, "action": 2, "note": "é" * (NOTE_LIMIT_CHARS + 1)}).encode()
    assert parse_reply(long) == Reply(1, 2, "é" * NOTE_LIMIT_CHARS)
    assert parse_reply(b'{"id":1,"action":2,"note":[1]}') == Reply(1, 2)


@pytest.mark.parametrize(
    ("escapes", "text"),
    [
        (r"\ud83d\ude00", "😀"),
        (r"\ud83d", "�"),
        (r"\ude00\ud83d", "��"),
        (r"\ud83d\ud83d\ude00", "�😀"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d", "\\�"),
    ],
)
def test_a_lone_surrogate_is_replaced_and_a_pair_kept(escapes, text):
    line = '{"id":1,"action":2,"note":"' + escapes + '"}'
    assert parse_reply(line.encode()) == Reply(1, 2, text)


ACTIONS = st.integers(0, 3) | st.booleans() | st.floats(0, 3) | st.sampled_from(["1", "AS", None])


@given(ACTIONS, st.integers(0, 3) | st.sampled_from(["1", "AS"]))
def test_actions_are_the_same_only_as_json_text(action, legal):
    assert same_action(action, legal) == (json.dumps(action) == json.dumps(legal))


@given(ACTIONS, st.lists(st.integers(0, 3), unique=True))
def test_action_index_finds_what_same_action_accepts(action, legal):
    index = action_index(action, legal)
    assert [same_action(action, x) for x in legal] == [i == index for i in range(len(legal))]


@given(JSON_VALUES)
def test_an_action_is_described_in_few_printable_characters(value):
    reply = parse_reply(json.dumps({"id": 1, "action": value}).encode())
    if isinstance(reply, Reply):
        assert describe(reply.action).isprintable()
        assert len(describe(reply.action)) < 500


def test_a_deeply_nested_action_can_be_described():
    reply = parse_reply(b'{"id":1,"action":' + b"[" * 900 + b"]" * 900 + b"}")
    assert describe(reply.action) == "a list"
