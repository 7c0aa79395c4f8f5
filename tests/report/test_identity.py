"""One bot, one name on the board; two bots never under one unless merged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.records import BotId
from arena.report.identity import Merge, name_bots, parse_merge

OLD = BotId("carl", "1.0", "aa" * 32)
NEW = BotId("carl", "1.1", "bb" * 32)
SAME_VERSION = BotId("carl", "1.1", "cc" * 32)
OTHER = BotId("dora", "1.0", "dd" * 32)


def test_a_name_that_one_bot_bears_is_enough() -> None:
    assert name_bots([OLD, OTHER]) == {OLD: "carl", OTHER: "dora"}


def test_versions_tell_bots_of_one_name_apart() -> None:
    assert name_bots([NEW, OLD]) == {OLD: "carl@1.0", NEW: "carl@1.1"}


def test_digests_tell_bots_of_one_version_apart() -> None:
    assert name_bots([NEW, SAME_VERSION]) == {NEW: "carl@bbbbbbbb", SAME_VERSION: "carl@cccccccc"}


def test_merging_is_explicit() -> None:
    merged = name_bots([OLD, NEW, OTHER], [parse_merge("carl")])
    assert merged == {OLD: "carl", NEW: "carl", OTHER: "dora"}
    merged = name_bots([OLD, NEW, OTHER], [parse_merge("both=carl@1.1,dora")])
    assert merged == {OLD: "carl@1.0", NEW: "both", OTHER: "both"}


@pytest.mark.parametrize("text", ["nobody", "x=nobody", "dora=carl@1.0", "=x", "x=", "x=a,,b", ""])
def test_a_merge_that_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--merge"):
        name_bots([OLD, NEW, OTHER], [parse_merge(text)])


def test_a_merge_takes_its_name_and_labels_apart() -> None:
    assert parse_merge("x=a@1,b") == Merge("x", ("a@1", "b"))


@given(
    st.sets(
        st.builds(
            BotId,
            st.sampled_from(["a", "a@1", "a@2", "a@ab"]),
            st.sampled_from(["", "1", "2"]),
            st.sampled_from(["", "ab", "abcdefgh0", "abcdefgh1"]),
        )
    )
)
def test_no_two_bots_share_a_name(bots: set[BotId]) -> None:
    assert len(set(name_bots(bots).values())) == len(bots)
