/* Draws what stands beside the table: scores, the deal's tricks, faults, notes, time used. */
"use strict";

globalThis.arena = globalThis.arena || {};

arena.sideView = (() => {
  const { make, visible } = arena;
  const { SEATS, winnerOf } = arena.rules;
  const { shortOf, formatPoints } = arena.tableView;
  const { listOf } = arena.moments;

  const seatOf = (record, seat) => `${seat} ${visible(record.seats[seat].bot)}`;
  const head = (...words) => make("thead", {}, make("tr", {}, ...words.map((word) =>
    make("th", { scope: "col" }, word))));

  /* A button that goes to a moment; `index` is the moment's number. */
  const jump = (index, here, ...children) =>
    make("button", { type: "button", class: "jump", "data-moment": index,
      "aria-current": here ? "step" : null }, ...children);

  function drawScores(record, moments, moment) {
    const first = (deal) => moments.findIndex((m) => m.deal === deal);
    const deals = record.deals.map((_, index) => index + 1);
    return make("table", { class: "scores" },
      head("deal", ...record.seats.map((_, seat) => seatOf(record, seat))),
      make("tbody", {}, ...deals.map((deal) => make("tr", { class: deal === moment.deal ? "here" : null },
        make("th", { scope: "row" }, jump(first(deal), deal === moment.deal, `Deal ${deal}`)),
        ...pointsOf(record.deals[deal - 1]).map((figure) =>
          make("td", { class: figure < 0 ? "minus" : null }, formatPoints(figure)))))),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "Total"),
        ...listOfFour(record.scores).map((score) => make("td", {}, formatPoints(score)))),
      make("tr", {}, make("th", { scope: "row" }, "Rank"),
        ...listOfFour(record.ranks).map((rank) => make("td", {}, rank === null ? "" : String(rank))))));
  }

  const listOfFour = (value) =>
    Array.isArray(value) && value.length === SEATS ? value : [null, null, null, null];
  const pointsOf = (deal) => listOfFour(deal.points);

  /* Tricks up to this moment; all of them, the later ones quiet, if every hand is open. */
  function drawTricks(record, moments, moment, view) {
    const deal = record.deals[moment.deal - 1];
    const reached = moment.kind === "call" ? 0 : moment.kind === "deal-over" ? 13 : moment.trick;
    const faulty = new Set(listOf(record.faults).filter((f) => f.deal === moment.deal).map((f) => f.trick));
    return make("table", { class: "tricks" },
      head("trick", ...record.seats.map((_, seat) => String(seat))),
      make("tbody", {}, ...deal.tricks.map((trick, index) => {
        const number = index + 1;
        const isOver = number < reached || (number === reached && moment.kind !== "play");
        const place = moments.findIndex((m) => m.deal === moment.deal && m.trick === number);
        return make("tr", { class: number === reached ? "here" : number > reached ? "later" : null },
          make("th", { scope: "row" }, jump(place, number === reached, String(number),
            faulty.has(number) ? make("span", { class: "flag", title: "a fault" }, "!") : null)),
          ...bySeat(trick).map((card, seat) => drawTrickCard(trick, card, seat, isOver || view === "all")));
      })));
  }

  const bySeat = (trick) => [0, 1, 2, 3].map((seat) => trick.cards[(seat - trick.leader + SEATS) % SEATS]);

  function drawTrickCard(trick, card, seat, isShown) {
    if (!isShown) return make("td", {});
    const wins = winnerOf(trick.leader, trick.cards) === seat;
    const words = [`suit-${card[1]}`, wins ? "wins" : "", trick.leader === seat ? "led" : ""];
    return make("td", { class: words.join(" ").trim() }, shortOf(card),
      make("span", { class: "sr" }, (trick.leader === seat ? " led" : "") + (wins ? " wins" : "")));
  }

  const placeWords = (fault) =>
    fault.deal ? `deal ${fault.deal}, ${fault.trick ? `trick ${fault.trick}` : "calls"}` : "before the first deal";

  function drawFaults(record, moments) {
    return listOf(record.faults).map((fault) => {
      const seat = record.seats[fault.seat] ? seatOf(record, fault.seat) : "unknown seat";
      const evidence = [
        ["arrived", fault.arrived], ["used", msOf(fault.used_ms)], ["limit", msOf(fault.limit_ms)],
        ["process", fault.status], ["log", fault.stderr],
      ].filter(([, value]) => value);
      return make("li", { class: "fault" },
        make("p", {}, make("strong", {}, visible(fault.kind)), " by seat ", seat, ", ",
          jump(arena.moments.placeOf(moments, fault), false, placeWords(fault)),
          fault.retired === false ? " (forgiven)" : ""),
        make("p", {}, visible(fault.detail || "")),
        evidence.length ? make("dl", {}, ...evidence.flatMap(([word, value]) =>
          [make("dt", {}, word), make("dd", {}, make("code", {}, visible(value, "\n\t")))])) : null);
    });
  }

  const msOf = (value) => (typeof value === "number" ? `${Math.round(value * 10) / 10} ms` : "");

  function drawNotes(record, moments, moment) {
    return listOf(record.notes).filter((note) => note.deal === moment.deal).map((note) =>
      make("li", { class: isAt(note, moment) ? "note here" : "note" },
        jump(arena.moments.placeOf(moments, note), isAt(note, moment),
          `${note.trick ? `Trick ${note.trick}` : "Call"}, seat ${note.seat}`),
        make("span", { class: "note-text" }, visible(note.text, "\n\t"))));
  }

  const isAt = (note, moment) =>
    note.deal === moment.deal && (note.trick || null) === moment.trick && note.seat === moment.seat;

  function drawTiming(record) {
    const timing = listOfFour(record.timing);
    if (!timing.every((seat) => seat && Number.isFinite(seat.total_ms))) return null;
    return make("table", { class: "timing" },
      head("seat", "decisions", "mean ms", "slowest ms"),
      make("tbody", {}, ...timing.map((seat, number) => make("tr", {},
        make("th", { scope: "row" }, seatOf(record, number)),
        make("td", {}, String(seat.decisions)),
        make("td", {}, (seat.total_ms / Math.max(1, seat.decisions)).toFixed(2)),
        make("td", {}, Number(seat.slowest_ms).toFixed(2))))));
  }

  return { drawScores, drawTricks, drawFaults, drawNotes, drawTiming, isAt, placeWords };
})();
