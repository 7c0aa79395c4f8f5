/* What all pages share: making elements from text, loading pieces of data, the choice of theme.
 *
 * Data comes as scripts that call `arena.receive`, because a page opened from a file may not fetch.
 * Everything a bot's author wrote reaches the page as text through `make`, never as markup.
 */
"use strict";

globalThis.arena = globalThis.arena || {};

/* An element. Attributes with the value null or false are left out; children are text or elements. */
arena.make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

/* An icon of the page's sprite. */
arena.icon = (name, className = "icon") => {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(ns, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
};

/* Text with control and direction characters written as their codes; `keep` holds exceptions. */
arena.visible = (text, keep = "") =>
  String(text).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu, (c) =>
    keep.includes(c) ? c : `\\u{${c.codePointAt(0).toString(16)}}`);

{
  const arrived = new Map();
  const awaited = new Map();

  arena.receive = (name, value) => arrived.set(name, value);

  /* The value of the data file `data/NAME.js`, loaded when first asked for. */
  arena.load = (name) => {
    if (!awaited.has(name)) awaited.set(name, loading(name));
    return awaited.get(name);
  };

  const loading = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.onload = () =>
        arrived.has(name) ? resolve(arrived.get(name)) : reject(new Error(`data/${name}.js is damaged`));
      script.onerror = () => reject(new Error(`data/${name}.js is missing`));
      document.head.append(script);
    });
}

{
  const root = document.documentElement;
  const remember = (theme) => {
    try {
      localStorage.setItem("arena-theme", theme);
    } catch {
      /* A browser may keep nothing for files: the choice then lasts as long as the page. */
    }
  };
  const remembered = () => {
    try {
      return localStorage.getItem("arena-theme");
    } catch {
      return null;
    }
  };
  const isDark = () =>
    (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      show();
    });
    show();
  });
}
