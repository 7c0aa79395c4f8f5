"""Variants of the rules: named, versioned parameter sets. Data, not code.

A preset is a name for fixed parameters; only the number of deals may differ under it. Any other
change makes other rules, which need a name of their own: `base` says which preset they start from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from arena.errors import ConfigError
from arena.games.callbreak.quoting import quoted
from arena.lookup import guess

VERSION = 1
"""Changes whenever a parameter comes to mean something else."""


class VoidDuty(StrEnum):
    """What a player who cannot follow must do, if able; any card may be played otherwise."""

    OVERRUFF = "overruff"
    """Play a spade that beats every spade in the trick."""
    RUFF = "ruff"
    """Play a spade, whichever."""
    FREE = "free"
    """Nothing."""


class Redeal(StrEnum):
    """Which hands throw a deal in. It is dealt again before anybody sees it."""

    NONE = "none"
    NO_SPADE = "no-spade"
    NO_FACE_CARD = "no-face-card"


@dataclass(frozen=True, slots=True)
class Variant:
    """One complete set of rules.

    `overtricks_allowed` None: any number. `bonus_call` None: no bonus. `bonus_points` are whole
    points, the whole earning of a call of `bonus_call` or more that succeeds.
    """

    name: str
    version: int
    deals: int
    min_call: int
    max_call: int
    overtricks_allowed: int | None
    overtrick_tenths: int
    bonus_call: int | None
    bonus_points: int
    must_head: bool
    void_duty: VoidDuty
    redeal: Redeal

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: the name, the version and every parameter."""
        return {
            key: value.value if isinstance(value, StrEnum) else value
            for key, value in asdict(self).items()
        }


MASTER = Variant(
    name="master",
    version=VERSION,
    deals=4,
    min_call=2,
    max_call=12,
    overtricks_allowed=1,
    overtrick_tenths=0,
    bonus_call=8,
    bonus_points=13,
    must_head=False,
    void_duty=VoidDuty.OVERRUFF,
    redeal=Redeal.NONE,
)
BHOOS = replace(
    MASTER,
    name="bhoos",
    deals=5,
    min_call=1,
    max_call=8,
    overtricks_allowed=None,
    overtrick_tenths=1,
    bonus_call=None,
    bonus_points=0,
    must_head=True,
)
CLASSIC = replace(BHOOS, name="classic", max_call=13, bonus_call=8, bonus_points=13)

