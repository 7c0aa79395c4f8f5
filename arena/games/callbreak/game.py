"""Callbreak as the harness knows it: the game interface's `Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import orjson

from arena.games.api import Replayed, WireAction
from arena.games.callbreak.replay import GAME, replay
from arena.games.callbreak.rules_text import rules_text
from arena.games.callbreak.scoring import TENTHS
from arena.games.callbreak.shuffle import deals_from
from arena.games.callbreak.spans import widest_lead, widest_range
from arena.games.callbreak.state import CallbreakState
from arena.games.callbreak.trick import SEATS
from arena.games.callbreak.variants import PRESETS, Variant, build_variant


class Callbreak:
    """The rules of Callbreak under all its variants."""

    name = GAME
    version = "1"
    seats = SEATS

    def variants(self) -> dict[str, dict[str, Any]]:
        return {name: preset.as_dict() for name, preset in PRESETS.items()}

    def variant(self, name: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return build_variant(name, parameters).as_dict()

    def deals_of(self, variant: Mapping[str, Any]) -> int:
        return _checked(variant).deals

    def new_match(self, seed: str, variant: Mapping[str, Any]) -> CallbreakState:
        rules = _checked(variant)
        return CallbreakState(deals_from(seed, rules), rules)

    def replay(self, record: Mapping[str, Any]) -> Replayed:
        return replay(record)

    def actions(self, record: Mapping[str, Any]) -> list[WireAction]:
        return [action for deal in record["deals"] for action in _actions_of(deal)]

    def rules_text(self, variant: Mapping[str, Any]) -> str:
        return rules_text(_checked(variant))

    def span(self, variant: Mapping[str, Any], *, duel: bool) -> float:
        rules = _checked(variant)
        return (widest_lead(rules) / 2 if duel else widest_range(rules)) / TENTHS


def _actions_of(deal: Mapping[str, Any]) -> Iterator[WireAction]:
    """The calls from the dealer's right on, then the cards."""
    for turn in range(1, SEATS + 1):
        yield deal["calls"][(deal["dealer"] + turn) % SEATS]
    for trick in deal["tricks"]:
        yield from trick["cards"]


def _checked(variant: Mapping[str, Any]) -> Variant:
    try:
        return _read(orjson.dumps(variant))
    except TypeError:  # nothing that JSON can say
        return build_variant(variant["name"], variant)


@lru_cache(maxsize=16)
def _read(variant_json: bytes) -> Variant:
    """Checked once: every match of a run comes with the same variant."""
    variant = orjson.loads(variant_json)
    return build_variant(variant["name"], variant)
