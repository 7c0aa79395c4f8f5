/* The live page: draws each snapshot that the server sends. Nothing is ever sent back. */
"use strict";

(() => {
  const { make } = arena;
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const count = (number) => number.toLocaleString("en");

  function shape(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function drawBar(bar) {
    const svg = shape("svg", { "aria-hidden": "true" });
    svg.append(
      shape("rect", { class: "range", x: `${bar.low}%`, width: `${bar.high - bar.low}%`, y: "34%", height: "32%", rx: 3 }),
      shape("line", { class: "mean", x1: `${bar.mean}%`, x2: `${bar.mean}%`, y1: "22%", y2: "78%" }));
    return make("td", { class: "bar" }, svg);
  }

  const classOf = (heading) => ({ "#": "rank", bot: "bot", Elo: "elo" })[heading] || "small extra";

  function drawBoard(board) {
    const afterElo = board.columns.findIndex((column) => column.heading === "Elo");
    const head = board.columns.map((column) =>
      make("th", { scope: "col", class: `${classOf(column.heading)} padded` }, column.heading));
    head.splice(afterElo + 1, 0, make("th", { scope: "col", class: "bar" }, make("span", { class: "sr" }, "error bar")));
    byId("board").tHead.replaceChildren(make("tr", {}, ...head));
    byId("board").tBodies[0].replaceChildren(...board.rows.map((row, place) => {
      const cells = row.map((text, index) => board.columns[index].heading === "bot"
        ? make("th", { scope: "row", class: "bot" }, text)
        : make("td", { class: classOf(board.columns[index].heading) }, text));
      cells.splice(afterElo + 1, 0, drawBar(board.bars[place]));
      return make("tr", {}, ...cells);
    }));
  }

  const drawFault = (fault) => make("li", { class: "fault" },
    make("p", {}, make("strong", {}, fault.kind), ` by ${fault.bot}, ${fault.place}`), make("p", {}, fault.detail),
    fault.arrived ? make("p", {}, "arrived: ", make("code", {}, fault.arrived)) : null);

  function inWords(seconds) {
    if (seconds === null) return "";
    if (seconds < 90) return `, about ${Math.ceil(seconds)} s left`;
    return seconds < 5400 ? `, about ${Math.round(seconds / 60)} min left` : `, about ${(seconds / 3600).toFixed(1)} h left`;
  }

  function draw(run) {
    byId("progress").max = Math.max(1, run.total);
    byId("progress").value = run.done;
    byId("summary").textContent = `${count(run.done)} of ${count(run.total)} matches` +
      (run.finished ? "; the run has ended." : inWords(run.left_s));
    if (run.board) drawBoard(run.board);
    byId("fault-count").textContent = count(run.faults);
    byId("faults").replaceChildren(...run.latest_faults.map(drawFault));
    byId("voids-box").hidden = !run.voids;
    byId("void-count").textContent = count(run.voids);
    byId("voids").replaceChildren(...run.latest_voids.map((reason) => make("li", {}, reason)));
  }

  function connection(word, state) {
    byId("connection").textContent = word;
    byId("connection").className = `live-mark ${state}`;
  }

  const stream = new EventSource("events");
  stream.onopen = () => connection("live", "on");
  stream.onerror = () => connection("no connection: the run has ended or was stopped", "off");
  stream.onmessage = (event) => {
    const run = JSON.parse(event.data);
    draw(run);
    if (run.finished) {
      stream.close();
      connection("ended", "");
    }
  };
})();
