// A small player behind Node's own HTTP server, which answers in chunks.

import { createServer } from "http";

const RANKS = "23456789TJQK1";
const rank = (card) => RANKS.indexOf(card[0]);
const place = (card) => "SHCD".indexOf(card[1]) * 13 + 12 - rank(card);

function check(cards) {
  for (let i = 1; i < cards.length; i++) {
    if (place(cards[i - 1]) >= place(cards[i])) throw new Error(`unsorted: ${cards}`);
  }
}

function bid({ cards }) {
  check(cards);
  return Math.max(1, Math.min(8, cards.filter((card) => rank(card) > 10).length));
}

function play({ cards, played }) {
  check(cards);
  if (!played.length) return cards[cards.length - 1];
  const led = played[0][1];
  const best = (suit) => Math.max(-1, ...played.filter((card) => card[1] === suit).map(rank));
  const beating = (suit) => cards.filter((card) => card[1] === suit && rank(card) > best(suit));
  const following = cards.filter((card) => card[1] === led);
  const ruffed = led !== "S" && best("S") >= 0;
  const duty = following.length ? (ruffed ? [] : beating(led)) : beating("S");
  const legal = duty.length ? duty : following.length ? following : cards;
  return legal[legal.length - 1];
}

createServer((request, response) => {
  let text = "";
  request.on("data", (piece) => (text += piece));
  request.on("end", () => {
    let value = "hello";
    if (request.url === "/bid") value = bid(JSON.parse(text));
    if (request.url === "/play") value = play(JSON.parse(text));
    console.log(request.url, value);
    response.setHeader("Content-Type", "application/json");
    response.write(JSON.stringify({ value }));
    response.end();
  });
}).listen(7000, () => console.log("Server listening at port 7000"));
