// The shuffle of callbreak-arena in JavaScript, from the words of its description alone.
// Needs Node and nothing else.
//
//   node shuffle.mjs SEED DEALS [none|no-spade|no-face-card]
//
// prints one JSON object a deal: {"deal":1,"dealer":3,"hands":[[…],[…],[…],[…]]}, hands by seat in
// wire order. Its output for the seeds in shuffle.json is what stands there.

import { createHmac } from "node:crypto";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SUITS = "SHDC";
const RANKS = "AKQJT98765432";
const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

function* stream(seed, label) {
  for (let block = 0; ; block++) {
    const hmac = createHmac("sha256", Buffer.from(seed, "utf8"));
    yield* hmac.update(`${label} block ${block}`, "ascii").digest();
  }
}

// A number below n without bias: bytes at or above the largest multiple of n are passed over.
function draw(bytes, n) {
  const limit = Math.floor(256 / n) * n;
  for (;;) {
    const byte = bytes.next().value;
    if (byte < limit) return byte % n;
  }
}

function shuffled(seed, deal, attempt) {
  const bytes = stream(seed, `callbreak/1 deal ${deal} attempt ${attempt}`);
  const deck = [...DECK];
  for (let i = 51; i > 0; i--) {
    const j = draw(bytes, i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

const THROWN_IN = {
  none: () => false,
  "no-spade": (hand) => !hand.some((card) => card[1] === "S"),
  "no-face-card": (hand) => !hand.some((card) => "KQJ".includes(card[0])),
};

function handsOf(deck, dealer) {
  const hands = [[], [], [], []];
  deck.forEach((card, k) => hands[(dealer + 1 + k) % 4].push(card));
  return hands.map((hand) => hand.sort((a, b) => DECK.indexOf(a) - DECK.indexOf(b)));
}

export function* deals(seed, count, redeal = "none") {
  const first = draw(stream(seed, "callbreak/1 dealer"), 4);
  for (let deal = 1; deal <= count; deal++) {
    const dealer = (first + deal - 1) % 4;
    let attempt = 0;
    let hands = handsOf(shuffled(seed, deal, attempt), dealer);
    while (hands.some(THROWN_IN[redeal])) hands = handsOf(shuffled(seed, deal, ++attempt), dealer);
    yield { deal, dealer, hands };
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [seed, count, redeal] = process.argv.slice(2);
  if (seed === undefined || !(Number(count) >= 1) || !((redeal ?? "none") in THROWN_IN)) {
    console.error("usage: node shuffle.mjs SEED DEALS [none|no-spade|no-face-card]");
    process.exit(2);
  }
  for (const deal of deals(seed, Number(count), redeal)) console.log(JSON.stringify(deal));
}
