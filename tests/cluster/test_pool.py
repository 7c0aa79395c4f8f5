"""Every match is closed exactly once, whatever happens to those who play it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.cluster.pool import LOSSES, Pool
from arena.tournament.plan import MatchSpec

WORKERS = ("a", "b", "c")


def specs(count: int) -> list[MatchSpec]:
    return [
        MatchSpec(number, f"{number + 1}-1", "set", number, "seed", (0, 1, 2, 3))
        for number in range(count)
    ]


def numbers(taken: list[MatchSpec]) -> list[int]:
    return [spec.number for spec in taken]


events = st.lists(
    st.tuples(
        st.sampled_from(["take", "copy", "finish", "lose", "again", "keep"]),
        st.sampled_from(WORKERS),
        st.integers(1, 4),
    ),
    max_size=80,
)


@given(count=st.integers(1, 30), bound=st.integers(1, 12), events=events)
def test_every_match_is_closed_once_and_never_more_are_open_than_the_bound(count, bound, events):
    pool = Pool(iter(specs(count)), bound=bound)
    hands: dict[str, list[MatchSpec]] = {worker: [] for worker in WORKERS}
    closed: list[int] = []
    kept: list[MatchSpec] = []

    def finish(worker: str) -> None:
        for spec in hands[worker]:
            if pool.expects(spec.number):
                pool.close(spec.number)
                closed.append(spec.number)
        hands[worker] = []

    for now, (event, worker, size) in enumerate(events):
        held = hands[worker]
        if event == "take":
            held += pool.take(worker, size, now=now, alone=False)
        elif event == "copy":
            held += pool.take_copies(worker, size, now=now, older_s=1)
        elif event == "finish":
            finish(worker)
        elif event == "lose":
            closed += [o.spec.number for o in pool.lose(held, worker, "it went")]
            hands[worker] = []
        elif event == "again":
            pool.play_again(held, worker)
        elif event == "keep" and held and pool.expects(held[0].number):
            pool.keep_back(held[0].number)
            kept.append(held[0])
        assert pool.open <= bound
    pool.play_again(kept, "nobody")
    for _ in range(count * LOSSES + 5):
        for worker in WORKERS:
            finish(worker)
            hands[worker] = pool.take(worker, 4, now=0, alone=True)
    for worker in WORKERS:
        finish(worker)
    assert sorted(closed) == list(range(count))
    assert pool.done


def test_a_match_kept_back_while_it_was_queued_can_be_queued_again():
    pool = Pool(iter(specs(1)), bound=1)
    taken = pool.take("a", 1, now=0, alone=False)
    pool.play_again(taken, "a")
    pool.keep_back(0)
    assert pool.take("b", 1, now=1, alone=False) == []
    pool.play_again(taken, "a")
    assert pool.take("b", 1, now=2, alone=False) == taken


def test_a_lost_match_is_not_given_to_the_same_worker_while_there_are_others():
    pool = Pool(iter(specs(1)), bound=9)
    lost = pool.take("a", 1, now=0, alone=False)
    assert pool.lose(lost, "a", "it went") == []
    assert pool.take("a", 1, now=1, alone=False) == []
    assert pool.take("b", 1, now=1, alone=False) == lost


def test_a_match_that_kills_whoever_plays_it_is_void_at_last():
    pool = Pool(iter(specs(1)), bound=9)
    for worker in ("a", "b"):
        assert pool.lose(pool.take(worker, 1, now=0, alone=False), worker, "it went") == []
    void = pool.lose(pool.take("c", 1, now=0, alone=False), "c", "worker c: it went")
    assert [(outcome.record, outcome.void) for outcome in void] == [(None, "worker c: it went")]
    assert pool.done is False  # nobody asked the schedule for more yet
    assert pool.take("a", 1, now=0, alone=False) == []
    assert pool.done


def test_the_slowest_matches_are_begun_once_more_at_the_end_and_count_once():
    pool = Pool(iter(specs(2)), bound=9)
    slow = pool.take("a", 2, now=0, alone=False)
    assert pool.take("b", 2, now=9, alone=False) == []
    assert pool.take_copies("b", 2, now=9, older_s=5) == slow
    assert pool.take_copies("c", 2, now=99, older_s=5) == []
    pool.close(0)
    assert not pool.expects(0)
    assert pool.expects(1)


def test_a_match_that_was_given_up_still_counts_if_it_arrives_first():
    pool = Pool(iter(specs(1)), bound=9)
    doubted = pool.take("a", 1, now=0, alone=False)
    pool.play_again(doubted, "a")
    assert pool.expects(0)
    pool.close(0)
    assert pool.take("b", 1, now=1, alone=False) == []
    assert pool.done
