"""`arena doctor`: what this machine can enforce, and which toolchains it has."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from arena import __version__, plugins
from arena.bots.survey import Tool, survey
from arena.cli import options
from arena.lookup import pick
from arena.sandbox.api import Level
from arena.sandbox.choice import UNSANDBOXED
from arena.sandbox.doctor import Finding, examine, remedy
from arena.words import counted

NOT_FIT = 1

COLOURS = {Level.ENFORCED: "green", Level.WATCHED: "yellow", Level.NONE: "red"}

OTHERS = (
    "any other: a bot may name its programs, and sees its folder, where a run lists that: "
    "--toolchain FOLDER, or `toolchains` under [sandbox]"
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("doctor")(doctor)


def doctor(
    sandbox: Annotated[
        str | None, typer.Option("--sandbox", metavar="NAME", help="Only this provider.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Try every sandbox from inside and list the toolchains; exit 1 if none is fit to rank bots."""
    manager = plugins.build_manager(tolerant=True)
    providers = plugins.sandboxes(manager)
    names = [sandbox] if sandbox else list(providers)
    wanted = [pick(providers, name, "sandbox") for name in names]
    findings, tools = examine(wanted), survey()
    if as_json:
        print(json.dumps(_document(findings, tools, manager.broken)))
    else:
        _print(findings, tools)
        for broken in manager.broken:
            _print_line(Console(), f"[red]broken[/] {escape(str(broken.error))}")
    if not any(finding.is_fit for finding in findings):
        raise typer.Exit(NOT_FIT)


def _machine() -> dict[str, Any]:
    return {
        "arena": __version__,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "root": os.getuid() == 0,
    }


def _document(
    findings: Sequence[Finding], tools: Sequence[Tool], broken: Sequence[plugins.Broken]
) -> dict[str, Any]:
    return {
        "machine": _machine(),
        "sandboxes": [
            {
                "name": finding.name,
                "fit": finding.is_fit,
                "short_of": list(finding.short_of),
                "unavailable": asdict(finding.unavailable) if finding.unavailable else None,
                "report": finding.report.as_dict() if finding.report else None,
            }
            for finding in findings
        ],
        "toolchains": [asdict(tool) for tool in tools],
        "broken_plugins": [
            {"plugin": each.plugin, "package": each.package, "error": each.error.what}
            for each in broken
        ],
    }


def _print(findings: Sequence[Finding], tools: Sequence[Tool]) -> None:
    console = Console()
    machine = _machine()
    user = "root" if machine["root"] else "an ordinary user"
    cores = counted(machine["cores"], "core")
    console.print(f"{machine['system']}, {cores}, as {user}\n", highlight=False)
    for finding in findings:
        _print_finding(console, finding)
    console.print("toolchains", style="bold")
    for tool in tools:
        _print_tool(console, tool)
    _print_line(console, f"  {escape(OTHERS)}")


def _print_finding(console: Console, finding: Finding) -> None:
    _print_line(console, f"[bold]{finding.name}[/]: {escape(_verdict(finding))}")
    if finding.report is not None and finding.name != UNSANDBOXED:
        for one in finding.report.capabilities:
            level = f"[{COLOURS[one.level]}]{one.level.value:<9}[/]"
            _print_line(console, f"  {one.name:<14} {level} {escape(one.how)}")
            if more := remedy(finding.name, one.name, one.level):
                _print_line(console, f"  {'':<14} for more: {escape(more)}")
    console.print()


def _print_tool(console: Console, tool: Tool) -> None:
    found = tool.path or "[yellow]not here[/]"
    _print_line(console, f"  {tool.command:<14} {found}  {escape(tool.version or tool.remedy)}")


def _print_line(console: Console, text: str) -> None:
    console.print(text, highlight=False, soft_wrap=True)


def _verdict(finding: Finding) -> str:
    if finding.unavailable is not None:
        return f"cannot be used: {finding.unavailable.reason} ({finding.unavailable.remedy})"
    if finding.is_fit:
        return "fit for ranked runs"
    if finding.name == UNSANDBOXED:
        return "no sandbox at all, by --unsandboxed: only for bots that you trust"
    return f"not fit for ranked runs: {', '.join(finding.short_of)}"
