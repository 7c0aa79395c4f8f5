"""Every seed of a tournament, derived from one.

Theory of operation. A tournament has one seed, a text. Everything that chance decides is derived
from it by HMAC-SHA-256 (the key is the seed's UTF-8 bytes, the message says what is wanted), before
any bot runs. A derived seed tells nothing of the one it comes from, so a bot that is given its own
seed learns no cards. Publishing SHA-256 of the tournament's seed beforehand and the seed afterwards
lets anybody check every deal: `arena verify` does it.

    deal set n (from 0)     HMAC(tournament seed, "deal set n"), the first 32 hex digits
    bot seed of a seat      HMAC(deal set seed, "seat s"), the first 53 bits, as an integer

The bot's seed depends on cards and seat alone, not on the bot: two bots compared on the same cards
in the same seat are given the same chance.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

SHORT_SEED_CHARACTERS = 22
"""Shorter seeds than this could be found by trying: 22 letters or digits hold over 113 bits."""


def random_seed() -> str:
    """128 random bits, as 32 hex digits."""
    return secrets.token_hex(16)


def is_seed(text: str) -> bool:
    """True if the text can be a seed: it is not empty, and not bytes that were no UTF-8."""
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def is_short(seed: str) -> bool:
    """True if a bot could find the seed from its own cards by trying."""
    return len(seed) < SHORT_SEED_CHARACTERS


def commitment(seed: str) -> str:
    """What can be published before the tournament: SHA-256 of the seed's text, in hex."""
    return hashlib.sha256(seed.encode()).hexdigest()


def deal_set_seed(tournament_seed: str, deal_set: int) -> str:
    """The seed of all matches of one deal set: 32 hex digits."""
    return _derive(tournament_seed, f"deal set {deal_set}").hex()[:32]


def seat_seed(match_seed: str, seat: int) -> int:
    """What a bot in that seat is told in `start`: an integer below 2**53."""
    return int.from_bytes(_derive(match_seed, f"seat {seat}")[:7]) >> 3


def _derive(seed: str, message: str) -> bytes:
    return hmac.digest(seed.encode(), message.encode(), "sha256")
