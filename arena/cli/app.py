"""The `arena` command: finds the command's file, runs it, and turns errors into one line.

Each command lives in a file of its own with a `register(app)`. Only the file of the command asked
for is imported (all of them for `--help`), so that starting costs little.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from arena import __version__, cache
from arena.cli import called, completion, refusals, streams
from arena.cli.commands import COMMANDS, GROUPS
from arena.errors import ArenaError, ConfigError, PluginError
from arena.guard import shown
from arena.report.escape import visible

PLUGIN_OPTIONS = {
    "--plugin": ("ARENA_PLUGINS", os.pathsep),
    "--without-plugin": ("ARENA_WITHOUT_PLUGINS", ","),
}
"""Options of every command, with the variable that carries them to workers and its separator."""

_NO_VALUE = re.compile(r"--[a-z-]+=")

WRONG_USE = 2
INTERRUPTED = 130


def build_app(wanted: str | None) -> typer.Typer:
    """The application with one command, or with all of them if `wanted` is no built-in's name."""
    app = typer.Typer(name="arena", add_completion=wanted is None or completion.is_asked())
    app.callback(invoke_without_command=True)(root)
    for panel, names in GROUPS.items():
        for name in names if wanted not in COMMANDS else {wanted}.intersection(names):
            importlib.import_module(COMMANDS[name]).register(app)
            app.registered_commands[-1].rich_help_panel = panel
    if wanted not in COMMANDS:
        _add_plugin_commands(app)
    return app


def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option("--plugin", metavar="FILE", help="Load a plugin from a file."),
    ] = None,
    without_plugin: Annotated[
        list[str] | None,
        typer.Option("--without-plugin", metavar="NAME", help="Do not load an installed plugin."),
    ] = None,
) -> None:
    """Bot tournaments for Callbreak: sandboxed bots, fair schedules, honest leaderboards."""
    # `main` has answered `--version` alone and taken the plugins' options out of the words; they
    # are declared here for `--help`.


def main(args: Sequence[str] | None = None) -> None:
    """Runs the command line and leaves with the contract's exit status."""
    if args is None:
        streams.safe_streams()
        _undo_what_we_were_started_with()
    words = list(sys.argv[1:] if args is None else args)
    try:
        status = _run(words)
        if status == 0:
            sys.stdout.flush()  # what cannot be written is complained of now, not on the way out
    except ArenaError as error:
        status = _complain(str(error))
    except typer.TyperException as error:
        status = _complain(_usage_line(error, words))
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except streams.ReaderLeftError:
        status = 0
    except OSError as error:
        refusal = refusals.in_words(error)
        if refusal is None:
            raise
        status = _complain(str(refusal))
    streams.let_go()
    sys.exit(status)


def _undo_what_we_were_started_with() -> None:
    """Nothing that our parent set has the ends of our children, or our tables, go unseen."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, the kernel reaps them before we look
    for name in ("COLUMNS", "LINES"):
        if not os.environ.get(name, "1").strip("0"):
            del os.environ[name]  # no terminal is that small: whoever set it did not know


def _is_compiled() -> bool:
    """True if decisions are made by compiled code (hatch_build.py)."""
    found = importlib.util.find_spec("arena.referee.match")
    return found is not None and not str(found.origin).endswith(".py")


def _run(words: Sequence[str]) -> int:
    """The exit status of the command."""
    if words[:1] == ["--version"]:
        print(f"arena {__version__} ({'compiled' if _is_compiled() else 'plain Python'})")
        return 0
    _refuse_empty(words)
    words = _without_plugin_options(words)
    os.getcwd()  # a current folder that is gone is complained of before something looks into it
    cache.sweep()
    command = typer.main.get_command(build_app(_command_in(words or completion.line())))
    hide_types(command)
    words = words or ([] if completion.is_asked() else ["--help"])
    try:
        status = command.main(args=words, prog_name=called.name(), standalone_mode=False)
    finally:
        if "--install-completion" in words:  # for which Typer leaves by itself
            completion.settle_with_zsh()
    return status if isinstance(status, int) else 0


def _without_plugin_options(words: Sequence[str]) -> list[str]:
    """The words without `--plugin` and `--without-plugin`, which the environment keeps from now on.

    They stand before or after the command, and workers have to hear of them too.
    """
    left: list[str] = []
    given: dict[str, list[str]] = {option: [] for option in PLUGIN_OPTIONS}
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if word == "--":
            left += [word, *rest]
        elif option in given:
            found = value if equals else next(rest, "")
            if not found:
                raise ConfigError("a name is missing", where=f"after {option}", mend="give one")
            given[option].append(found)
        else:
            left.append(word)
    for option, (variable, separator) in PLUGIN_OPTIONS.items():
        if given[option]:
            before = [os.environ[variable]] if os.environ.get(variable) else []
            os.environ[variable] = separator.join([*before, *map(_SETTLED[option], given[option])])
    return left


def _plugin_file(text: str) -> str:
    path = Path(text)
    if not path.is_file():
        raise ConfigError("there is no such file", where=f"--plugin {text}", mend="give a .py file")
    return str(path.resolve())


_SETTLED: dict[str, Callable[[str], str]] = {"--plugin": _plugin_file, "--without-plugin": str}


def _command_in(words: Sequence[str]) -> str | None:
    return words[0] if words and not words[0].startswith("-") else None


def hide_types(command: Any) -> None:
    """`--help` shows what to write for a value, not Python's types, and nothing for a flag."""
    command.help = called.spoken(command.help or "")
    for parameter in command.get_params(typer.Context(command)):
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None
        elif parameter.metavar is None and parameter.is_flag:
            parameter.metavar = ""
        parameter.help = called.spoken(parameter.help or "")
    for sub in getattr(command, "commands", {}).values():
        hide_types(sub)


def _refuse_empty(words: Sequence[str]) -> None:
    """An empty word is hardly ever meant: it is what a script makes of a variable that is unset."""
    for before, word in pairwise(("arena", *words)):
        if not word or _NO_VALUE.fullmatch(word):
            where = word or f"after {before}"
            raise ConfigError("an argument is empty", where=where, mend="give it, or leave it out")


def _complain(line: str) -> int:
    print(f"arena: {visible(called.spoken(' '.join(line.split())))}", file=sys.stderr)
    return WRONG_USE


def _usage_line(error: typer.TyperException, words: Sequence[str]) -> str:
    command = _command_in(words)
    help_words = f"arena {command} --help" if command in COMMANDS else "arena --help"
    return f"{error.format_message()} (see `{help_words}`)"


def _blaming(name: str) -> type[TyperGroup]:
    """The group of a plugin's command: what the command raises becomes an error of that name."""

    class Blaming(TyperGroup):
        def invoke(self, ctx: Any) -> Any:
            try:
                return super().invoke(ctx)
            except (ArenaError, OSError, typer.TyperException, typer.Exit, typer.Abort):
                raise
            except Exception as error:
                raise PluginError(f"raises {shown(error)}", where=name) from error

    return Blaming


def _add_plugin_commands(app: typer.Typer) -> None:
    plugins = importlib.import_module("arena.plugins")
    # A broken plugin must not take the other commands, or `--help`, with it.
    manager = plugins.build_manager(tolerant=True)
    for name, (extra, origin) in plugins.extra_commands(manager, COMMANDS).items():
        app.add_typer(extra, cls=_blaming(f"command {name!r} of {origin}"))
    if not completion.is_asked():  # a word about them would land in the middle of the line
        for broken in manager.broken:
            _complain(str(broken.error))
