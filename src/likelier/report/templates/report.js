
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);
  const set = (node, values) => { for (const name in values) node.setAttribute(name, values[name]); };

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

  // Printing opens all that is folded.
  addEventListener("beforeprint", () => { for (const fold of all("details.fold")) fold.open = true; });

  // Sortable tables: a body for each line, with the values of its columns.
  for (const table of all("table.sortable")) {
    const heads = all("thead th[data-key]", table);
    const keys = new Map(all(":scope > tbody", table).map((line) => [line, JSON.parse(line.dataset.keys)]));
    const sort = (head, down) => {
      const key = Number(head.dataset.key), sign = down ? -1 : 1;
      const compare = ([, a], [, b]) => sign * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
      const foot = one(":scope > tfoot", table);
      for (const [line] of [...keys].sort(compare)) table.insertBefore(line, foot);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    const chooser = document.createElement("select");
    chooser.className = "only-narrow";
    chooser.setAttribute("aria-label", "Sort by");
    for (const head of heads) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      chooser.append(new Option(`sort by ${head.textContent}`, head.dataset.key, false, head.hasAttribute("aria-sort")));
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(head, head.getAttribute("aria-sort") === "ascending"));
    }
    table.before(chooser);
    chooser.addEventListener("change", () => sort(heads[chooser.selectedIndex], false));
  }

  // Changed items: kind of change, label, group, search; ten at a time.
  for (const form of all("form.tools")) {
    const table = document.getElementById(form.dataset.table), status = one(".status", form.parentElement), more = one(".more button", form.parentElement);
    const rows = all("tbody tr", table), texts = rows.map((row) => row.textContent.toLowerCase());
    let limit = 10;
    form.hidden = false;
    const show = () => {
      const words = form.elements.find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = ["direction", "label", "group"].filter((name) => form.elements[name]).map((name) => [name, form.elements[name].value]);
      let count = 0;
      rows.forEach((row, i) => {
        const fits = words.every((word) => texts[i].includes(word)) && wanted.every(([name, value]) => !value || row.dataset[name] === value);
        row.hidden = !fits || count >= limit;
        count += fits ? 1 : 0;
      });
      status.textContent = `${Math.min(count, limit)} of ${count} matching items shown. `;
      more.hidden = count <= limit;
      more.textContent = `Show ${Math.min(20, count - limit)} more`;
    };
    form.addEventListener("input", () => { limit = 10; show(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.elements.find.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.target.value = ""; show(); } });
    more.addEventListener("click", () => { limit += 20; show(); });
    one(".csv", form).addEventListener("click", () => {
      const cell = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
      const lines = [all("thead th", table), ...rows.map((row) => [...row.cells])].map((cells) => cells.map((node) => cell(node.dataset.value ?? node.textContent.trim())).join(","));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.join("\r\n")], {type: "text/csv"}));
      link.download = "changes.csv";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    show();
  }

  // What if: the sliders look up what the library computed at every stop.
  const embedded = one("#likelier-data");
  if (!embedded) return;
  const data = JSON.parse(embedded.textContent), figure = one("#density svg.posterior"), whatif = one("#whatif");
  const rope = one("#rope"), mass = one("#mass"), line = one("[data-live=line]"), reset = one("#reset"), stays = line.textContent;
  const low = Number(figure.dataset.low), high = Number(figure.dataset.high), regions = ["worse", "equivalent", "better"];
  const at = (value) => Math.min(Math.max((value - low) / (high - low), 0), 1);
  const pc = (share) => `${(100 * share).toFixed(2)}%`;
  const paint = (name, symbols) => {
    const track = one(`#${name}-track`), names = one(`#${name}-names`), n = symbols.length - 1, runs = [];
    track.replaceChildren(); names.replaceChildren();
    const make = (kind, values) => { const node = document.createElementNS(track.namespaceURI, kind); set(node, values); return node; };
    symbols.forEach((symbol, i) => {
      const last = runs[runs.length - 1];
      if (last && last[0] === symbol) last[2] = i; else runs.push([symbol, i, i]);
    });
    runs.forEach(([symbol, from, to], k) => {
      const left = k ? (from - .5) / n : 0, right = k < runs.length - 1 ? (to + .5) / n : 1;
      track.append(make("rect", {class: `seg ${data.names[symbol].replaceAll(" ", "-")}`, x: pc(left), width: pc(right - left), y: 0, height: 12, rx: 2}));
      if (right - left < .04) return;
      const text = make("text", {x: pc((left + right) / 2), y: 13, "text-anchor": "middle"}), word = make("tspan", {class: "word"});
      text.textContent = symbol;
      word.textContent = right - left > .2 ? ` ${data.names[symbol]}` : "";
      text.append(word);
      names.append(text);
    });
  };
  const move = () => {
    const r = Number(rope.value), m = Number(mass.value), symbol = [...data.symbols[r]][m], shown = data.shown[r];
    const [left, right] = (data.ropes[r] || [0, 0]).map(at), [from, to] = data.hdis[m].map(at), widths = [left, right - left, 1 - right];
    const room = widths.map((width) => width > .12);
    room[1] = data.ropes[r] && (!room[0] || right > .44) && (!room[2] || left < .56);
    one("#rope-value").textContent = data.rope_names[r];
    one("#mass-value").textContent = data.mass_names[m];
    set(rope, {"aria-valuetext": `${data.rope_names[r]}: ${data.names[symbol]}`});
    set(mass, {"aria-valuetext": `${data.mass_names[m]}: ${data.names[symbol]}`});
    paint("rope", data.symbols.map((row) => [...row][m]));
    paint("mass", [...data.symbols[r]]);
    set(one(".rope", figure), {x: pc(left), width: pc(right - left)});
    all(".brim", figure).forEach((edge, i) => {
      const x = [left, right][i];
      set(edge, {x1: pc(x), x2: pc(x), visibility: data.ropes[r] && x > 0 && x < 1 ? "visible" : "hidden"});
    });
    set(one(".span", figure), {x1: pc(from), x2: pc(to)});
    [["low", from], ["high", to]].forEach(([name, x], i) => { const end = one(`.${name}`, figure); set(end, {x: pc(x)}); end.textContent = data.ends[m][i]; });
    regions.forEach((name, i) => {
      set(one(`#density-${name} rect`), {x: 1000 * [0, left, right][i], width: 1000 * widths[i]});
      const group = one(`.${name}-label`, figure);
      if (!group) return;
      set(group, {x: pc([left / 2, (left + right) / 2, (right + 1) / 2][i]), visibility: room[i] ? "visible" : "hidden"});
      one("[data-share]", group).textContent = shown[i];
    });
    const asked = r === data.asked[0] && m === data.asked[1], ahead = data.outlooks && data.outlooks[r][m];
    const shares = regions.map((name, i) => `${name} ${shown[i]}`).filter((text, i) => i !== 1 || data.ropes[r]).join(", ");
    reset.hidden = asked;
    line.textContent = asked ? stays : `With ${data.ropes[r] ? `a rope of ${data.rope_names[r]}` : "no rope"} and a ${data.mass_names[m]} interval: ${data.headlines[[...data.unblocked[r]][m]]}; ${shares}.${ahead ? ` To decide it, ${ahead}.` : ""}`;
  };
  for (const knob of [rope, mass]) knob.addEventListener("input", move);
  reset.addEventListener("click", () => { [rope.value, mass.value] = data.asked; move(); rope.focus(); });
  for (const node of all(".knob", whatif)) node.hidden = false;
  // A browser that goes back may have kept where the sliders stood.
  move();
})();
