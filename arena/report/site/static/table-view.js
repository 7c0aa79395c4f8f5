/* Draws the table at one moment: four seats round the cards that lie on it, seen from above.
 *
 * The seat at the bottom is the viewer's; the next seat in turn sits to its right, so that play goes
 * round counter-clockwise. A hand is written suit by suit, as in a bridge diagram, which stays
 * readable on the narrowest screen.
 */
"use strict";

globalThis.arena = globalThis.arena || {};

arena.tableView = (() => {
  const { make, icon, visible } = arena;
  const { SEATS, SUITS, suitOf } = arena.rules;
  const PLACES = ["bottom", "right", "top", "left"];
  const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const SUIT_NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  /* Red suits are hollow here as in the drawings; the selector keeps them from becoming emoji. */
  const SUIT_SIGNS = { S: "♠\uFE0E", H: "♡\uFE0E", D: "♢\uFE0E", C: "♣\uFE0E" };

  const rankOf = (card) => (card[0] === "T" ? "10" : card[0]);
  const nameOf = (card) => `${RANK_NAMES[card[0]] || card[0]} of ${SUIT_NAMES[suitOf(card)]}`;
  const shortOf = (card) => rankOf(card) + SUIT_SIGNS[suitOf(card)];
  const spoken = (text) => make("span", { class: "sr" }, text);

  function drawCard(card, className) {
    return make("span", { class: `card suit-${suitOf(card)} ${className}` },
      make("span", { "aria-hidden": "true", class: "rank" }, rankOf(card)),
      icon(`suit-${suitOf(card)}`, "suit"), spoken(nameOf(card)));
  }

  /* Draws everything into `elements` = {seats: [four, by place], centre}. */
  function draw(elements, record, moment, { view, links }) {
    const situation = arena.moments.situationAt(record, moment);
    const retired = arena.moments.retiredAt(record, moment);
    const bottom = view === "all" ? 0 : Number(view);
    for (let seat = 0; seat < SEATS; seat += 1) {
      const place = PLACES[(seat - bottom + SEATS) % SEATS];
      const isOpen = view === "all" || Number(view) === seat;
      elements.seats[place].replaceChildren(
        ...drawSeat(record, moment, situation, { seat, isOpen, retired: retired[seat], links }));
      elements.seats[place].classList.toggle("to-play", moment.seat === seat);
      elements.seats[place].classList.toggle("winner", situation.winner === seat);
      elements.seats[place].setAttribute("aria-label", `Seat ${seat}, ${visible(record.seats[seat].bot)}`);
    }
    elements.centre.replaceChildren(...drawCentre(record, moment, situation, bottom));
  }

  function drawSeat(record, moment, situation, { seat, isOpen, retired, links }) {
    const bot = visible(record.seats[seat].bot);
    const link = links[seat];
    return [
      make("header", { class: "seat-head" },
        make("span", { class: "seat-number" }, spoken("seat "), String(seat)),
        link ? make("a", { class: "seat-bot", href: link, title: bot }, bot)
          : make("span", { class: "seat-bot", title: bot }, bot),
        situation.dealer === seat ? make("abbr", { class: "badge", title: "dealer" }, "D") : null),
      make("p", { class: "seat-count" }, ...drawCount(situation, seat),
        make("span", { class: "seat-score" }, spoken("total "), formatPoints(situation.scores[seat]))),
      retired ? make("p", { class: "seat-out" }, "retired: the fallback plays") : null,
      drawHand(situation, moment, seat, isOpen),
    ].filter(Boolean);
  }

  function drawCount(situation, seat) {
    const call = situation.calls[seat];
    if (call === null) return [make("span", { class: "won quiet" }, "no call yet")];
    return [
      make("span", { class: "won" }, make("b", {}, String(situation.won[seat])),
        make("span", { class: "quiet" }, ` of ${call}`), spoken(" tricks called"))];
  }

  const formatPoints = (points) => (points === null ? "" : String(points).replace("-", "−"));

  function drawHand(situation, moment, seat, isOpen) {
    const hand = situation.hands[seat];
    if (!isOpen)
      return make("p", { class: "hand closed" }, make("span", { class: "backs", "aria-hidden": "true" },
        ...hand.map(() => make("i", { class: "back" }))), spoken(`${hand.length} cards`));
    const asked = moment.kind === "play" && moment.seat === seat;
    return make("div", { class: asked ? "hand asked" : "hand" },
      ...[...SUITS].map((suit) => drawSuit(suit, hand, asked ? situation : null)));
  }

  function drawSuit(suit, hand, situation) {
    const cards = hand.filter((card) => suitOf(card) === suit);
    return make("div", { class: `suit-row suit-${suit}${cards.length ? "" : " void"}` },
      icon(`suit-${suit}`, "suit"),
      make("ul", { "aria-label": SUIT_NAMES[suit] },
        ...(cards.length ? cards.map((card) => drawInHand(card, situation))
          : [make("li", { class: "none" }, make("span", { "aria-hidden": "true" }, "–"), spoken("none"))])));
  }

  function drawInHand(card, situation) {
    const isLegal = situation && situation.legal.includes(card);
    const isChosen = situation && situation.chosen === card;
    const words = [isLegal ? "legal" : situation ? "not-legal" : "", isChosen ? "chosen" : ""];
    const aloud = nameOf(card) + (isLegal ? ", legal" : "") + (isChosen ? ", played now" : "");
    return make("li", { class: ["chip", ...words].join(" ").trim() },
      make("span", { "aria-hidden": "true" }, rankOf(card)), spoken(aloud));
  }

  function drawCentre(record, moment, situation, bottom) {
    if (moment.kind === "call") return drawCalls(situation, moment, bottom);
    if (moment.kind === "deal-over") return [drawResult(record, moment)];
    return situation.onTable.map((card, turn) => {
      const seat = (situation.leader + turn) % SEATS;
      const words = [`at-${placeOf(seat, bottom)}`, turn === 0 ? "led" : "",
        situation.winner === seat ? "wins" : ""];
      return drawCard(card, `face ${words.join(" ").trim()}`);
    });
  }

  const placeOf = (seat, bottom) => PLACES[(seat - bottom + SEATS) % SEATS];

  function drawCalls(situation, moment, bottom) {
    return situation.calls.map((call, seat) =>
      make("span", {
        class: `call at-${placeOf(seat, bottom)}${moment.seat === seat ? " calling" : ""}`,
      }, spoken(`seat ${seat} `), call === null ? (moment.seat === seat ? "?" : "·") : String(call)));
  }

  function drawResult(record, moment) {
    const deal = record.deals[moment.deal - 1];
    const points = Array.isArray(deal.points) ? deal.points : [null, null, null, null];
    return make("table", { class: "result" },
      make("caption", {}, `Deal ${moment.deal} is over`),
      make("thead", {}, make("tr", {}, ...["seat", "called", "won", "points"].map((word) =>
        make("th", { scope: "col" }, word)))),
      make("tbody", {}, ...points.map((figure, seat) => make("tr", {},
        make("th", { scope: "row" }, String(seat)), make("td", {}, String(deal.calls[seat])),
        make("td", {}, String(situationWon(deal)[seat])),
        make("td", { class: figure < 0 ? "minus" : "plus" }, formatPoints(figure))))));
  }

  const situationWon = (deal) => deal.tricks.reduce((won, trick) => {
    won[arena.rules.winnerOf(trick.leader, trick.cards)] += 1;
    return won;
  }, [0, 0, 0, 0]);

  /* The moment in one sentence, for the status line and for screen readers. */
  function tell(record, moment, view) {
    const situation = arena.moments.situationAt(record, moment);
    const who = (seat) => `seat ${seat} (${visible(record.seats[seat].bot)})`;
    const isSeen = view === "all" || Number(view) === moment.seat;
    if (moment.kind === "call") {
      const call = isSeen ? ` It calls ${situation.chosen}.` : "";
      return `Deal ${moment.deal}, call ${moment.card} of 4: ${who(moment.seat)} is to call.${call}`;
    }
    if (moment.kind === "play") {
      const start = `Deal ${moment.deal}, trick ${moment.trick}, card ${moment.card}: ${who(moment.seat)} is to play.`;
      if (!isSeen) return start;
      const legal = situation.legal.map(shortOf).join(" ");
      const fair = situation.legal.includes(situation.chosen) ? "" : ", which is not legal";
      return `${start} Legal: ${legal || "none"}. It plays ${shortOf(situation.chosen)}${fair}.`;
    }
    if (moment.kind === "trick-over") {
      const card = situation.onTable[(situation.winner - situation.leader + SEATS) % SEATS];
      return `Deal ${moment.deal}, trick ${moment.trick}: ${who(situation.winner)} wins with ${shortOf(card)}.`;
    }
    return `Deal ${moment.deal} is over. Totals by seat: ${situation.scores.map(formatPoints).join(", ")}.`;
  }

  return { draw, tell, shortOf, formatPoints };
})();
