"""The `arena` command."""

import typer

app = typer.Typer(name="arena", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Bot tournaments for Callbreak."""


def main() -> None:
    """Runs the command line."""
    app()
