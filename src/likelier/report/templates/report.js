"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);

  // Colours: as the system has them, until the button is used.
  const theme = one("#theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  label();

  // Copy what stands in the block before the button.
  for (const button of all("button.copy")) {
    const name = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.previousElementSibling;
      try { await navigator.clipboard.writeText(text.textContent); button.textContent = "Copied"; }
      catch { getSelection().selectAllChildren(text); button.textContent = "Selected: press Ctrl-C"; }
      setTimeout(() => { button.textContent = name; }, 2000);
    });
  }

  // A link into a folded part opens it; printing opens all.
  const openTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const fold = target.closest("details");
    if (fold) fold.open = true;
    const own = one("th details", target);
    if (own) own.open = true;
    target.scrollIntoView({block: "center"});
  };
  addEventListener("hashchange", openTarget);
  openTarget();
  addEventListener("beforeprint", () => { for (const fold of all("details.fold")) fold.open = true; });

  // Sortable tables: one tbody or one row for each line.
  for (const table of all("table.sortable")) {
    const lines = () => all(":scope > tbody", table);
    const sort = (head, down) => {
      const key = head.dataset.key;
      const value = (line) => { const text = line.dataset[key]; return isNaN(text) ? text : Number(text); };
      const sorted = lines().sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (down ? -1 : 1));
      const foot = one(":scope > tfoot", table);
      for (const line of sorted) table.insertBefore(line, foot);
      for (const other of all("thead th[aria-sort]", table)) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    for (const head of all("thead th[data-key]", table)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(head, head.getAttribute("aria-sort") === "ascending"));
    }
    const chooser = document.getElementById(table.id + "-sort");
    if (chooser) {
      chooser.parentElement.hidden = false;
      chooser.addEventListener("change", () => {
        const [key, way] = chooser.value.split(" ");
        sort(one(`th[data-key="${key}"]`, table), way === "down");
      });
    }
  }

  // Changed items: search, direction, pattern, group; ten at a time.
  const items = one("#items-table");
  if (items) {
    const rows = all("tbody tr", items);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const form = one("#items-tools"), status = one("#items-status"), more = one("#items-more");
    let limit = 10;
    form.hidden = false;
    const show = () => {
      const words = form.elements.find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = ["direction", "pattern", "group"].map((name) => [name, form.elements[name].value]);
      let found = 0;
      rows.forEach((row, i) => {
        const fits = words.every((word) => texts[i].includes(word)) && wanted.every(([name, value]) => !value || row.dataset[name] === value);
        row.hidden = !fits || found >= limit;
        found += fits ? 1 : 0;
      });
      status.textContent = `${Math.min(found, limit)} of ${found} matching items shown; `;
      more.hidden = found <= limit;
      more.textContent = `Show ${Math.min(20, found - limit)} more`;
    };
    form.addEventListener("input", () => { limit = 10; show(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    more.addEventListener("click", () => { limit += 20; show(); });
    one("#items-csv").addEventListener("click", () => {
      const cell = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
      const lines = [["id", "direction", "gold", "baseline", "new", "group", "length", "text"]];
      for (const row of rows) lines.push(["id", "direction", "gold", "first", "second", "group", "length", "text"].map((name) => row.dataset[name] ?? one("." + name, row).firstChild.textContent));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.map((line) => line.map(cell).join(",")).join("\r\n")], {type: "text/csv"}));
      link.download = "changes.csv";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    show();
  }

  // What if: look up what the library computed at every stop.
  const figure = one("#picture-figure");
  if (!figure) return;
  const data = JSON.parse(figure.dataset.stops);
  const rope = one("#rope"), mass = one("#mass"), line = one("#whatif-line"), reset = one("#reset");
  const set = (node, values) => { for (const name in values) node.setAttribute(name, values[name]); };
  const at = (value) => Math.min(Math.max((value - data.low) / (data.high - data.low), 0), 1);
  const pc = (share) => `${(100 * share).toFixed(2)}%`;
  const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);
  const runs = (symbols) => {
    const list = [];
    symbols.forEach((symbol, i) => {
      const last = list[list.length - 1];
      if (last && last[0] === symbol) last[2] = i; else list.push([symbol, i, i]);
    });
    return list;
  };
  const paint = (name, symbols) => {
    const track = one(`#${name}-track`), names = one(`#${name}-names`), n = symbols.length - 1;
    track.replaceChildren(); names.replaceChildren();
    const make = (kind, values) => { const node = document.createElementNS(track.namespaceURI, kind); set(node, values); return node; };
    const list = runs(symbols);
    list.forEach(([symbol, from, to], k) => {
      const left = k ? (from - .5) / n : 0, right = k < list.length - 1 ? (to + .5) / n : 1;
      track.append(make("rect", {class: `seg v-${data.names[symbol].replace(" ", "-")}`, x: pc(left), width: pc(right - left), y: 0, height: 12, rx: 2}));
      const text = make("text", {x: pc((left + right) / 2), y: 13, "text-anchor": "middle"});
      const word = make("tspan", {class: "word"});
      text.textContent = symbol;
      word.textContent = right - left > .2 ? ` ${data.names[symbol]}` : "";
      text.append(word);
      names.append(text);
    });
  };
  const move = () => {
    const r = Number(rope.value), m = Number(mass.value);
    const width = data.ropes[r], [low, high] = data.hdis[m], symbol = data.symbols[r][m];
    const ropeText = width ? `±${width.toFixed(3)}` : "none", massText = data.masses[m];
    one("#rope-value").textContent = ropeText;
    one("#mass-value").textContent = massText;
    set(rope, {"aria-valuetext": `${ropeText}: ${data.names[symbol]}`});
    set(mass, {"aria-valuetext": `${massText}: ${data.names[symbol]}`});
    paint("rope", data.symbols.map((row) => row[m]));
    paint("mass", [...data.symbols[r]]);
    const left = at(-width), right = at(width);
    set(one(".rope", figure), {x: pc(left), width: pc(right - left)});
    all(".brim", figure).forEach((edge, i) => {
      const x = [left, right][i];
      set(edge, {x1: pc(x), x2: pc(x), visibility: x > 0 && x < 1 ? "visible" : "hidden"});
    });
    set(one("#clip-worse rect"), {x: 0, width: 1000 * left});
    set(one("#clip-same rect"), {x: 1000 * left, width: 1000 * (right - left)});
    set(one("#clip-better rect"), {x: 1000 * right, width: 1000 * (1 - right)});
    set(one(".span", figure), {x1: pc(at(low)), x2: pc(at(high))});
    set(one("#span-low"), {x: pc(at(low))}); one("#span-low").textContent = signed(low);
    set(one("#span-high"), {x: pc(at(high))}); one("#span-high").textContent = signed(high);
    const shown = data.shown[r], middle = [left / 2, (left + right) / 2, (right + 1) / 2];
    ["worse", "same", "better"].forEach((name, i) => {
      const group = one(`#label-${name}`);
      set(group, {x: pc(middle[i])});
      one("[data-share]", group).textContent = shown[i];
      group.setAttribute("visibility", [left, right - left, 1 - right][i] > .12 ? "visible" : "hidden");
    });
    const asked = r === data.asked[0] && m === data.asked[1];
    reset.hidden = asked;
    line.textContent = asked ? data.stays
      : `With ${width ? "a rope of " + ropeText : "no rope"} and a ${massText} interval the answer would be: ${data.sentences[symbol]}. Worse ${shown[0]}, equivalent ${shown[1]}, better ${shown[2]}.`;
  };
  for (const knob of [rope, mass]) { knob.addEventListener("input", move); }
  reset.addEventListener("click", () => { [rope.value, mass.value] = data.asked; move(); rope.focus(); });
  for (const node of all(".needs-script")) node.hidden = false;
  move();
})();
