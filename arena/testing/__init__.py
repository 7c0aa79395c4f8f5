"""Kits for the tests of others: games, bots, sandboxes."""

from arena.testing.bot import check_bot as check_bot
from arena.testing.game import check_game as check_game
from arena.testing.regress import assert_not_weaker as assert_not_weaker
