"""Mangled lines: no crash, and the same verdict as a plain reader's."""

import random
from itertools import islice

import pytest

from tests.protocol.fuzz import mangled_lines, plain_reader, try_line


def test_mangled_lines_are_read_as_a_plain_reader_reads_them():
    chance = random.Random(1)
    for line in islice(mangled_lines(chance), 10_000):
        try_line(line, chance)


def test_the_mangled_lines_are_of_both_kinds():
    lines = list(islice(mangled_lines(random.Random(2)), 2_000))
    good = sum(plain_reader(line) is not None for line in lines)
    assert 200 < good < 1_800


@pytest.mark.slow
def test_many_mangled_lines_are_read_as_a_plain_reader_reads_them():
    chance = random.Random(3)
    for line in islice(mangled_lines(chance), 200_000):
        try_line(line, chance)
