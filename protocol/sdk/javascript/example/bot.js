// Calls its aces and kings; wins with the highest card that can win, else plays the last.
"use strict";

const callbreak = require("./callbreak.js");

function call(turn) {
  const high = turn.hand.filter((card) => "AK".includes(card[0])).length;
  return Math.min(Math.max(high, turn.legal[0]), turn.legal[turn.legal.length - 1]);
}

function play(turn) {
  const winning = turn.legal.filter((card) => turn.wins(card));
  return winning.length ? winning[0] : turn.legal[turn.legal.length - 1];
}

callbreak.run({ call, play });
