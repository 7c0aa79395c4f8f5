"""Every seed derives from the tournament's, and none gives another away."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.seeds import (
    commitment,
    deal_set_seed,
    is_short,
    random_seed,
    seat_seed,
)


def test_a_random_seed_has_128_bits_and_is_not_short():
    seeds = {random_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(bytes.fromhex(seed)) == 16 and not is_short(seed) for seed in seeds)


def test_a_typed_number_is_short():
    assert is_short("7")


def test_the_documented_derivation_is_the_one_used():
    digest = hmac.new(b"7", b"deal set 3", hashlib.sha256).hexdigest()
    assert deal_set_seed("7", 3) == digest[:32]
    digest = hmac.new(b"abc", b"seat 2", hashlib.sha256).digest()
    assert seat_seed("abc", 2) == int.from_bytes(digest[:7], "big") >> 3


@given(st.text(), st.integers(0, 10**9))
def test_seat_seeds_fit_into_a_double_and_differ(seed, deal_set):
    cards = deal_set_seed(seed, deal_set)
    seats = [seat_seed(cards, seat) for seat in range(4)]
    assert all(0 <= bot_seed < 2**53 for bot_seed in seats)
    assert len(set(seats)) == 4


def test_the_commitment_is_the_hash_of_the_text():
    assert commitment("7") == hashlib.sha256(b"7").hexdigest()
