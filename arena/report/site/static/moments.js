/* A match record as a row of moments, and the situation at any of them. No page in here.
 *
 * A moment is a decision before it is made (a call, a card), the end of a trick with its four cards
 * on the table, or the end of a deal. Records come from anywhere: `check` says what a record lacks.
 */
"use strict";

globalThis.arena = globalThis.arena || {};

arena.moments = (() => {
  const { SEATS, isCard, legalCards, winnerOf } = arena.rules;
  const TRICKS = 13;

  /* What keeps a record from being stepped through, in words; "" if nothing does. */
  function check(record) {
    if (!record || typeof record !== "object") return "it is no record";
    if (record.game !== "callbreak") return `its game is ${JSON.stringify(record.game)}, not callbreak`;
    if (!record.variant || typeof record.variant !== "object") return "it has no variant";
    if (!isFour(record.seats) || !record.seats.every((seat) => seat && typeof seat.bot === "string"))
      return "it does not name four seats";
    if (!Array.isArray(record.deals) || !record.deals.length) return "it has no deals";
    for (const [index, deal] of record.deals.entries()) {
      const wrong = checkDeal(deal);
      if (wrong) return `deal ${index + 1}: ${wrong}`;
    }
    return "";
  }

  const isFour = (list) => Array.isArray(list) && list.length === SEATS;
  const isSeat = (seat) => Number.isInteger(seat) && seat >= 0 && seat < SEATS;
  const isCards = (list, size) => Array.isArray(list) && list.length === size && list.every(isCard);

  function checkDeal(deal) {
    if (!deal || typeof deal !== "object") return "it is no object";
    if (!isSeat(deal.dealer)) return "it names no dealer";
    if (!isFour(deal.hands) || !deal.hands.every((hand) => isCards(hand, TRICKS)))
      return "it does not show four hands of thirteen cards";
    if (!isFour(deal.calls) || !deal.calls.every(Number.isInteger)) return "it has not four calls";
    if (!Array.isArray(deal.tricks) || deal.tricks.length !== TRICKS) return "it has not 13 tricks";
    const bad = deal.tricks.findIndex(
      (trick) => !trick || !isSeat(trick.leader) || !isCards(trick.cards, SEATS));
    return bad < 0 ? "" : `trick ${bad + 1} is no trick`;
  }

  function listMoments(record) {
    return record.deals.flatMap((deal, index) => [
      ...seatsFrom(deal.dealer + 1).map((seat, turn) => ({
        kind: "call", deal: index + 1, trick: null, card: turn + 1, seat,
      })),
      ...deal.tricks.flatMap((trick, number) => [
        ...seatsFrom(trick.leader).map((seat, turn) => ({
          kind: "play", deal: index + 1, trick: number + 1, card: turn + 1, seat,
        })),
        { kind: "trick-over", deal: index + 1, trick: number + 1, card: null, seat: null },
      ]),
      { kind: "deal-over", deal: index + 1, trick: null, card: null, seat: null },
    ]);
  }

  const seatsFrom = (first) => [0, 1, 2, 3].map((turn) => (first + turn) % SEATS);

  /* Everything that lies open at a moment. Lists of four are by seat; `legal` and `chosen` are
   * null where nobody is asked; `calls` holds null where a seat has not called yet. */
  function situationAt(record, moment) {
    const deal = record.deals[moment.deal - 1];
    const finished = tricksBefore(moment);
    const gone = new Set(deal.tricks.slice(0, finished).flatMap((trick) => trick.cards));
    const onTable = cardsOnTable(deal, moment);
    onTable.forEach((card) => gone.add(card));
    const hands = deal.hands.map((hand) => hand.filter((card) => !gone.has(card)));
    const won = [0, 0, 0, 0];
    deal.tricks.slice(0, finished).forEach((trick) => { won[winnerOf(trick.leader, trick.cards)] += 1; });
    const current = moment.trick === null ? null : deal.tricks[moment.trick - 1];
    if (moment.kind === "trick-over") won[winnerOf(current.leader, current.cards)] += 1;
    return {
      hands, won, onTable,
      dealer: deal.dealer,
      calls: callsAt(deal, moment),
      leader: current ? current.leader : null,
      winner: moment.kind === "trick-over" ? winnerOf(current.leader, current.cards) : null,
      legal: legalAt(record, deal, moment, hands, onTable),
      chosen: chosenAt(deal, moment),
      scores: scoresAt(record, moment),
    };
  }

  function tricksBefore(moment) {
    if (moment.kind === "call") return 0;
    return moment.kind === "deal-over" ? TRICKS : moment.trick - 1;
  }

  function cardsOnTable(deal, moment) {
    if (moment.kind === "play") return deal.tricks[moment.trick - 1].cards.slice(0, moment.card - 1);
    return moment.kind === "trick-over" ? deal.tricks[moment.trick - 1].cards.slice() : [];
  }

  function callsAt(deal, moment) {
    if (moment.kind !== "call") return deal.calls.slice();
    const made = seatsFrom(deal.dealer + 1).slice(0, moment.card - 1);
    return deal.calls.map((call, seat) => (made.includes(seat) ? call : null));
  }

  function legalAt(record, deal, moment, hands, onTable) {
    if (moment.kind === "play") return legalCards(hands[moment.seat], onTable, record.variant);
    if (moment.kind !== "call") return null;
    const { min_call: low, max_call: high } = record.variant;
    const isRange = Number.isInteger(low) && Number.isInteger(high) && high - low < 14;
    return isRange ? Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i) : [];
  }

  function chosenAt(deal, moment) {
    if (moment.kind === "play") return deal.tricks[moment.trick - 1].cards[moment.card - 1];
    return moment.kind === "call" ? deal.calls[moment.seat] : null;
  }

  /* Running totals: with the deal's own points once it is over. */
  function scoresAt(record, moment) {
    const over = moment.kind === "deal-over" ? moment.deal : moment.deal - 1;
    const scores = over ? record.deals[over - 1].scores : [0, 0, 0, 0];
    return isFour(scores) ? scores : [null, null, null, null];
  }

  /* Where a fault or note stands: the seat's decision there, or the first moment of its place. */
  function placeOf(moments, { deal, trick, seat }) {
    const inDeal = moments.findIndex((m) => m.deal === (deal || 1));
    const exact = moments.findIndex(
      (m) => m.deal === (deal || 1) && m.trick === (trick || null) && m.seat === seat);
    return exact >= 0 ? exact : Math.max(0, inDeal);
  }

  /* By seat, whether the fallback player acts for a retired bot at this moment. */
  function retiredAt(record, moment) {
    const retired = [false, false, false, false];
    const order = (deal, trick) => deal * 100 + (trick || 0);
    const end = moment.kind === "deal-over" ? TRICKS : moment.trick;
    for (const fault of listOf(record.faults)) {
      const since = order(fault.deal || 0, fault.trick);
      if (isSeat(fault.seat) && fault.retired !== false && since <= order(moment.deal, end))
        retired[fault.seat] = true;
    }
    return retired;
  }

  const listOf = (value) => (Array.isArray(value) ? value.filter((v) => v && typeof v === "object") : []);

  /* The address of a moment, after the `#`. `part` says which file of records to load. */
  function addressOf(record, moment, { part, view }) {
    const words = new URLSearchParams({ match: record.match });
    if (part !== null) words.set("part", part);
    words.set("deal", moment.deal);
    if (moment.kind === "call") words.set("call", moment.card);
    if (moment.kind === "play" || moment.kind === "trick-over") words.set("trick", moment.trick);
    if (moment.kind === "play") words.set("card", moment.card);
    if (moment.kind === "trick-over") words.set("card", "end");
    if (moment.kind === "deal-over") words.set("trick", "end");
    if (view !== "all") words.set("view", view);
    return words.toString();
  }

  /* The index of the moment that an address names; the nearest earlier place if it is none. */
  function findMoment(moments, words) {
    const deal = Number(words.get("deal") || 1);
    const trick = words.get("trick");
    const wanted = moments.findIndex((m) => m.deal === deal && isNamed(m, words, trick));
    return wanted >= 0 ? wanted : Math.max(0, moments.findIndex((m) => m.deal === deal));
  }

  function isNamed(moment, words, trick) {
    if (trick === "end") return moment.kind === "deal-over";
    const seat = words.get("seat");
    if (trick === null) {
      if (seat !== null && !words.has("call")) return moment.kind === "call" && moment.seat === Number(seat);
      return moment.kind === "call" && moment.card === Number(words.get("call") || 1);
    }
    if (moment.trick !== Number(trick)) return false;
    if (words.get("card") === "end") return moment.kind === "trick-over";
    if (seat !== null && !words.has("card")) return moment.seat === Number(seat);
    return moment.card === Number(words.get("card") || 1);
  }

  return {
    check, listMoments, situationAt, retiredAt, placeOf, addressOf, findMoment, listOf, seatsFrom,
  };
})();
