/* Which cards may be played to a trick, and who wins it.
 *
 * The JavaScript twin of arena/games/callbreak/trick.py, for pages that have no Python behind them;
 * tests compare the two on positions of every variant. Cards are names ("AS", "TD"), hands are in
 * the order of the protocol: S, H, D, C and high to low.
 */
"use strict";

globalThis.arena = globalThis.arena || {};

arena.rules = (() => {
  const SEATS = 4;
  const SUITS = "SHDC";
  const RANKS = "AKQJT98765432";
  const TRUMPS = "S";

  const suitOf = (card) => card[1];
  const strength = (card) => -RANKS.indexOf(card[0]);
  const isCard = (name) =>
    typeof name === "string" && name.length === 2 && RANKS.includes(name[0]) && SUITS.includes(name[1]);

  const beats = (card, other) =>
    suitOf(card) === suitOf(other) ? strength(card) > strength(other) : suitOf(card) === TRUMPS;

  /* The card that wins: the highest spade, or without spades the highest of the led suit. */
  const bestCard = (trick) => trick.reduce((best, card) => (beats(card, best) ? card : best));

  const winnerOf = (leader, trick) => (leader + trick.indexOf(bestCard(trick))) % SEATS;

  const orAll = (some, all) => (some.length ? some : all);

  function following(cards, trick, variant) {
    const best = bestCard(trick);
    const isRuffed = suitOf(best) !== suitOf(trick[0]);
    if (!variant.must_head || isRuffed) return cards;
    return orAll(cards.filter((card) => beats(card, best)), cards);
  }

  function void_(hand, trick, variant) {
    if (variant.void_duty === "free") return hand;
    const spades = hand.filter((card) => suitOf(card) === TRUMPS);
    if (variant.void_duty === "ruff") return orAll(spades, hand);
    const best = bestCard(trick);
    return orAll(spades.filter((card) => beats(card, best)), hand);
  }

  /* The cards of a hand that may be played; `trick` has the 0 to 3 cards on the table, in order. */
  function legalCards(hand, trick, variant) {
    if (!trick.length) return hand.slice();
    const inSuit = hand.filter((card) => suitOf(card) === suitOf(trick[0]));
    return inSuit.length ? following(inSuit, trick, variant) : void_(hand, trick, variant);
  }

  return { SEATS, SUITS, RANKS, isCard, suitOf, bestCard, winnerOf, legalCards };
})();
