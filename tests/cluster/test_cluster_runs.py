"""A tournament on a cluster ends as it does on one machine."""

from __future__ import annotations

import sys

import pytest

from arena import plugins
from arena.errors import ArenaError, ConfigError
from arena.tournament.cluster import link
from arena.tournament.config import check_tournament
from arena.tournament.plan import match_specs
from arena.tournament.prepare import prepare
from tests.tournament.played import play, played_in


def test_a_cluster_plays_what_the_local_pool_plays(tournament, pair, tmp_path):
    assert play(tournament(pair.address), tmp_path / "cluster").complete
    play(tournament(), tmp_path / "local")
    assert played_in(tmp_path / "cluster") == played_in(tmp_path / "local")


@pytest.mark.slow
def test_without_a_scheduler_a_cluster_of_this_machine_plays(tournament, tmp_path):
    changes = {"schedule": {"orbits": 1}, "run": {"executor": "dask"}}
    assert play(tournament(**changes), tmp_path / "run").complete


def test_the_matches_in_flight_are_few_and_the_schedule_stays_lazy(tournament, pair, tmp_path):
    ready = tournament(pair.address, schedule={"orbits": 1_000_000})
    drawn = 0

    def counted():
        nonlocal drawn
        for spec in match_specs(ready.schedule, ready.segments, ready.seed):
            drawn += 1
            yield spec

    outcomes = ready.executor.play(ready.plan, counted(), workers=0)
    for _ in range(3):
        assert next(outcomes).record
    outcomes.close()
    assert 3 <= drawn < 500


def test_an_address_without_a_scheduler_is_one_line(tournament, tmp_path, monkeypatch):
    monkeypatch.setattr(link, "CONNECT_S", 0.5)
    with pytest.raises(ArenaError, match=r"scheduler tcp://127\.0\.0\.1:9: no scheduler answers"):
        play(tournament("tcp://127.0.0.1:9"), tmp_path / "run")


def test_without_the_extra_the_error_says_how_to_install_it(tournament, tmp_path, monkeypatch):
    ready = tournament(run={"executor": "dask"})
    for name in [n for n in sys.modules if n.split(".")[0] == "distributed"]:
        monkeypatch.delitem(sys.modules, name)
    for part in ("conductor", "crew", "link"):
        monkeypatch.delitem(sys.modules, f"arena.tournament.cluster.{part}", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "dask" in plugins.executors(plugins.build_manager(entry_points=False))
    with pytest.raises(ConfigError, match=r"pip install callbreak-arena\[dask\]"):
        play(ready, tmp_path / "run")


@pytest.mark.parametrize("run", [{"scheduler": "tcp://host:8786"}, {"ship": "source"}])
def test_a_scheduler_for_the_local_pool_is_refused(manager, tmp_path, run):
    file = check_tournament({"bots": ["random"], "run": run}, where="test")
    with pytest.raises(ConfigError, match="--executor dask"):
        prepare(file, manager, cache=tmp_path)
