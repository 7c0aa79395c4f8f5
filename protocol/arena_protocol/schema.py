"""JSON Schemas of all that others read or write, generated from the models.

`python -m arena_protocol.schema FOLDER` writes them as files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from arena_protocol.manifest import Manifest
from arena_protocol.messages import ActReply, HelloReply, Message
from arena_protocol.record import MatchRecord

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MODELS: dict[str, tuple[str, Any]] = {
    "message": ("A line from the referee to a bot", Message),
    "hello-reply": ("A bot's reply to hello", HelloReply),
    "act-reply": ("A bot's reply to act", ActReply),
    "record": ("The record of a finished match", MatchRecord),
    "manifest": ("bot.toml, as JSON", Manifest),
}


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas by name, in JSON Schema 2020-12."""
    return {
        name: {"$schema": _DIALECT, **TypeAdapter(model).json_schema(), "title": title}
        for name, (title, model) in _MODELS.items()
    }


def write_schemas(folder: Path) -> None:
    """Writes each schema to `folder/NAME.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [target]:
            write_schemas(Path(target))
        case _:
            sys.exit("usage: python -m arena_protocol.schema FOLDER")
