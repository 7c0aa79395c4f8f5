"""Lines out of a stream: how it is cut into pieces changes nothing, and memory is bounded."""

import json
import tracemalloc
from itertools import pairwise

from arena_protocol import LineBuffer, encode
from hypothesis import given
from hypothesis import strategies as st

LIMIT_BYTES = 12
STREAMS = st.lists(
    st.sampled_from([b"\n", b"\r", b"\r\n", b"\xef\xbb\xbf", b"{}", b"abc", b"0123456789"])
    | st.binary(max_size=4),
    max_size=20,
).map(b"".join)


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(p for p in places if p < len(stream)), len(stream)]
    return [stream[a:b] for a, b in pairwise(edges)]


def outcome(pieces: list[bytes]) -> tuple[list[bytes], bool, bytes]:
    buffer = LineBuffer(LIMIT_BYTES)
    lines = [line for piece in pieces for line in buffer.feed(piece)]
    return lines, buffer.overflow, buffer.pending


@given(STREAMS, st.lists(st.integers(0, 80), max_size=20))
def test_chunking_changes_nothing(stream, places):
    assert outcome(cut(stream, places)) == outcome([stream])


@given(STREAMS)
def test_single_bytes_give_the_same_lines(stream):
    assert outcome([stream[i : i + 1] for i in range(len(stream))]) == outcome([stream])


@given(STREAMS)
def test_lines_are_what_a_plain_split_gives(stream):
    *ended, rest = stream.split(b"\n")
    fitting = []
    for line in ended:
        if len(line) > LIMIT_BYTES:
            break
        fitting.append(line)
    too_long = len(fitting) < len(ended) or len(rest) > LIMIT_BYTES
    if fitting:
        fitting[0] = fitting[0].removeprefix(b"\xef\xbb\xbf")
    lines, overflow, _ = outcome([stream])
    assert lines == [line.removesuffix(b"\r") for line in fitting]
    assert overflow == too_long


@given(STREAMS, st.lists(st.integers(0, 80), max_size=20))
def test_no_more_than_the_limit_is_ever_held(stream, places):
    buffer = LineBuffer(LIMIT_BYTES)
    for piece in cut(stream, places):
        buffer.feed(piece)
        assert len(buffer.pending) <= LIMIT_BYTES


def test_a_line_of_exactly_the_limit_passes_and_one_byte_more_does_not():
    buffer = LineBuffer(4)
    assert buffer.feed(b"abcd\n") == [b"abcd"]
    assert not buffer.overflow
    assert buffer.feed(b"abcde") == []
    assert buffer.overflow
    assert buffer.pending == b"abcd"


def test_lines_before_a_too_long_one_are_kept_and_those_after_it_dropped():
    buffer = LineBuffer(4)
    assert buffer.feed(b"ok\nmuch too long\nok\n") == [b"ok"]
    assert buffer.feed(b"ok\n") == []


def test_a_byte_order_mark_is_dropped_only_at_the_very_start():
    buffer = LineBuffer()
    assert buffer.feed(b"\xef\xbb") == []
    assert buffer.feed(b"\xbf{}\r\n") == [b"{}"]
    assert buffer.feed(b"\xef\xbb\xbf{}\n") == [b"\xef\xbb\xbf{}"]


def test_half_a_line_is_left_at_end_of_file():
    buffer = LineBuffer()
    assert buffer.feed(b'{"id":1}\n{"id"') == [b'{"id":1}']
    assert buffer.pending == b'{"id"'


def test_a_flood_does_not_grow_the_buffer():
    buffer, piece = LineBuffer(), b"x" * 4096
    tracemalloc.start()
    for _ in range(2000):
        assert buffer.feed(piece) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * buffer.limit_bytes


@given(st.dictionaries(st.text(), st.integers(-(2**53), 2**53) | st.text() | st.none()))
def test_a_message_is_one_line_that_json_reads_back(message):
    line = encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == message
