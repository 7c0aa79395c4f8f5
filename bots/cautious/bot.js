// Calls low, takes the first tricks it can get, then hides.
"use strict";

const { run, suit, rank } = require("./callbreak.js");

const TRUMPS_WORTH = 0.7;
const HIGH_CARDS_WORTH = { A: 1, K: 0.6, Q: 0.2 };

function call(turn) {
  const high = sum(turn.hand.map((card) => HIGH_CARDS_WORTH[card[0]] || 0));
  const trumps = turn.hand.filter((card) => suit(card) === "S").length;
  const count = Math.floor(high + TRUMPS_WORTH * Math.max(0, trumps - 3));
  return Math.min(Math.max(count, turn.legal[0]), turn.legal[turn.legal.length - 1]);
}

function play(turn) {
  const winning = turn.legal.filter((card) => turn.wins(card));
  const losing = turn.legal.filter((card) => !turn.wins(card));
  const anyNumber = turn.variant.overtricks_allowed === null;
  if (turn.wanted() > 0 || anyNumber) {
    if (winning.length === 0) return lowest(losing);
    return turn.trick.length === 3 ? lowest(winning) : strongest(winning, turn);
  }
  if (losing.length > 0) return highest(losing);
  return turn.trick.length === 3 ? highest(winning) : weakest(winning, turn);
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const least = (cards, key) => cards.reduce((a, b) => (key(b) < key(a) ? b : a));

/** Spades count as higher than any other card. */
const height = (card) => rank(card) + (suit(card) === "S" ? 13 : 0);
const lowest = (cards) => least(cards, height);
const highest = (cards) => least(cards, (card) => -height(card));

/** How many of the others' cards beat it within its suit. */
const beaters = (card, turn) =>
  turn.unseen().filter((other) => suit(other) === suit(card) && rank(other) > rank(card)).length;

/** The card least likely to be beaten; of equals, one that is no spade. */
const strongest = (cards, turn) =>
  least(cards, (card) => beaters(card, turn) + (suit(card) === "S" ? 0.5 : 0));

const weakest = (cards, turn) => least(cards, (card) => -beaters(card, turn));

run({ call, play, name: "cautious", version: "1.0" });
