"""Pairs of simple players, and what the sets of a regression test look like for each pair.

The players sit in this process and use the real rules engine; no bot is started. They are good
enough to call by their winners, to duck when they have their tricks, and to differ in the three
ways that matter to a sequential test: hardly at all, a little everywhere, or by chance.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from arena.games.callbreak.cards import RANKS_PER_SUIT, Hand
from arena.games.callbreak.deal import Deal
from arena.games.callbreak.shuffle import deals_from
from arena.games.callbreak.trick import best_card
from arena.games.callbreak.variants import PRESETS, Variant
from arena.regress.observation import Observation, observe
from arena.regress.plan import BASE, CANDIDATE, paired_sets

CHANCE_CALLS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Style:
    """How a player plays. `boldness` is added to the expected tricks before rounding;
    `blunders` is the chance of a random action.
    """

    boldness: float = 0.0
    blunders: float = 0.0


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate and a base."""

    candidate: Style
    base: Style


PAIRS: Mapping[str, Pair] = {
    "near-identical": Pair(Style(boldness=0.08), Style()),
    "a tweak": Pair(Style(boldness=0.18), Style()),
    "reworked": Pair(Style(boldness=0.45), Style()),
    "seldom blundering": Pair(Style(blunders=0.004), Style()),
    "randomised": Pair(Style(blunders=0.05), Style(blunders=0.05)),
}


def observations(pair: Pair, sets: int, deals: int, seed: str) -> list[Observation]:
    """The first sets of a duel between the two, in order, at `deals` deals a match."""
    styles = {CANDIDATE: pair.candidate, BASE: pair.base}
    rules = replace(PRESETS["master"], deals=deals)
    seen = []
    for planned in islice(paired_sets(), sets):
        cards = f"{seed}/{planned.number}"
        scores = [
            play_match(
                [styles[who] for who in table], cards, rules, random.Random(f"{cards}/{turn}")
            )
            for turn, table in enumerate(planned.tables)
        ]
        seen.append(observe(planned, scores, deals))
    return seen


def looked_at(pair: Pair, sets: int, seed: str) -> list[tuple[float, bool]]:
    """The difference of each set of a duel at one deal a match, and whether both matches called
    alike, seat for seat."""
    styles = {CANDIDATE: pair.candidate, BASE: pair.base}
    rules = replace(PRESETS["master"], deals=1)
    seen = []
    for planned in islice(paired_sets(), sets):
        cards = f"{seed}/{planned.number}"
        calls, scores = [], []
        for turn, table in enumerate(planned.tables):
            (deal,) = _played([styles[who] for who in table], cards, rules, f"{cards}/{turn}")
            calls.append(list(deal.calls))
            scores.append([t / 10 for t in deal.finished(1, [0] * 4).score_tenths])
        seen.append((observe(planned, scores, 1).difference, calls[0] == calls[1]))
    return seen


def _played(players: list[Style], cards: str, rules: Variant, seed: str) -> list[Deal]:
    """The deals of a match, each for itself."""
    rng, deals = random.Random(seed), []
    for dealt in deals_from(cards, rules):
        deal = Deal(dealt, rules)
        while not deal.is_over:
            deal.apply(_action(players[deal.turn], deal, rng))
        deals.append(deal)
    return deals


def play_match(players: list[Style], cards: str, rules: Variant, rng: random.Random) -> list[float]:
    """The totals in points, by seat."""
    totals = [0] * 4
    for dealt in deals_from(cards, rules):
        deal = Deal(dealt, rules)
        while not deal.is_over:
            deal.apply(_action(players[deal.turn], deal, rng))
        totals = list(deal.finished(1, totals).score_tenths)
    return [tenths / 10 for tenths in totals]


def _action(style: Style, deal: Deal, rng: random.Random) -> int:
    if style.blunders and rng.random() < style.blunders:
        return rng.choice(CHANCE_CALLS if deal.is_calling else deal.legal())
    if deal.is_calling:
        expected = expected_tricks(deal.hands[deal.turn]) + style.boldness
        return max(2, min(7, round(expected)))
    return _card(style, deal)


def expected_tricks(hand: Hand) -> float:
    """What the hand should win: high cards that are long enough, and spades beyond three."""
    suits = [[card % RANKS_PER_SUIT for card in hand if card // 13 == suit] for suit in range(4)]
    total = max(len(suits[0]) - 3, 0) * 0.8
    for number, ranks in enumerate(suits):
        for rank, shortest, worth in ((0, 1, 1.0), (1, 2, 0.75), (2, 3, 0.4)):
            if rank in ranks and len(ranks) >= shortest:
                total += worth if number == 0 or len(ranks) <= 6 else worth / 2
    return total


def _card(style: Style, deal: Deal) -> int:
    """Win the trick while tricks are wanted, as cheaply as the last seat can; else duck under."""
    legal, wanted = deal.legal(), (deal.calls[deal.turn] or 0) > deal.won[deal.turn]
    strongest, weakest = min(legal, key=_rank), max(legal, key=_rank)
    if not deal.trick:
        return strongest if wanted else weakest
    winning = [card for card in legal if best_card([*deal.trick, card]) == card]
    losing = [card for card in legal if card not in winning]
    if wanted and winning:
        return max(winning, key=_rank) if len(deal.trick) == 3 else min(winning, key=_rank)
    if wanted:
        return weakest
    return min(losing or winning, key=_rank)


def _rank(card: int) -> tuple[int, int]:
    """High cards first; among equals the later suit first, so that spades are kept."""
    return card % RANKS_PER_SUIT, -card
