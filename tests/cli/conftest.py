"""Commands called in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.cli.app import main


@pytest.fixture
def complaint(capsys) -> Callable[..., str]:
    """`complaint(*words)`: the one line that the command ends with."""

    def call(*words: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        return str(told.err)

    return call
