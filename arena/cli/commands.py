"""The built-in commands, grouped by what somebody wants who looks for one."""

from __future__ import annotations

GROUPS = {
    "Play": ("demo", "match", "run", "play"),
    "Compare": ("board", "regress", "bench"),
    "Publish": ("site", "export", "verify"),
    "Write bots": ("new", "check", "replay", "decide", "serve-bhoos"),
    "Inspect": ("doctor", "rules", "variants", "schema", "plugins", "cache", "import-bhoos"),
}
"""Built-in commands by the purpose of who looks for one, in the order of `--help`."""

COMMANDS = {
    name: f"arena.cli.{name.replace('-', '_')}" for names in GROUPS.values() for name in names
}
"""Built-in commands: name and the file that registers it."""
