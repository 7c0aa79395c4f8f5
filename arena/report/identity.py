"""Names for the board: one bot, one name, and never two bots under one.

A bot is its name, version and digest. Where only one bot has a name, the name is enough. Where
several share it, each is shown as name@version, or as name@digest (8 hex digits or more) where the
version does not tell them apart. Only a `merge` puts several under one name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.errors import ConfigError
from arena.records import BotId

_DIGEST_CHARS = (8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Merge:
    """The bots that `labels` stand for (a label of the board, or a name for all that bear it)
    are shown as one, under `name`."""

    name: str
    labels: tuple[str, ...]


def parse_merge(text: str) -> Merge:
    """Reads `NAME` (all versions of NAME) or `NAME=LABEL,LABEL…`."""
    name, equals, labels = text.partition("=")
    chosen = tuple(label.strip() for label in labels.split(",")) if equals else (name,)
    if not name.strip() or not all(chosen):
        raise ConfigError(
            f"cannot read {text!r}",
            where="--merge",
            mend="write NAME for all its versions, or NAME=LABEL,LABEL",
        )
    return Merge(name.strip(), chosen)


def name_bots(bots: Iterable[BotId], merges: Sequence[Merge] = ()) -> Mapping[BotId, str]:
    """The board's name of every bot; raises ConfigError if a merge names nothing."""
    by_name: dict[str, list[BotId]] = defaultdict(list)
    for bot in sorted(set(bots), key=lambda bot: (bot.name, bot.version, bot.digest)):
        by_name[bot.name].append(bot)
    taken = set(by_name)
    labels: dict[BotId, str] = {}
    for name, sharers in by_name.items():
        chosen = [name] if len(sharers) == 1 else _distinct_labels(sharers, taken)
        labels |= dict(zip(sharers, chosen, strict=True))
        taken |= set(chosen)
    return _merged(labels, merges)


def _distinct_labels(sharers: Sequence[BotId], taken: set[str]) -> list[str]:
    candidates = [
        [f"{bot.name}@{bot.version or '?'}" for bot in sharers],
        *([f"{bot.name}@{bot.digest[:size] or '?'}" for bot in sharers] for size in _DIGEST_CHARS),
        [f"{bot.name}@{bot.version}@{bot.digest}" for bot in sharers],
    ]
    for labels in candidates:
        if len(set(labels)) == len(labels) and not taken & set(labels):
            return labels
    return [f"{bot.name}@#{number}" for number, bot in enumerate(sharers, 1)]


def _merged(labels: Mapping[BotId, str], merges: Sequence[Merge]) -> Mapping[BotId, str]:
    names = {bot: merge.name for merge in merges for bot in _meant(merge, labels)}
    apart = {label for bot, label in labels.items() if bot not in names}
    for merge in merges:
        if merge.name in apart:
            raise ConfigError(
                f"{merge.name!r} is the name of another bot",
                where="--merge",
                mend="choose another name, or merge that bot too",
            )
    return {**labels, **names}


def _meant(merge: Merge, labels: Mapping[BotId, str]) -> Iterator[BotId]:
    for wanted in merge.labels:
        found = [bot for bot, label in labels.items() if wanted in (label, bot.name)]
        if not found:
            raise ConfigError(
                f"no bot is called {wanted!r}",
                where="--merge",
                mend="the board without --merge shows the names",
            )
        yield from found
