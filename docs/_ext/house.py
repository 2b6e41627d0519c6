"""Draw the packages of likelier and the imports between them, from the source.

    python docs/_ext/house.py        writes docs/pictures/house.svg

A package stands above all that it imports. Arrows that follow from others are left out.
"""

import ast
import itertools
import textwrap
from collections.abc import Iterator
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
SOURCE = DOCS.parent / "src" / "likelier"
PICTURE = DOCS / "pictures" / "house.svg"

# Modules that share a box; any other module or package has one of its own.
TOGETHER = {
    "questions": (
        "The questions: one public function in each module",
        (
            *("_compare", "_groups", "_folds", "_fold_scores", "_rank", "_ranks"),
            *("_estimate", "_null_test", "_sensitivity", "_plan", "_plan_search"),
            *(
                "_inputs",
                "_task_groups",
                "_doctor",
                "_advice",
                "_table_advice",
                "_uncertainty",
            ),
        ),
    ),
    "decision": (
        "Verdicts, the rules that give them, and the outlook",
        ("decision", "outlook"),
    ),
    "distribution": (
        "Posterior, null and sampling distributions; densities to draw",
        ("distribution", "density_curve"),
    ),
    "checks": ("Findings: the checks, and what to do", ("checks", "explanations")),
    "settings": (
        "Records: settings, citations, findings",
        ("settings", "citations", "findings", "origin"),
    ),
    "base": (
        "Intervals, errors, numbers as text, random streams, types of arrays",
        (
            *("interval", "errors", "formatting", "streams"),
            *("_typing", "_lazy", "_constructor", "_version", "data_frames"),
        ),
    ),
}
# A result draws itself and makes its page: these two are loaded when called, and the
# only imports that lead upwards.
UPWARDS = (("results", "plots"), ("results", "report"))
WIDTH, HEIGHT, GAP, RISE, MARGIN = 200, 76, 22, 40, 12
LANE = 14  # width of a row's place for an arrow that passes through
SWEEPS = 12

Graph = dict[str, set[str]]


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(draw(), encoding="utf-8")


def draw() -> str:
    """Return the picture as SVG."""
    imports, sentences = read_house()
    rows, chains = arrange({box: direct(imports, box) for box in imports})
    total = max(sum(map(width, row)) + GAP * (len(row) - 1) for row in rows)
    corners = {
        name: (x, MARGIN + number * (HEIGHT + RISE))
        for number, row in enumerate(rows)
        for name, x in zip(row, left_edges(row, total), strict=True)
    }
    arrows = [arrow([(name, *corners[name]) for name in chain]) for chain in chains]
    boxes = [square(box, sentences[box], *corners[box]) for box in sorted(imports)]
    height = 2 * MARGIN + len(rows) * (HEIGHT + RISE) - RISE
    head = HEAD.format(width=total + 2 * MARGIN, height=height)
    return head + "".join((*arrows, *boxes, TAIL))


def read_house() -> tuple[Graph, dict[str, str]]:
    """Return the boxes that each box imports, and a sentence on each."""
    home = {module: box for box, (_, names) in TOGETHER.items() for module in names}
    imports: Graph = {}
    sentences = {box: sentence for box, (sentence, _) in TOGETHER.items()}
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if module == "__init__":
            continue
        box = home.get(module, module)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if box not in sentences:
            sentences[box] = (ast.get_docstring(tree) or "").split("\n")[0].rstrip(".")
        targets = {home.get(name, name) for name in imported(tree)} - {box}
        targets -= {below for above, below in UPWARDS if above == box}
        imports.setdefault(box, set()).update(targets)
    return imports, sentences


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the top-level names of likelier that a module imports, now or later."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "likelier":
            names = [name.name for name in node.names]
            yield from (
                name
                for name in names
                if (SOURCE / name).exists() or (SOURCE / f"{name}.py").exists()
            )
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "likelier."
        ):
            yield node.module.split(".")[1]


def direct(imports: Graph, box: str) -> set[str]:
    """Return what a box imports, without what those import in turn."""
    indirect = (reachable(imports, below) - {below} for below in imports[box])
    return imports[box].difference(*indirect)


def reachable(imports: Graph, box: str) -> set[str]:
    """Return a box and everything below it."""
    return {box}.union(*(reachable(imports, name) for name in imports[box]))


