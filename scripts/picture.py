"""Draws docs/sluice.svg, the README's picture of Sluice's inputs, parts and outputs."""

import pathlib
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 890, 320
STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 12px; fill: #59636e }
  .title { font-weight: 600 }
  rect { fill: #f6f8fa; stroke: #818b98; stroke-width: 1.2 }
  .host { fill: #ddf4ff; stroke: #0969da }
  .cage { stroke-dasharray: 5 3 }
  path { fill: none; stroke: #59636e; stroke-width: 1.4; marker-end: url(#end) }
  #end path { fill: #59636e; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 }
    rect { fill: #151b23; stroke: #656c76 } .host { fill: #0c2d4d; stroke: #4493f8 }
    path { stroke: #9198a1 } #end path { fill: #9198a1 }
  }
"""


def box(x, y, width, height, title, lines=(), kind=""):
    middle = x + width / 2
    parts = [f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>']
    parts.append(f'<text class="title" x="{middle}" y="{y + 24}" text-anchor="middle">{escape(title)}</text>')
    for number, line in enumerate(lines):
        parts.append(
            f'<text class="small" x="{middle}" y="{y + 44 + 18 * number}" text-anchor="middle">{escape(line)}</text>'
        )
    return parts


def arrow(*points):
    steps = " L".join(f"{x} {y}" for x, y in points)
    return [f'<path d="M{steps}"/>']


def picture():
    parts = [
        '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    ]
    parts += box(20, 30, 150, 74, "scenario.yaml", ["steps, and what", "they come to"])
    parts += box(20, 124, 150, 74, "policy.json", ["as Graph or a backup", "tool exports it"])
    parts += box(260, 30, 360, 156, "host: one device, one thread", kind="host")
    parts += box(280, 70, 100, 96, "requests", ["who asks: from", "the connection,", "never a claim"])
    parts += box(390, 70, 100, 96, "rules", ["pure: a value", "in, a verdict", "out"])
    parts += box(500, 70, 100, 96, "journal", ["written before", "anybody hears", "of a verdict"])
    parts += box(710, 30, 150, 74, "report", ["text, JSON, JUnit,", "TAP, from the journal"])
    parts += box(710, 124, 150, 74, "exit status", ["1 where an", "expectation failed"])
    for x, title, line in [
        (180, "app", "ready-made, or your own"),
        (360, "app", "Swift, Python, C, …"),
        (540, "extension", "Lua, Swift, Python"),
    ]:
        parts += box(x, 250, 160, 56, title, [line], kind="cage")
        parts += arrow((x + 70, 250), (x + 70, 190))
        parts += arrow((x + 90, 190), (x + 90, 250))
    parts += arrow((170, 63), (256, 63))
    parts += arrow((170, 153), (256, 153))
    parts += arrow((620, 63), (706, 63))
    parts += arrow((620, 153), (706, 153))
    parts.append('<text class="small" x="716" y="226">pipes, protobuf, sealed tags</text>')
    parts.append('<text class="small" x="716" y="282">a confined process each</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="How Sluice works">\n<style>{STYLE}</style>\n{body}\n</svg>\n'
    )


path = pathlib.Path(__file__).resolve().parent.parent / "docs" / "sluice.svg"
path.write_text(picture(), encoding="utf-8")
