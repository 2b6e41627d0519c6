"""Visible and hidden texts of a page, their overlaps, contrasts and colours."""

from axe_playwright_python.sync_playwright import Axe

# Every text of the body with its parent; scripts and styles are no texts.
_TEXTS = """
const texts = function* () {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (node.data.trim() && !parent.closest("script, style")) yield [node, parent];
  }
};
const visible = (element) => element.checkVisibility({
  visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true,
});
"""

# Boxes of lines of text, cut where an ancestor scrolls; two of them must not meet. A
# line of inline text is taller than its letters: a little is allowed.
_OVERLAPS = f"""() => {{
  {_TEXTS}
  const cut = (box, element) => {{
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let up = element; up && up !== document.body; up = up.parentElement) {{
      if (getComputedStyle(up).overflow === "visible") continue;
      const edge = up.getBoundingClientRect();
      left = Math.max(left, edge.left); right = Math.min(right, edge.right);
      top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
    }}
    return {{left, top, right, bottom}};
  }};
  const boxes = [];
  for (const [node, parent] of texts()) {{
    if (!visible(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {{
      const box = cut(line, parent);
      if (box.right - box.left < 1 || box.bottom - box.top < 2) continue;
      boxes.push({{...box, node, text: node.data.trim().slice(0, 40)}});
    }}
  }}
  boxes.sort((a, b) => a.top - b.top);
  const pairs = [];
  boxes.forEach((a, i) => {{
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {{
      const b = boxes[j];
      if (a.node === b.node) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const tall = Math.min(a.bottom, b.bottom) - b.top;
      const least = Math.min(a.bottom - a.top, b.bottom - b.top);
      if (wide > 1 && tall > 0.3 * least) pairs.push([a.text, b.text]);
    }}
  }});
  return pairs;
}}"""

_HIDDEN = f"""(allowed) => {{
  {_TEXTS}
  const hidden = [];
  for (const [node, parent] of texts()) {{
    if (!visible(parent) && !parent.closest(allowed)) hidden.push(node.data.trim());
  }}
  return hidden;
}}"""

# The contrast of all texts, also of drawings, which axe leaves out, with what is below.
_CONTRASTS = f"""() => {{
  {_TEXTS}
  // Mixed colours are written as shares of 1.
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number).map(
    (value, i) => colour.startsWith("color(") && i < 3 ? 255 * value : value);
  const light = (colour) => {{
    const [r, g, b] = parts(colour).slice(0, 3).map((value) => value / 255).map(
      (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }};
  const ground = (element) => {{
    const colour = getComputedStyle(element).backgroundColor;
    const clear = parts(colour)[3] === 0;
    return clear ? ground(element.parentElement) : colour;
  }};
  const contrasts = [];
  for (const [node, parent] of texts()) {{
    // A dot where there is nothing to say need not be read.
    if (!visible(parent) || !/[\\p{{L}}\\p{{N}}]/u.test(node.data)) continue;
    const style = getComputedStyle(parent);
    const ink = parent.closest("svg") ? style.fill : style.color;
    const [a, b] = [ink, ground(parent)].map(light);
    contrasts.push((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }}
  return contrasts;
}}"""


def contrasts(page):
    """Return the contrasts of visible texts with the ground below them."""
    return page.evaluate(_CONTRASTS)


def overlaps(page):
    """Return the pairs of visible texts that lie on each other."""
    return page.evaluate(_OVERLAPS)


def hidden(page, *, allowed):
    """Return the hidden texts, but for those in some elements."""
    return page.evaluate(_HIDDEN, allowed)


def width(page):
    """Return the width of the page; wider than the window it scrolls sideways."""
    return page.evaluate("() => document.scrollingElement.scrollWidth")


def luminance(page, selector, name):
    """Return the brightness of a colour of an element, from 0 to 1."""
    script = "([s, n]) => getComputedStyle(document.querySelector(s))[n]"
    colour = page.evaluate(script, [selector, name])
    parts = colour[colour.index("(") + 1 :].rstrip(")").replace(",", " ").split()
    red, green, blue = (float(part) / 255 for part in parts[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def violations(page, *, contrast=False):
    """Return the serious violations of rules for accessible pages, by axe.

    Its slowest rule, on contrast, is for few pages: `contrasts` sees drawings as well.
    """
    rules = {"color-contrast": {"enabled": contrast}}
    options = {"resultTypes": ["violations"], "rules": rules}
    every = Axe().run(page, options=options).response["violations"]
    return [
        (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"]])
        for one in every
        if one["impact"] in ("serious", "critical")
    ]
