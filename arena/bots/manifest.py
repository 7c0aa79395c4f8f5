"""Reads `bot.toml` from a bot's folder; `arena_protocol.manifest` says what may stand in it."""

from __future__ import annotations

from pathlib import Path

from arena_protocol.manifest import Manifest, ManifestError, parse_manifest

from arena.bounded import read_text
from arena.errors import ConfigError

MANIFEST = "bot.toml"


def read_manifest(path: Path) -> Manifest:
    """The checked manifest. Raises ConfigError: the file, the key and the mend in one line."""
    text = read_text(path)
    try:
        return parse_manifest(text)
    except ManifestError as error:
        raise ConfigError(error.what, where=str(path), mend=error.mend) from None
