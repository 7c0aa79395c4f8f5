"""Where the bundled bots and the SDK files lie: in the wheel, or in a checkout."""

from __future__ import annotations

from pathlib import Path

import arena
from arena.bots.manifest import MANIFEST

_PACKAGE = Path(arena.__file__).parent


def bundled_bots() -> Path:
    """The folder with one folder a bundled bot."""
    installed = _PACKAGE / "_bundled" / "bots"
    return installed if installed.is_dir() else _PACKAGE.parent / "bots"


def bundled_sdk() -> Path:
    """The folder with one folder a language."""
    installed = _PACKAGE / "_bundled" / "sdk"
    return installed if installed.is_dir() else _PACKAGE.parent / "protocol" / "sdk"


def bundled_names(folder: Path) -> tuple[str, ...]:
    """The names of the bots that lie in `folder`, sorted."""
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}")))
