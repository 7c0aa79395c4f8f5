"""What all pages say of the run: title, rules, how the bots were shut in, how it was set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from arena import __version__
from arena.errors import ConfigError
from arena.games.api import Game, has_chance

_LEVELS = ("enforced", "watched", "none")
_NO_SANDBOX = "none"


@dataclass(frozen=True, slots=True)
class CapabilityLine:
    """One line of the capability report."""

    name: str
    level: str
    how: str

    @property
    def css(self) -> str:
        """The level as a CSS class: what is no known level counts as none."""
        return self.level if self.level in _LEVELS else "none"


@dataclass(frozen=True, slots=True)
class VariantBox:
    """One variant that was played: parameters as text, and the rules in words where known."""

    name: str
    parameters: Sequence[tuple[str, str]]
    rules: Markup


@dataclass(frozen=True, slots=True)
class Site:
    """The frame of every page."""

    title: str
    arena: str
    size: str
    warning: str
    part_of: str
    sandbox: str
    capabilities: Sequence[CapabilityLine]
    variants: Sequence[VariantBox]
    facts: Sequence[tuple[str, str]]


def describe_site(
    header: Mapping[str, Any],
    *,
    title: str,
    size: str,
    part_of: str,
    variants: Sequence[tuple[str, Mapping[str, Any]]],
    games: Mapping[str, Game],
) -> Site:
    """The frame for a run with this header (empty for a file of records).

    `variants` are those that were played, each with the game's name.
    """
    report = _mapping(header.get("sandbox"))
    provider = str(report.get("provider", ""))
    return Site(
        title=title,
        arena=__version__,
        size=size,
        warning="The bots of this run were not shut in." if provider == _NO_SANDBOX else "",
        part_of=part_of,
        sandbox=f"{provider} {report.get('version', '')}".strip(),
        capabilities=_capabilities(report),
        variants=[_variant_box(game, variant, games) for game, variant in variants],
        facts=_facts(header, games),
    )


def _capabilities(report: Mapping[str, Any]) -> list[CapabilityLine]:
    return [
        CapabilityLine(name, str(line.get("level", "")), str(line.get("how", "")))
        for name, value in _mapping(report.get("capabilities")).items()
        for line in (_mapping(value),)
    ]


def _variant_box(game: str, variant: Mapping[str, Any], games: Mapping[str, Game]) -> VariantBox:
    parameters = [(k.replace("_", " "), _word(v)) for k, v in variant.items() if k != "name"]
    return VariantBox(str(variant.get("name", "?")), parameters, _rules(game, variant, games))


def _rules(game: str, variant: Mapping[str, Any], games: Mapping[str, Game]) -> Markup:
    """The rules in words; nothing for a game or a variant that is not known here."""
    if game not in games:
        return Markup()
    try:
        checked = games[game].variant(str(variant.get("name", "")), variant)
        text = games[game].rules_text(checked)
    except ConfigError:
        return Markup()
    # The page has its own headings; raw HTML is off, so the text cannot bring any.
    body = text.partition("\n")[2] if text.startswith("# ") else text
    return Markup(MarkdownIt("commonmark", {"html": False}).render(body))


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _facts(header: Mapping[str, Any], games: Mapping[str, Game]) -> list[tuple[str, str]]:
    """The settings of the run. The seed is not among them: it would give away deals to come."""
    limits = _mapping(header.get("limits"))
    game = games.get(str(header.get("game")))
    proves = game is None or has_chance(game)
    found = [
        ("schedule", header.get("schedule")),
        ("orbits", header.get("orbits")),
        ("seed commitment (SHA-256)", header.get("commitment") if proves else None),
        *((name.replace("_", " "), value) for name, value in limits.items()),
        ("processes restart", header.get("restart")),
        ("names hidden", header.get("hide_names")),
        *(
            (f"left out: {out.get('bot', '?')}", out.get("reason", ""))
            for out in map(_mapping, _listed(header.get("left_out")))
        ),
    ]
    return [(name, _word(value)) for name, value in found if value is not None]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _word(value: object) -> str:
    words = {None: "any", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