def arrange(imports: Graph) -> tuple[list[list[str]], list[list[str]]]:
    """Return rows of boxes, each above all that it imports, and the arrows.

    An arrow is a chain of names; where it passes through a row, it has a lane there.
    Rows are ordered by the middles of their neighbours (Sugiyama, Tagawa & Toda 1981).
    """

    def level(box: str) -> int:
        above = [other for other in imports if box in imports[other]]
        return 1 + max(map(level, above)) if above else 0

    levels = {box: level(box) for box in sorted(imports)}
    rows: list[list[str]] = [[] for _ in range(max(levels.values()) + 1)]
    for box, number in levels.items():
        rows[number].append(box)
    chains = []
    for box in sorted(imports):
        for below in sorted(imports[box]):
            lanes = [
                f"{box}>{below}>{row}" for row in range(levels[box] + 1, levels[below])
            ]
            for row, lane in enumerate(lanes, levels[box] + 1):
                rows[row].append(lane)
            chains.append([box, *lanes, below])
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        order = range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1)
        for number in order:
            beside = rows[number - 1 if downwards else number + 1]
            rows[number].sort(
                key=lambda name, beside=beside: middle(name, beside, chains)
            )
    return rows, chains


def middle(name: str, beside: list[str], chains: list[list[str]]) -> float:
    """Return the mean position, from 0 to 1, of a name's neighbours in a row."""
    pairs = {pair for chain in chains for pair in itertools.pairwise(chain)}
    near = [
        (index + 0.5) / len(beside)
        for index, other in enumerate(beside)
        if (name, other) in pairs or (other, name) in pairs
    ]
    return sum(near) / len(near) if near else 0.5


def width(name: str) -> int:
    """Return the width of a box, or of a lane."""
    return LANE if ">" in name else WIDTH


def left_edges(row: list[str], total: float) -> Iterator[float]:
    """Yield the left edges of a centred row."""
    x = MARGIN + (total - sum(map(width, row)) - GAP * (len(row) - 1)) / 2
    for name in row:
        yield x
        x += width(name) + GAP


def arrow(corners: list[tuple[str, float, float]]) -> str:
    """Return an arrow from the foot of the first box to the top of the last."""
    name, x, y = corners[0]
    x, y = x + width(name) / 2, y + HEIGHT
    path = f"M{x:.0f},{y:.0f}"
    for name, left, top in corners[1:]:
        to = left + width(name) / 2
        path += f" C{x:.0f},{y + RISE / 2:.0f} {to:.0f},{top - RISE / 2:.0f}"
        path += f" {to:.0f},{top:.0f}"
        x, y = to, top + HEIGHT
        if ">" in name:
            path += f" V{y:.0f}"
    return f'<path class="arrow" d="{path}"/>\n'


def square(name: str, sentence: str, x: float, y: float) -> str:
    """Return a box with its name and a sentence."""
    lines = textwrap.wrap(sentence, 34, max_lines=3, placeholder=" …")
    text = "".join(
        f'<text class="small" x="{x + 10:.0f}" y="{y + 37 + 14 * row:.0f}">'
        f"{escape(line)}</text>"
        for row, line in enumerate(lines)
    )
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text class="name" x="{x + 10:.0f}" y="{y + 20:.0f}">{escape(name)}</text>'
        f"{text}\n"
    )


HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" \
role="img" aria-label="Packages of likelier and the imports between them">
<style>
rect {{ fill: #f6f8fa; stroke: #57606a }}
text {{ font-family: DejaVu Sans, Verdana, sans-serif; fill: #1f2328 }}
.name {{ font-size: 14px; font-weight: bold }}
.small {{ font-size: 10px }}
.arrow {{ fill: none; stroke: #8c959f; marker-end: url(#tip) }}
#tip path {{ fill: #8c959f }}
@media (prefers-color-scheme: dark) {{
rect {{ fill: #161b22; stroke: #8b949e }}
text {{ fill: #e6edf3 }}
}}
</style>
<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="3" \
orient="auto"><path d="M0,0 L6,3 L0,6 z"/></marker></defs>
"""
TAIL = "</svg>\n"

if __name__ == "__main__":
    main()
