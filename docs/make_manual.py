"""Writes the manual page from what `arena --help` is made of: `python docs/make_manual.py`

The page lies in docs/man/arena.1, as it is installed; a test says when it has to be written again.
docs/make_site.py makes a page of the same for the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from arena.cli.app import build_app, hide_types
from arena.cli.commands import COMMANDS

PAGE = Path(__file__).resolve().parent / "man" / "arena.1"

EXIT_STATUS = {
    "0": "Done, or a positive verdict.",
    "1": "A negative verdict: an unfit bot, a rejected change, a record that is wrong.",
    "2": "Wrong use or bad input; one line on standard error says what, where, and gives a hint.",
    "3": "Undecided (`arena regress`).",
    "130": "Interrupted; nothing that was finished is lost.",
}
ENVIRONMENT = {
    "ARENA_PLUGINS": "Plugin files to load, separated by colons; `--plugin` adds to them.",
    "ARENA_WITHOUT_PLUGINS": "Names of installed plugins not to load, separated by commas.",
    "XDG_CACHE_HOME": "Its folder `callbreak-arena` keeps built bots and reports on this machine's "
    "sandboxes; it may be deleted at any time.",
}
_TYPERS_OWN = {
    "--install-completion": "Set up completion with Tab for the shell that this is run in.",
    "--show-completion": "Print what sets it up, to put it elsewhere.",
}
"""Options of Typer's, in words that no release of it changes."""

BOTS = (
    "A BOT is a folder with a `bot.toml`, such a file, an executable, a `.py` or `.js` file, or "
    "the name of a bundled bot; `NAME=` before any of these renames it."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An argument or an option: what is typed, and what it does."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """What `--help` says of a command; `groups` are its options by heading."""

    name: str
    usage: str
    paragraphs: tuple[str, ...]
    groups: dict[str, tuple[Entry, ...]]


def commands() -> Iterator[Command]:
    """`arena` itself and every built-in command, in the order of `--help`."""
    app: Any = typer.main.get_command(build_app(None))
    hide_types(app)
    context = typer.Context(app, info_name="arena")
    yield _described(app, context)
    for name in COMMANDS:
        command = app.commands[name]
        yield _described(command, typer.Context(command, info_name=name, parent=context))


def manual() -> str:
    """The manual page: man(7), in UTF-8."""
    root, *others = commands()
    purpose = root.paragraphs[0].rstrip(".")
    lines = [
        '.\\" Written by docs/make_manual.py from what `arena --help` is made of.',
        '.TH ARENA 1 "" "callbreak-arena" "User Commands"',
        *(".SH NAME", f"arena \\- {_roff(purpose[0].lower() + purpose[1:])}"),
        *(".SH SYNOPSIS", _roff(root.usage)),
        *(".SH DESCRIPTION", *_paragraphs(root.paragraphs), ".PP", _roff(BOTS)),
        ".SH OPTIONS",
        *(line for entries in root.groups.values() for line in _tagged(entries)),
        ".SH COMMANDS",
    ]
    for command in others:
        lines += [f".SS {_roff(command.usage)}", *_paragraphs(command.paragraphs)]
        for heading, entries in command.groups.items():
            lines += [*([".PP", _roff(heading) + ":"] if heading else []), *_tagged(entries)]
    for title, table in (("EXIT STATUS", EXIT_STATUS), ("ENVIRONMENT", ENVIRONMENT)):
        lines += [f".SH {title}", *_tagged(tuple(Entry(*row) for row in table.items()))]
    lines += [".SH SEE ALSO", ".BR bwrap (1),", ".BR podman (1)"]
    return "\n".join(lines) + "\n"


def reference() -> str:
    """The same as a page in Markdown."""
    root, *others = commands()
    lines = ["# Commands", "", "What `arena --help` and `man arena` say.", "", BOTS]
    for command in (root, *others):
        lines += ["", f"## {command.name}", "", "```", command.usage, "```"]
        lines += [line for paragraph in command.paragraphs for line in ("", paragraph)]
        for heading, entries in command.groups.items():
            lines += ["", f"| {heading or 'options'} | |", "|---|---|"]
            lines += [f"| `{_cell(entry.term)}` | {_cell(entry.text)} |" for entry in entries]
    for title, table in (("Exit status", EXIT_STATUS), ("Environment", ENVIRONMENT)):
        lines += ["", f"## {title}", "", "| | |", "|---|---|"]
        lines += [f"| `{term}` | {text} |" for term, text in table.items()]
    return "\n".join(lines) + "\n"


def _described(command: Any, context: typer.Context) -> Command:
    groups: dict[str, list[Entry]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and "--help" not in parameter.opts:
            heading = getattr(parameter, "rich_help_panel", None) or ""
            term, text = record
            groups.setdefault(heading, []).append(Entry(term, _TYPERS_OWN.get(term, text)))
    return Command(
        context.command_path,
        " ".join((context.command_path, *command.collect_usage_pieces(context))),
        tuple(" ".join(part.split()) for part in (command.help or "").split("\n\n")),
        {heading: tuple(entries) for heading, entries in groups.items()},
    )


def _roff(text: str) -> str:
    """The text for man(7): code in bold, and nothing read as a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _paragraphs(paragraphs: tuple[str, ...]) -> Iterator[str]:
    for number, paragraph in enumerate(paragraphs):
        yield from [".PP"] * (number > 0)
        yield _roff(paragraph)


def _tagged(entries: tuple[Entry, ...]) -> Iterator[str]:
    for entry in entries:
        yield from (".TP", f".B {_roff(entry.term)}", _roff(entry.text))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual(), encoding="utf-8")
