"""`arena schema`: the JSON Schemas of messages, records and manifests."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from arena_protocol.schema import schemas

from arena.lookup import pick


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("schema")(schema)


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Which one; without it, their names.")
    ] = None,
) -> None:
    """Print a JSON Schema of the wire protocol, the record or the manifest."""
    known = schemas()
    if name is None:
        print("\n".join(known))
    else:
        print(json.dumps(pick(known, name, "schema"), indent=2))