PRESETS: Mapping[str, Variant] = MappingProxyType({v.name: v for v in (MASTER, BHOOS, CLASSIC)})
"""The presets by name, the default first."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range; `null`, if there is one, is the word for None (TOML has none)."""

    low: int
    high: int
    null: str = ""

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}" + self._or_null()

    def _or_null(self) -> str:
        return f' or "{self.null}"' if self.null else ""

    def read(self, value: object) -> int | None:
        if self.null and (value is None or value == self.null):
            return None
        if type(value) is int and self.low <= value <= self.high:
            return value
        raise ValueError


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "true or false"

    def read(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise ValueError


@dataclass(frozen=True, slots=True)
class Choice:
    """One word of an enum."""

    words: type[StrEnum]

    def __str__(self) -> str:
        return "one of " + ", ".join(f'"{word}"' for word in self.words)

    def read(self, value: object) -> StrEnum:
        if isinstance(value, str):
            return self.words(value)
        raise ValueError


PARAMETERS: Mapping[str, Whole | Flag | Choice] = MappingProxyType(
    {
        "version": Whole(VERSION, VERSION),
        "deals": Whole(1, 10_000),
        "min_call": Whole(1, 13),
        "max_call": Whole(1, 13),
        "overtricks_allowed": Whole(0, 12, null="any"),
        "overtrick_tenths": Whole(0, 10),
        "bonus_call": Whole(1, 13, null="none"),
        "bonus_points": Whole(0, 100),
        "must_head": Flag(),
        "void_duty": Choice(VoidDuty),
        "redeal": Choice(Redeal),
    }
)
"""What each parameter may be. Relations between them are in `_check_together`."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_FREE_UNDER_A_PRESET = ("deals",)


def build_variant(name: str, parameters: Mapping[str, Any] | None = None) -> Variant:
    """A complete, checked variant: a preset, or `parameters` over a preset under another name.

    `parameters` may also hold `base` (the preset to start from, `master` unless given) and `name`
    (which must be the same). Raises ConfigError that names the parameter.
    """
    given = dict(parameters or {})
    where = f"variant {quoted(name)}"
    if given.pop("name", name) != name:
        raise ConfigError("the name does not agree with the parameter `name`", where=where)
    told_base = given.pop("base", None)
    base = _base(name, told_base, given, where)
    read = {key: _read(key, value, where) for key, value in given.items()}
    if name not in PRESETS and told_base is None:
        _check_own_rules(name, given)
    variant = replace(base, **read, name=name)
    if name in PRESETS:
        _check_preset(variant, PRESETS[name], where)
    _check_together(variant, where)
    return variant


def _base(name: str, base: object, given: Mapping[str, Any], where: str) -> Variant:
    """The preset that parameters are laid over."""
    if base is not None and (not isinstance(base, str) or base not in PRESETS):
        raise ConfigError(f"base is {quoted(base)}, which is no preset", where=where, mend=_PRESETS)
    if name in PRESETS:
        if base not in (None, name):
            raise ConfigError(
                f"a preset cannot start from base {base!r}", where=where, mend=_RENAME
            )
        return PRESETS[name]
    if not given and base is None:
        raise ConfigError(f"there is no variant {quoted(name)}", mend=guess(name, PRESETS))
    if not _NAME.fullmatch(name):
        mend = "lower-case letters, digits and hyphens, at most 40"
        raise ConfigError("this is no name for a variant", where=where, mend=mend)
    return PRESETS[base] if isinstance(base, str) else MASTER


def _check_own_rules(name: str, given: Mapping[str, Any]) -> None:
    """A name without `base` is not a preset's mistyped: it has rules of its own to be a name for.

    A record gives every parameter, and may call its rules what it likes.
    """
    changes_rules = bool(given.keys() - {"version", *_FREE_UNDER_A_PRESET})
    is_like_a_preset = bool(get_close_matches(name, PRESETS, n=1, cutoff=0.75))
    if not changes_rules or (is_like_a_preset and not given.keys() >= PARAMETERS.keys()):
        own = f'for rules of your own say which preset they start from, as base = "{MASTER.name}"'
        raise ConfigError(
            f"there is no variant {quoted(name)}", mend=f"{guess(name, PRESETS)}; {own}"
        )


def _read(key: str, value: object, where: str) -> Any:
    if key not in PARAMETERS:
        raise ConfigError(
            f"there is no parameter {quoted(key)}", where=where, mend=guess(key, PARAMETERS)
        )
    allowed = PARAMETERS[key]
    try:
        return allowed.read(value)
    except ValueError:
        raise ConfigError(
            f"{key} is {quoted(value)}", where=where, mend=f"it must be {allowed}"
        ) from None


def _check_preset(variant: Variant, preset: Variant, where: str) -> None:
    for field in fields(Variant):
        wanted = getattr(preset, field.name)
        if field.name not in _FREE_UNDER_A_PRESET and getattr(variant, field.name) != wanted:
            raise ConfigError(
                f"{field.name} of the preset {preset.name!r} is {_word(wanted)}",
                where=where,
                mend=f'{_RENAME} and base = "{preset.name}"',
            )


def _check_together(variant: Variant, where: str) -> None:
    """Parameters, each allowed by itself, also agree with each other."""
    if variant.min_call > variant.max_call:
        raise ConfigError(
            f"min_call {variant.min_call} is greater than max_call {variant.max_call}",
            where=where,
            mend="lower min_call or raise max_call",
        )
    if variant.bonus_call is None:
        return
    if not variant.min_call <= variant.bonus_call <= variant.max_call:
        raise ConfigError(
            f"bonus_call {variant.bonus_call} is not between min_call {variant.min_call}"
            f" and max_call {variant.max_call}",
            where=where,
            mend='give a call that can be made, or "none"',
        )
    if variant.bonus_points < 1:
        raise ConfigError(
            "bonus_points is 0 though there is a bonus_call",
            where=where,
            mend='give points, or bonus_call = "none"',
        )


_RENAME = "give the changed rules a name of their own"
_PRESETS = "presets: " + ", ".join(PRESETS)


def _word(value: object) -> str:
    return "null" if value is None else str(value).lower()
