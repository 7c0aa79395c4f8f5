"""Options that several commands share, each declared once.

Most of them change a setting of a tournament file. A command says by `taking` which of these it
has; Typer is shown each as a parameter of its own, and the command is handed what was typed as one
argument, `settings`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.errors import ConfigError
from arena.tournament.config import read_setting

Settings = dict[str, Any]
"""Changes to a tournament file (see `config.override`); None where an option was not given."""

Command = Callable[..., None]

# Whether a file can be read is seen, and told with its mend, by who reads it; hence `readable`.

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Rating = Annotated[
    str,
    typer.Option(metavar="NAME,NAME", help="Rating systems side by side, the ordering one first."),
]
Records = Annotated[
    Path,
    typer.Argument(
        metavar="RUN|RECORDS.jsonl", readable=False, help="A run folder or a file of records."
    ),
]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Leave lines out that are no record.")]
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", readable=False, help="Where to write.", show_default="stdout"
    ),
]


@dataclass(frozen=True, slots=True)
class Setting:
    """An option that changes a setting. `key` is the setting's place in a tournament file.

    `default` says what holds where neither the option nor a file gives a value.
    """

    key: str
    type: Any
    help: str
    default: str = ""
    metavar: str | None = "N"
    least: int | None = None
    panel: str | None = None

    def parameter(self, name: str, default: str) -> inspect.Parameter:
        """The option as a parameter of a command; its flag is the name with dashes."""
        option = typer.Option(
            f"--{name.replace('_', '-')}",
            help=self.help,
            show_default=default or False,
            metavar=self.metavar,
            min=self.least,
            rich_help_panel=self.panel,
        )
        missing = False if self.type is bool else None
        return inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=missing,
            annotation=Annotated[self.type if self.type is bool else self.type | None, option],
        )


_LIMITS, _SANDBOX = "Limits", "Sandbox"

SETTINGS: Mapping[str, Setting] = {
    "deals": Setting("game.deals", int, "Deals a match.", "the variant's own", least=1),
    "seed": Setting("seed", str, "Decides every card.", "128 random bits", "TEXT"),
    "game": Setting("game.name", str, "A game; `arena plugins` lists them.", "callbreak", "NAME"),
    "variant": Setting(
        "game.variant", str, "Rules; `arena variants` lists them.", "master", "NAME"
    ),
    "workers": Setting("run.workers", int, "Worker processes.", "one a core", least=0),
    "executor": Setting(
        "run.executor", str, "How matches are played: here, or by a cluster.", "local", "NAME"
    ),
    "start_ms": Setting(
        "limits.start_ms", int, "Time to start and greet.", "10000", least=1, panel=_LIMITS
    ),
    "move_ms": Setting(
        "limits.move_ms", int, "Time for one decision.", "1000", least=1, panel=_LIMITS
    ),
    "match_ms": Setting(
        "limits.match_ms", int, "Time for all decisions.", "15000 a deal", least=1, panel=_LIMITS
    ),
    "memory_mb": Setting(
        "limits.memory_mb", int, "Memory of one bot.", "512", least=16, panel=_LIMITS
    ),
    "strikes": Setting(
        "limits.strikes", int, "Faults forgiven in a match.", "0", least=0, panel=_LIMITS
    ),
    "sandbox": Setting(
        "sandbox.name", str, "Provider.", "auto: the best one here", "NAME", panel=_SANDBOX
    ),
    "unsandboxed": Setting(
        "sandbox.name",
        bool,
        "Run bots without any sandbox: only code that you trust.",
        metavar=None,
        panel=_SANDBOX,
    ),
    "require": Setting(
        "sandbox.require",
        list[str],
        "Refuse to run without, e.g. memory=enforced.",
        metavar="CAPABILITY=LEVEL",
        panel=_SANDBOX,
    ),
    "toolchain": Setting(
        "sandbox.toolchains",
        list[str],
        "A folder in which bots may name programs, and which they see.",
        metavar="FOLDER",
        panel=_SANDBOX,
    ),
    "set": Setting(
        "",
        list[str],
        "Any setting of a tournament file, e.g. limits.late_ms=20.",
        metavar="SECTION.KEY=VALUE",
    ),
}
"""Every option that is a setting, by its parameter's name."""

CARDS = ("deals", "seed", "game", "variant")
LIMITS = ("start_ms", "move_ms", "match_ms", "memory_mb", "strikes")
SANDBOX = ("sandbox", "unsandboxed", "require", "toolchain")


def taking(*names: str, defaults: Mapping[str, str] | None = None) -> Callable[[Command], Command]:
    """The command has these options besides its own, and is handed them as `settings`.

    `defaults` are told instead of the table's, where the command has others.
    """
    told = {name: SETTINGS[name].default for name in names} | dict(defaults or {})

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_settings(**given: Any) -> None:
            typed = {name: given.pop(name) for name in names}
            command(**given, settings=settings(**typed))

        own = inspect.signature(command, eval_str=True).parameters.values()
        parameters = [
            *(p.replace(kind=p.KEYWORD_ONLY) for p in own if p.name != "settings"),
            *(SETTINGS[name].parameter(name, told[name]) for name in names),
        ]
        with_settings.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_settings.__annotations__ = {p.name: p.annotation for p in parameters}
        return with_settings

    return decorate


def settings(
    *,
    sandbox: str | None = None,
    unsandboxed: bool = False,
    require: list[str] | None = None,
    toolchain: list[str] | None = None,
    **others: Any,
) -> Settings:
    """What was typed as changes to a tournament file. Raises ConfigError if it contradicts itself.

    `others` are the options that go into the file as they are.
    """
    if unsandboxed and sandbox not in (None, "none"):
        raise ConfigError("--unsandboxed and --sandbox contradict each other", mend="give one")
    by_path = others.pop("set", None) or []
    return {SETTINGS[name].key: value for name, value in others.items()} | {
        "sandbox.name": "none" if unsandboxed else sandbox,
        "sandbox.require": dict(map(_requirement, require)) if require else None,
        "sandbox.toolchains": [_absolute(folder) for folder in toolchain or ()] or None,
        **dict(map(read_setting, by_path)),
    }


def _absolute(folder: str) -> str:
    return str(Path(folder).expanduser().absolute())


def _requirement(text: str) -> tuple[str, str]:
    name, equals, level = text.partition("=")
    if not (name and equals and level):
        raise ConfigError(
            f"{text!r} is no requirement", where="--require", mend="write CAPABILITY=LEVEL"
        )
    return name, level
