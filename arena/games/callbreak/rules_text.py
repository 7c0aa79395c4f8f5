"""The rules of a variant in plain words, written from its parameters."""

from __future__ import annotations

from arena.games.callbreak.variants import Redeal, Variant, VoidDuty
from arena.records import points_from_tenths
from arena.words import counted


def rules_text(rules: Variant) -> str:
    """The rules as Markdown: a heading and a numbered list."""
    items = [
        "Four players, each for themselves; 52 cards, ace high, two low in each suit. "
        "Spades are always trumps.",
        "Deal, calls and play run counter-clockwise. Seats are 0 to 3 in turn order: seat "
        "(s + 1) mod 4 is to the right of seat s. The first dealer is drawn from the match seed; "
        "the deal then passes to the right.",
        "All cards are dealt one at a time, beginning at the dealer's right: 13 each."
        + _REDEAL[rules.redeal],
        f"The dealer's right calls first, the dealer last, once round. A call is a whole number "
        f"from {rules.min_call} to {rules.max_call}. There is no pass, and no limit on the sum.",
        "The dealer's right leads to the first trick, any card (spades too, at any time). The "
        "winner of a trick leads to the next.",
        _FOLLOW[rules.must_head],
        _VOID[rules.void_duty],
        "The highest spade wins the trick; without spades, the highest card of the led suit.",
        _success(rules) + _bonus(rules),
        f"A match is {counted(rules.deals, 'deal')}. The highest total wins; equal totals share "
        "the rank (1, 2, 2, 4).",
    ]
    lines = [f"{number}. {text}" for number, text in enumerate(items, start=1)]
    return "\n".join([f"# Callbreak, variant {rules.name}", "", *lines, ""])


_REDEAL = {
    Redeal.NONE: "",
    Redeal.NO_SPADE: " A deal in which some hand holds no spade is dealt again, unseen.",
    Redeal.NO_FACE_CARD: " A deal in which some hand holds no king, queen or jack is dealt again, "
    "unseen.",
}

_FOLLOW = {
    False: "Follow suit if able. A player who can follow may play any card of the led suit, "
    "higher or lower; this holds when spades are led, and when the trick has been ruffed.",
    True: "Follow suit if able, and with a card that beats the best card of the led suit in the "
    "trick, if able; this holds when spades are led. Once the trick has been ruffed, any card of "
    "the led suit may be played.",
}

_VOID = {
    VoidDuty.OVERRUFF: "A player who cannot follow must play a spade that beats every spade "
    "already in the trick (any spade if there is none yet), if holding one. Holding no such spade, "
    "any card may be played: a lower spade may be thrown away, so may any other suit.",
    VoidDuty.RUFF: "A player who cannot follow must play a spade, if holding one; it need not "
    "beat a spade already in the trick. Holding no spade, any card may be played.",
    VoidDuty.FREE: "A player who cannot follow may play any card.",
}


def _success(rules: Variant) -> str:
    allowed = rules.overtricks_allowed
    if allowed is None:
        wanted = "c tricks or more"
    elif allowed == 0:
        wanted = "exactly c tricks"
    elif allowed == 1:
        wanted = "exactly c or c + 1 tricks"
    else:
        wanted = f"c to c + {allowed} tricks"
    each = points_from_tenths(rules.overtrick_tenths)
    extra = f", and {each} more for each trick above c" if each and allowed != 0 else ""
    return f"A player who called c succeeds with {wanted}: +c{extra}; otherwise -c."


def _bonus(rules: Variant) -> str:
    if rules.bonus_call is None:
        return ""
    return (
        f" A call of {rules.bonus_call} or more earns {rules.bonus_points} on success; "
        "tricks above the call add nothing to that."
    )
