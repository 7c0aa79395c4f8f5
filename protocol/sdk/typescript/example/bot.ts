// Calls its aces and kings; wins with the highest card that can win, else plays the last.
import { Card, run, Turn } from "./callbreak.js";

function call(turn: Turn<number>): number {
  const high = turn.hand.filter((card) => "AK".includes(card[0])).length;
  return Math.min(Math.max(high, turn.legal[0]), turn.legal[turn.legal.length - 1]);
}

function play(turn: Turn<Card>): Card {
  const winning = turn.legal.filter((card) => turn.wins(card));
  return winning.length ? winning[0] : turn.legal[turn.legal.length - 1];
}

run({ call, play });
