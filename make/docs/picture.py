#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make pictures: a terminal's text as an SVG, for light and dark screens.

    picture.py TITLE < text > picture.svg        TITLE: what was typed; also the picture's description
"""
import html
import sys
import unicodedata

FONT, LINE, WIDTH, MARGIN = 14, 19, 8.43, 16  # pixels; WIDTH: of a column of a monospaced font

STYLE = """
  text { font: %dpx ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1b1f24; white-space: pre; }
  rect { fill: #f6f8fa; stroke: #d0d7de; } .typed { font-weight: bold; } .hint { fill: #7a4a00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } rect { fill: #0d1117; stroke: #3d444d; } .hint { fill: #e3b341; }
  }
""" % FONT


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def main():
    title = sys.argv[1]
    lines = ["$ " + title] + sys.stdin.read().rstrip("\n").split("\n")
    wide = round(max(columns(line) for line in lines) * WIDTH + 2 * MARGIN)
    high = len(lines) * LINE + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
          f'viewBox="0 0 {wide} {high}" role="img" aria-label="{html.escape(title)}">')
    print(f"<!-- SPDX-License-Identifier: Apache-2.0; written by make pictures. --><style>{STYLE}</style>")
    print(f'<rect x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" rx="6"/>')
    hint = False
    for i, line in enumerate(lines):
        hint = ".cu:" in line or (hint and line.startswith("    "))
        kind = ' class="typed"' if i == 0 else ' class="hint"' if hint else ""
        y = MARGIN + (i + 1) * LINE - 5
        print(f'<text{kind} x="{MARGIN}" y="{y}" textLength="{round(columns(line) * WIDTH, 1)}">'
              f"{html.escape(line)}</text>" if line.strip() else "")
    print("</svg>")


main()
