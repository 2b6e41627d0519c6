
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;

  // Themes: as the system has it, until the button is used.
  const theme = byId("theme");
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const nameTheme = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    nameTheme();
  });
  nameTheme();

  // What is copied is the text that stands before the button.
  for (const button of document.querySelectorAll("button.copy")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const parts = [...button.parentElement.querySelectorAll("p, pre")];
      const text = parts.map((part) => part.textContent).join("\n\n");
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(button.previousElementSibling);
        button.textContent = "Selected: press Ctrl-C";
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

  // Printing opens what is folded.
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
  });

  // Search: a row stays where every word of the search is in it.
  for (const box of document.querySelectorAll(".differing")) {
    const input = box.querySelector("input");
    if (!input) continue;
    const output = box.querySelector("output");
    const rows = [...box.querySelectorAll("tbody tr")];
    const texts = rows.map((row) =>
      [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase());
    const search = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      rows.forEach((row, i) => {
        row.hidden = !words.every((word) => texts[i].includes(word));
        count += row.hidden ? 0 : 1;
      });
      const rest = box.querySelector(".unnamed") ? "; not all items are named" : "";
      output.textContent = words.length ? `${count} of ${rows.length} rows${rest}` : "";
    };
    input.parentElement.hidden = false;
    input.addEventListener("input", search);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { input.value = ""; search(); }
    });
  }

  // The sliders look up what the library computed at every stop.
  const embedded = byId("likelier-data");
  if (!embedded) return;
  const data = JSON.parse(embedded.textContent);
  const rope = byId("rope"), mass = byId("mass");
  const percent = (share) => `${share}%`;
  const set = (node, names) => {
    for (const name in names) node.setAttribute(name, names[name]);
  };

  const position = (svg, value) => {
    const low = Number(svg.dataset.low), high = Number(svg.dataset.high);
    return Math.min(Math.max((value - low) / (high - low), 0), 1);
  };

  const moveShape = (svg, ends, hdi) => {
    const low = position(svg, ends[0]), high = position(svg, ends[1]);
    set(svg.querySelector(".rope"), {x: percent(100 * low), width: percent(100 * (high - low))});
    const [worse, equal, better] = svg.querySelectorAll("g rect");
    set(worse, {width: 1000 * low});
    set(equal, {x: 1000 * low, width: 1000 * (high - low)});
    set(better, {x: 1000 * high, width: 1000 * (1 - high)});
    set(svg.querySelector(".hdi"), {
      x1: percent(100 * position(svg, hdi[0])), x2: percent(100 * position(svg, hdi[1])),
    });
  };

  const moveBar = (bar, shares) => {
    let start = 0;
    ["worse", "equivalent", "better"].forEach((name, i) => {
      const part = bar.querySelector(`.${name}`);
      if (part) set(part, {x: percent(100 * start), width: percent(100 * shares[i])});
      start += shares[i];
    });
  };

  const moveCard = (card, entry, r, m) => {
    const live = (name, text) => {
      const node = card.querySelector(`[data-live="${name}"]`);
      if (node) node.textContent = text;
      return node;
    };
    const symbol = [...entry.symbols[r]][m];
    live("headline", entry.headlines[[...entry.unblocked[r]][m]]);
    live("symbol", symbol);
    live("verdict", data.names[symbol]);
    live("low", entry.ends[m][0]);
    live("high", entry.ends[m][1]);
    ["worse", "equivalent", "better"].forEach((name, i) => {
      live(name, entry.shown[r][i]);
    });
    const inside = card.querySelector("li.equivalent");
    if (inside) inside.hidden = data.ropes[r] === null;
    const initial = r === data.asked[0] && m === data.asked[1];
    const ahead = entry.outlooks ? entry.outlooks[r][m] : initial ? entry.outlook : null;
    live("outlook", ahead || "").hidden = !ahead;
    moveShape(card.querySelector("svg.posterior"), data.ropes[r] || [0, 0], entry.hdis[m]);
    moveBar(card.querySelector("svg.bar"), entry.shares[r]);
  };

  const cards = [...document.querySelectorAll("article.comparison")];
  const move = () => {
    const r = Number(rope.value), m = Number(mass.value);
    byId("rope-value").textContent = data.rope_names[r];
    byId("mass-value").textContent = data.mass_names[m];
    rope.setAttribute("aria-valuetext", data.rope_names[r]);
    mass.setAttribute("aria-valuetext", data.mass_names[m]);
    cards.forEach((card, i) => moveCard(card, data.comparisons[i], r, m));
  };
  byId("controls").hidden = false;
  rope.addEventListener("input", move);
  mass.addEventListener("input", move);
  byId("reset").addEventListener("click", () => {
    [rope.value, mass.value] = data.asked;
    move();
  });
  // A browser that goes back may have kept where the sliders stood.
  move();
})();
