"""A set of numbers in bits is the set that it says."""

from hypothesis import given
from hypothesis import strategies as st

from arena.store import Numbers


@given(st.lists(st.integers(0, 300)))
def test_it_has_the_numbers_that_it_was_made_of_and_no_others(numbers):
    bits = Numbers(numbers)
    assert bits == set(numbers)
    assert sorted(set(numbers)) == list(bits)
    assert [n for n in range(-3, 320) if n in bits] == sorted(set(numbers))
    assert "1" not in bits
