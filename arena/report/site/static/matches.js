/* The list of matches: loads the index, filters it as the address and the fields say. */
"use strict";

(() => {
  const { make, visible } = arena;
  const byId = (id) => document.getElementById(id);
  const PAGE_ROWS = 100;
  const SEATS_IN_HEAD = 4;
  const fields = { text: byId("text"), bot: byId("bot"), order: byId("order") };
  const faults = byId("faults");
  let index = null;
  let found = [];
  let shown = 0;

  /* A row of the index: match, set, part (null: not in these pages), bots, scores, ranks, faults. */
  const [MATCH, SET, PART, BOTS, SCORES, RANKS, FAULTS] = [0, 1, 2, 3, 4, 5, 6];

  function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    for (const [name, field] of Object.entries(fields)) field.value = words.get(name) || "";
    faults.checked = words.get("faults") === "1";
  }

  function keepAddress() {
    const words = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) words.set(name, field.value);
    if (faults.checked) words.set("faults", "1");
    history.replaceState(null, "", `#${words}`);
  }

  const nameOf = (bot) => index.bots[bot].name;

  function isWanted(row) {
    const text = fields.text.value.trim().toLowerCase();
    if (faults.checked && !row[FAULTS]) return false;
    if (fields.bot.value && !row[BOTS].some((bot) => nameOf(bot) === fields.bot.value)) return false;
    return !text || row[MATCH].toLowerCase().includes(text) || row[SET].toLowerCase().includes(text) ||
      row[BOTS].some((bot) => nameOf(bot).toLowerCase().includes(text));
  }

  const gap = (row) => {
    const best = [...row[SCORES]].sort((a, b) => b - a);
    return best[0] - best[1];
  };
  const ORDERS = {
    high: (a, b) => Math.max(...b[SCORES]) - Math.max(...a[SCORES]),
    close: (a, b) => gap(a) - gap(b),
  };

  function search() {
    found = index.matches.filter(isWanted);
    if (ORDERS[fields.order.value]) found.sort(ORDERS[fields.order.value]);
    byId("found").textContent = `${found.length.toLocaleString("en")} of ${index.matches.length.toLocaleString("en")} matches`;
    byId("rows").replaceChildren();
    shown = 0;
    showMore();
  }

  function showMore() {
    const next = found.slice(shown, shown + PAGE_ROWS);
    byId("rows").append(...next.map(drawRow));
    shown += next.length;
    byId("more").hidden = shown >= found.length;
  }

  function drawRow(row) {
    const name = visible(row[MATCH]);
    const address = row[PART] === null ? null
      : `replay.html#${new URLSearchParams({ match: row[MATCH], part: row[PART] })}`;
    return make("tr", {},
      make("th", { scope: "row" }, address ? make("a", { href: address }, name) : name),
      ...row[BOTS].map((bot, seat) => make("td", { class: row[RANKS][seat] === 1 ? "won" : null },
        make("span", { class: "who" }, visible(nameOf(bot))), " ",
        make("span", { class: "score" }, String(row[SCORES][seat]).replace("-", "−")),
        row[RANKS][seat] === 1 ? make("span", { class: "sr" }, " first") : null)),
      ...Array.from({ length: Math.max(0, SEATS_IN_HEAD - row[BOTS].length) }, () => make("td", {})),
      make("td", { class: "number" }, row[FAULTS] ? make("span", { class: "flag" }, String(row[FAULTS])) : ""));
  }

  function changed() {
    keepAddress();
    search();
  }

  async function start() {
    try {
      index = await arena.load("matches");
    } catch (error) {
      byId("failure").hidden = false;
      byId("failure").textContent = visible(error.message);
      return;
    }
    fields.bot.append(...index.bots.map((bot) => make("option", { value: bot.name }, visible(bot.name))));
    readAddress();
    search();
    byId("search").addEventListener("input", changed);
    byId("search").addEventListener("submit", (event) => event.preventDefault());
    byId("more").addEventListener("click", showMore);
    addEventListener("hashchange", () => { readAddress(); search(); });
  }

  start();
})();
