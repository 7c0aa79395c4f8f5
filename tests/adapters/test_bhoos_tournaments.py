"""Servers and native bots meet in whole tournaments, sandboxed, and no fault is the bridge's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena import hookimpl, plugins
from arena.adapters.bhoos.adapter import Bhoos
from arena.bots.build import Workshop, build_bot
from arena.bots.resolve import resolve
from arena.errors import PluginError
from arena.games.callbreak.game import Callbreak
from arena.sandbox.bubblewrap import Bubblewrap
from arena.store import RunStore
from arena.tournament.clock import SteadyClock
from arena.tournament.config import check_tournament
from arena.tournament.folder import open_run
from arena.tournament.prepare import prepare
from arena.tournament.runner import run
from tests.tournament.played import Heard


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["bhoos", "master"])
def test_a_tournament_of_servers_and_native_bots_has_no_fault(
    server, manager, cache, tmp_path, variant
):
    kinds = {"plain": "plain", "node": "node", "flask": "flask"}
    servers = [server(n, kind, settings="clamp_call = true") for n, kind in kinds.items()]
    content = {
        "bots": [*servers, "random", "counting", "cautious"],
        "seed": "11",
        "game": {"variant": variant},
        "schedule": {"orbits": 1},
    }
    tournament = prepare(check_tournament(content, where="test"), manager, cache=cache)
    with open_run(tournament, tmp_path / "run") as (store, whole):
        assert run(whole, store, listener=Heard()).complete
    game = Callbreak()
    with RunStore.read(tmp_path / "run") as store:
        records = list(store.records())
    assert {seat["bot"] for record in records for seat in record["seats"]} >= set(kinds)
    assert [fault for record in records for fault in record["faults"]] == []
    assert all(game.replay(record).error == "" for record in records)


@pytest.mark.slow
@pytest.mark.parametrize("deals", [60, pytest.param(500, marks=pytest.mark.long)])
def test_many_deals_of_two_servers_without_an_illegal_card(server, play, deals):
    """The servers assert what they are asked, so that a wrong request would be a fault too."""
    bots = [server("plain"), "random", server("node", "node"), "random"]
    record = play(bots, "bhoos", deals=deals)
    assert record.faults == ()
    assert len(record.deals) == deals


class Renamed(Bhoos):
    """An adapter from outside this repository."""

    name = "elsewhere"


class Plugin:
    @hookimpl
    def arena_adapters(self):
        return [Renamed()]


def test_a_plugin_brings_an_adapter_of_its_own(server, tmp_path, cache):
    manager = plugins.build_manager(entry_points=False)
    manager.register(Plugin())
    adapters = plugins.adapters(manager)
    assert list(adapters) == ["bhoos", "elsewhere"]
    bot = replace(resolve(server("plain"), tmp_path), adapter="elsewhere")
    ready = build_bot(bot, Workshop(Bubblewrap(), cache, SteadyClock(), adapters=adapters))
    assert ready.loopback
    assert ready.run[-2:] == ("python3", "plain_app.py")


def test_two_adapters_of_one_name_are_refused():
    manager = plugins.build_manager(entry_points=False)
    manager.register(Plugin())
    manager.register(Plugin())
    with pytest.raises(PluginError, match="brings the adapter 'elsewhere', and so does plugin"):
        plugins.adapters(manager)
