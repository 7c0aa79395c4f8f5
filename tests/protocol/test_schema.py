"""The JSON Schemas are those of the models, and say what the models accept."""

import json
from pathlib import Path

from arena_protocol.schema import schemas

FOLDER = Path(__file__).parents[2] / "protocol" / "schema"


def test_the_files_are_not_stale():
    written = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in FOLDER.glob("*.json")}
    assert written == schemas(), "run: python -m arena_protocol.schema protocol/schema"


def test_every_model_is_described():
    for schema in schemas().values():
        for model in schema.get("$defs", {}).values():
            assert model["description"]
