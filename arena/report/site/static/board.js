/* The board: filters and sorting of the rows that are on the page already. */
"use strict";

(() => {
  const table = document.getElementById("board");
  const rows = [...table.querySelectorAll("tbody tr:not(.group)")];
  const text = document.getElementById("filter-text");
  const language = document.getElementById("filter-language");
  const faults = document.getElementById("filter-faults");
  const count = document.getElementById("filter-count");
  const columns = document.getElementById("all-columns");

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !(row.dataset.name.includes(wanted) &&
        (!language || !language.value || row.dataset.language === language.value) &&
        (!faults.checked || row.dataset.faults === "0"));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} bots`;
  }

  const valueOf = (row, index) => {
    const cell = row.cells[index];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const number = Number(cell.textContent);
    return cell.textContent.trim() === "" ? null : Number.isNaN(number) ? cell.textContent : number;
  };

  /* Empty cells go last, whichever the direction. */
  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "string" || typeof b === "string") return sign * String(a).localeCompare(String(b));
    return sign * (a - b);
  }

  function sort(header, first) {
    const before = header.getAttribute("aria-sort");
    const order = before ? (before === "ascending" ? "descending" : "ascending") : first;
    table.querySelectorAll("th[aria-sort]").forEach((th) => th.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    for (const body of table.tBodies) {
      const own = rows.filter((row) => row.parentElement === body);
      own.sort((a, b) => compare(valueOf(a, header.cellIndex), valueOf(b, header.cellIndex), sign));
      body.append(...own);
    }
  }

  for (const button of table.querySelectorAll("button.sort"))
    button.addEventListener("click", () => sort(button.closest("th"), button.dataset.first));
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const field of [text, language, faults]) field?.addEventListener("input", filter);
  columns.addEventListener("input", () => table.classList.toggle("all-columns", columns.checked));
  filter(); // a browser may have kept what was typed before the page was loaded again
})();
