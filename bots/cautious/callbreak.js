// Everything a Callbreak bot needs to talk with the referee. Node 16 or newer, nothing else.
//
//   const callbreak = require("./callbreak.js");
//   callbreak.run({
//     call: (turn) => 3,
//     play: (turn) => turn.legal[0],
//   });
//
// The referee sends one JSON object a line; a message with an `id` wants one reply line with that
// `id`. Standard output belongs to the referee, so console.log writes to standard error, the log.
"use strict";

const SUITS = "SHDC";
const RANKS = "23456789TJQKA";
const DECK = [...SUITS].flatMap((s) => [...RANKS].reverse().map((r) => r + s));

/** The suit of a card: "S", "H", "D" or "C". Spades are trumps. */
const suit = (card) => card[1];

/** The rank of a card as a number: 0 for a two, 12 for an ace. */
const rank = (card) => RANKS.indexOf(card[0]);

/** True if `card` takes the trick from `best`, the best card before it. */
function beats(card, best) {
  if (suit(card) === suit(best)) return rank(card) > rank(best);
  return suit(card) === "S";
}

/** The card that holds a trick of these cards, in playing order; null if there is none. */
function bestOf(cards) {
  return cards.reduce((best, card) => (best === null || beats(card, best) ? card : best), null);
}

/**
 * One decision, with all that the bot may know: `legal` (calls or cards), `hand`, `calls` (null
 * where not yet called), `seat`, `dealer`, `deal`, `deals`, `scores`, `won` (tricks by seat),
 * `leader` and `trick` (the cards of this trick so far), `tricks` (finished ones), `variant`.
 * Set `note` to a short text, and the record of the match keeps it.
 */
class Turn {
  constructor(message, variant, random) {
    Object.assign(this, { won: [0, 0, 0, 0], tricks: [] }, message.state);
    const trick = message.state.trick || { leader: this.seat, cards: [] };
    this.leader = trick.leader;
    this.trick = trick.cards;
    this.legal = message.legal;
    this.variant = variant;
    /** A number from 0 up to 1; each match starts from the seed the referee gave. */
    this.random = random;
    this.note = undefined;
  }

  /** True if `card`, played now, would hold the trick. */
  wins(card) {
    return this.trick.length === 0 || beats(card, bestOf(this.trick));
  }

  /** The cards in the other three hands. */
  unseen() {
    const seen = new Set([...this.hand, ...this.trick, ...this.tricks.flatMap((t) => t.cards)]);
    return DECK.filter((card) => !seen.has(card));
  }

  /** How many tricks the call still needs; 0 or less once it is reached. */
  wanted() {
    return this.calls[this.seat] - this.won[this.seat];
  }
}

/** The generator mulberry32: the same numbers for the same seed, everywhere. */
function generator(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Plays until the referee says quit; `call` and `play` take a Turn and return what to do. */
function run({ call, play, name, version }) {
  console.log = console.info = console.error;
  let variant = {};
  let random = generator(0);
  const reply = (fields) => process.stdout.write(JSON.stringify(fields) + "\n");

  function hear(message) {
    if (message.type === "hello") {
      variant = message.variant;
      reply({ id: message.id, name, version });
    } else if (message.type === "start") {
      random = generator(message.seed);
    } else if (message.type === "act") {
      const turn = new Turn(message, variant, random);
      const action = message.kind === "call" ? call(turn) : play(turn);
      reply({ id: message.id, action, note: turn.note });
    } else if (message.type === "fault") {
      console.error("fault:", message.kind, message.detail);
    } else if (message.type === "quit") {
      process.exit(0);
    }
  }

  let pending = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (pending + chunk).split("\n");
    pending = lines.pop();
    lines.filter((line) => line.trim()).forEach((line) => hear(JSON.parse(line)));
  });
}

module.exports = { run, suit, rank, beats, bestOf, SUITS, RANKS, DECK };
