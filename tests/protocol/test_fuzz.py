"""Mangled lines: no crash, and the same verdict as a plain reader's."""

import random
from itertools import islice

import pytest

from tests.protocol.fuzz import mangled_lines, plain_reader, try_line


@pytest.mark.parametrize("lines", [30_000, pytest.param(200_000, marks=pytest.mark.long)])
def test_mangled_lines_are_read_as_a_plain_reader_reads_them(lines):
    chance = random.Random(1)
    for line in islice(mangled_lines(chance), lines):
        try_line(line, chance)


def test_the_mangled_lines_are_of_both_kinds():
    lines = list(islice(mangled_lines(random.Random(2)), 2_000))
    good = sum(plain_reader(line) is not None for line in lines)
    assert 200 < good < 1_800
