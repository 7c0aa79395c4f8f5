"""Writes the test vectors from the rules engine: shuffle.json and rules.json.

    python tests/golden/vectors.py

A test compares the files with what this gives, so they are never stale.
"""

from __future__ import annotations

import hmac
import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.games.callbreak.cards import names_of
from arena.games.callbreak.deal import Deal
from arena.games.callbreak.scoring import tenths_of
from arena.games.callbreak.shuffle import deals_from, shuffled
from arena.games.callbreak.variants import PRESETS, Redeal, build_variant
from arena.records import points_from_tenths

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"

SHUFFLES = (
    ("7", 4, "none"),
    ("", 2, "none"),
    ("0", 2, "none"),
    ("c0ffee254729296a45a3885639ac7e01", 5, "none"),
    ("सात · ♠", 2, "none"),
    ("a seed that is longer than one block of SHA-256, which is sixty-four bytes", 2, "none"),
    ("7", 24, "no-spade"),
    ("7", 24, "no-face-card"),
)
"""Seed, number of deals, redeal. The long ones are long enough to deal again at least once."""

POSITIONS_PER_PRESET = 80


def shuffle_vectors() -> dict[str, Any]:
    """Intermediate values for the first seed, then whole matches."""
    label = "callbreak/1 deal 1 attempt 0 block 0"
    return {
        "about": "Deals from seeds, as protocol/SPEC.md describes: hands by seat in wire order.",
        "steps": {
            "seed": "7",
            "label": label,
            "block": hmac.digest(b"7", label.encode(), "sha256").hex(),
            "deck": " ".join(names_of(shuffled("7", 1))),
        },
        "matches": [_match(*shuffle) for shuffle in SHUFFLES],
    }


def _match(seed: str, count: int, redeal: str) -> dict[str, Any]:
    rules = build_variant("vectors", {"base": "master", "deals": count, "redeal": redeal})
    dealt = deals_from(seed, rules)
    unasked = deals_from(seed, build_variant("vectors", {"base": "master", "deals": count}))
    again = [
        number
        for number, pair in enumerate(zip(dealt, unasked, strict=True), 1)
        if len(set(pair)) > 1
    ]
    assert bool(again) == (redeal != Redeal.NONE.value)
    return {
        "seed": seed,
        "redeal": redeal,
        "dealt_again": again,
        "deals": [
            {"deal": number, "dealer": deal.dealer, "hands": [names_of(h) for h in deal.hands]}
            for number, deal in enumerate(dealt, start=1)
        ],
    }


def rules_vectors() -> dict[str, Any]:
    """For every preset: positions with their legal cards, tricks, and all scores."""
    return {
        "about": "Positions met in random play: what a hand may play to a trick, and which of it"
        " the fallback plays; finished tricks; and what a call earns with 0 to 13 tricks won.",
        "variants": {name: preset.as_dict() for name, preset in PRESETS.items()},
        "legal": [case for name in PRESETS for case in _positions(name)],
        "tricks": _tricks(),
        "points": [case for name in PRESETS for case in _points(name)],
    }


def _random_play(name: str, rng: random.Random) -> Iterable[Deal]:
    """A deal after each of its actions, the same object; endlessly, one deal after another."""
    rules = build_variant(name)
    while True:
        for dealt in deals_from(str(rng.random()), rules):
            deal = Deal(dealt, rules)
            while not deal.is_over:
                deal.apply(rng.choice(deal.legal()))
                yield deal


def _positions(name: str) -> list[dict[str, Any]]:
    rng, cases = random.Random(f"legal {name}"), []
    for deal in _random_play(name, rng):
        if deal.trick and rng.random() < 0.05:
            cases.append(
                {
                    "variant": name,
                    "hand": names_of(deal.hands[deal.turn]),
                    "trick": names_of(deal.trick),
                    "legal": names_of(deal.legal()),
                    "fallback": names_of([deal.fallback()])[0],
                }
            )
        if len(cases) == POSITIONS_PER_PRESET:
            break
    return cases


def _tricks() -> list[dict[str, Any]]:
    for deal in _random_play("master", random.Random("tricks")):
        if deal.is_over:
            break
    return [
        {"leader": trick.leader, "cards": names_of(trick.cards), "winner": trick.winner}
        for trick in deal.tricks
    ]


def _points(name: str) -> list[dict[str, Any]]:
    rules = PRESETS[name]
    return [
        {
            "variant": name,
            "call": call,
            "points": [points_from_tenths(tenths_of(call, won, rules)) for won in range(14)],
        }
        for call in range(rules.min_call, rules.max_call + 1)
    ]


def as_text(vectors: Mapping[str, Any]) -> str:
    """JSON with one case a line, so that changes can be read."""
    parts = [f"{json.dumps(key)}: {_part(value)}" for key, value in vectors.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _part(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    lines = [json.dumps(case, ensure_ascii=False) for case in value]
    return "[\n  " + ",\n  ".join(lines) + "\n]"


FILES = {"shuffle.json": shuffle_vectors, "rules.json": rules_vectors}

if __name__ == "__main__":
    for file_name, vectors in FILES.items():
        (FOLDER / file_name).write_text(as_text(vectors()), encoding="utf-8")
