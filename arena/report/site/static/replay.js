/* The replay page: finds the match that the address names, steps through it, keeps the address true. */
"use strict";

(() => {
  const { make, visible } = arena;
  const byId = (id) => document.getElementById(id);
  const elements = {
    seats: Object.fromEntries(["bottom", "right", "top", "left"].map((place) => [place, byId(`seat-${place}`)])),
    centre: byId("centre"),
  };
  const PAUSE_MS = { slow: 1600, normal: 800, fast: 250 };

  const state = { record: null, part: null, moments: [], now: 0, view: "all", timer: null, links: [] };

  // Finding the match ---------------------------------------------------------------------------

  const wordsOfAddress = () => new URLSearchParams(location.hash.slice(1));

  async function open() {
    const words = wordsOfAddress();
    const match = words.get("match");
    if (match === null) return fail("No match is named.", "Choose one from the list of matches.");
    if (!state.record || state.record.match !== match) {
      try {
        if (!(await loadMatch(match, words.get("part")))) return undefined;
      } catch (error) {
        return fail("This match cannot be loaded.", error.message);
      }
    }
    const view = words.get("view");
    state.view = ["0", "1", "2", "3"].includes(view) ? view : "all";
    state.now = arena.moments.findMoment(state.moments, words);
    return draw();
  }

  async function loadMatch(match, hint) {
    const site = await arena.load("site");
    const part = await partOf(match, hint, site);
    if (part === null) return fail(`There is no match ${visible(match)} in these pages.`, "");
    const records = await arena.load(`records-${part}`);
    const record = records.find((each) => each.match === match);
    if (!record) return fail(`There is no match ${visible(match)} in these pages.`, "");
    const wrong = arena.moments.check(record);
    if (wrong) return fail("This record cannot be stepped through.", `${wrong}.`);
    stop();
    Object.assign(state, { record, part, moments: arena.moments.listMoments(record), now: 0 });
    state.links = record.seats.map((seat) => site.pages[`${seat.bot}\n${seat.version}\n${seat.digest}`] || null);
    showNeighbours(records, part);
    return true;
  }

  /* The file that holds a match: as the address says, else looked up in the index of matches. */
  async function partOf(match, hint, site) {
    const part = Number(hint);
    if (hint !== null && Number.isInteger(part) && part >= 0 && part < site.parts) {
      const records = await arena.load(`records-${part}`);
      if (records.some((record) => record.match === match)) return part;
    }
    const index = await arena.load("matches");
    const row = index.matches.find((each) => each[0] === match);
    return row && row[2] !== null ? row[2] : null;
  }

  function showNeighbours(records, part) {
    const place = records.findIndex((record) => record.match === state.record.match);
    for (const [id, neighbour] of [["previous-match", records[place - 1]], ["next-match", records[place + 1]]]) {
      const link = byId(id);
      link.hidden = !neighbour;
      if (neighbour) link.href = `#${new URLSearchParams({ match: neighbour.match, part })}`;
    }
  }

  function fail(what, why) {
    stop();
    state.record = null;
    byId("replay").hidden = true;
    byId("failure").hidden = false;
    byId("failure").replaceChildren(make("p", {}, make("strong", {}, what), " ", visible(why)),
      make("p", {}, make("a", { href: "matches.html" }, "All matches")));
    return false;
  }

  // Drawing -------------------------------------------------------------------------------------

  function draw() {
    const { record, moments, view } = state;
    const moment = moments[state.now];
    byId("failure").hidden = true;
    byId("replay").hidden = false;
    document.title = `Match ${visible(record.match)}, deal ${moment.deal} · replay`;
    byId("match-name").textContent = visible(record.match);
    byId("match-about").textContent =
      `${record.deals.length} deals, variant ${visible(record.variant.name)}` +
      (record.started ? `, ${visible(record.started).slice(0, 16).replace("T", " ")} UTC` : "");
    arena.tableView.draw(elements, record, moment, { view, links: state.links });
    byId("status").textContent = arena.tableView.tell(record, moment, view);
    showRemarks(record, moment);
    showSide(record, moments, moment);
    showControls(moment);
    keepAddress(record, moment);
    return true;
  }

  /* Notes and faults of this very moment stand right under the table. */
  function showRemarks(record, moment) {
    const here = (thing) => arena.sideView.isAt(thing, moment);
    const mayTell = state.view === "all" || Number(state.view) === moment.seat;
    const notes = mayTell ? arena.moments.listOf(record.notes).filter(here) : [];
    const faults = arena.moments.listOf(record.faults).filter(here);
    byId("remarks").replaceChildren(
      ...faults.map((fault) => make("p", { class: "remark fault" }, make("strong", {}, visible(fault.kind)), " ",
        visible(fault.detail || ""))),
      ...notes.map((note) => make("p", { class: "remark note" }, make("strong", {}, "Note "),
        visible(note.text, "\n\t"))));
  }

  function showSide(record, moments, moment) {
    const side = arena.sideView;
    byId("scores").replaceChildren(side.drawScores(record, moments, moment));
    byId("tricks").replaceChildren(side.drawTricks(record, moments, moment, state.view));
    fillList("notes", side.drawNotes(record, moments, moment));
    fillList("faults", side.drawFaults(record, moments));
    const timing = side.drawTiming(record);
    byId("timing-box").hidden = !timing;
    byId("timing").replaceChildren(...(timing ? [timing] : []));
  }

  function fillList(id, items) {
    byId(`${id}-box`).hidden = !items.length;
    byId(id).replaceChildren(...items);
    byId(`${id}-count`).textContent = String(items.length);
  }

  function showControls(moment) {
    const last = state.moments.length - 1;
    for (const button of document.querySelectorAll("[data-go]"))
      button.disabled = target(button.dataset.go) === state.now;
    byId("play").setAttribute("aria-pressed", String(state.timer !== null));
    byId("play-word").textContent = state.timer === null ? "Play" : "Pause";
    byId("place").textContent = `${state.now + 1} / ${last + 1}`;
    byId("view").value = state.view;
    byId("progress").max = last;
    byId("progress").value = state.now;
    byId("progress").setAttribute("aria-valuetext", `deal ${moment.deal}${moment.trick ? `, trick ${moment.trick}` : ""}`);
  }

  function keepAddress(record, moment) {
    const address = arena.moments.addressOf(record, moment, { part: state.part, view: state.view });
    byId("link").href = `#${address}`;
    if (location.hash.slice(1) !== address) history.replaceState(null, "", `#${address}`);
  }

  // Moving --------------------------------------------------------------------------------------

  const isBoundary = (moment) => moment.kind === "call" ? moment.card === 1 : moment.kind === "deal-over" || moment.card === 1;
  const isDealStart = (moment) => moment.kind === "call" && moment.card === 1;

  function search(step, isWanted) {
    const { moments, now } = state;
    for (let i = now + step; i >= 0 && i < moments.length; i += step) if (isWanted(moments[i])) return i;
    return step < 0 ? 0 : moments.length - 1;
  }

  const TARGETS = {
    "step-back": () => Math.max(0, state.now - 1),
    "step-on": () => Math.min(state.moments.length - 1, state.now + 1),
    "trick-back": () => search(-1, isBoundary),
    "trick-on": () => search(1, isBoundary),
    "deal-back": () => search(-1, isDealStart),
    "deal-on": () => search(1, isDealStart),
    start: () => 0,
    end: () => state.moments.length - 1,
  };
  const target = (name) => TARGETS[name]();

  function go(index) {
    if (!state.record) return;
    state.now = index;
    if (index === state.moments.length - 1) stop();
    draw();
  }

  function setView(view) {
    state.view = view;
    draw();
  }

  function play() {
    if (state.now === state.moments.length - 1) state.now = 0;
    state.timer = setInterval(() => go(target("step-on")), PAUSE_MS[byId("speed").value]);
    draw();
  }

  function stop() {
    clearInterval(state.timer);
    state.timer = null;
  }

  function playOrPause() {
    if (state.timer === null) return play();
    stop();
    return draw();
  }

  // Controls and keys ---------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go], [data-moment]");
    if (!button || !state.record) return;
    stop();
    go(button.dataset.go ? target(button.dataset.go) : Number(button.dataset.moment));
    refocus(button);
  });

  /* Redrawing replaces the button that was pressed: its successor takes the focus. */
  function refocus(button) {
    if (button.dataset.moment && !button.isConnected)
      document.querySelector(`.jump[data-moment="${Number(button.dataset.moment)}"]`)?.focus();
  }

  byId("play").addEventListener("click", playOrPause);
  byId("view").addEventListener("change", (event) => setView(event.target.value));
  byId("progress").addEventListener("input", (event) => { stop(); go(Number(event.target.value)); });
  byId("speed").addEventListener("change", () => { if (state.timer !== null) { stop(); play(); } });

  const KEYS = {
    ArrowLeft: "step-back", ArrowRight: "step-on", "Shift+ArrowLeft": "trick-back",
    "Shift+ArrowRight": "trick-on", "[": "deal-back", "]": "deal-on", Home: "start", End: "end",
  };

  document.addEventListener("keydown", (event) => {
    if (!state.record || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    if (KEYS[key]) {
      stop();
      go(target(KEYS[key]));
    } else if (key === "p" || (key === " " && !event.target.closest("button, a, summary"))) {
      playOrPause();
    } else if (["0", "1", "2", "3"].includes(key)) {
      setView(key);
    } else if (key === "a") {
      setView("all");
    } else {
      return;
    }
    event.preventDefault();
  });

  addEventListener("hashchange", open);
  open();
})();
