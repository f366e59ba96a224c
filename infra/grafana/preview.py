#!/usr/bin/env python3
"""Draws a dashboard as a page, for looking at it where there is no Grafana.

    python3 infra/grafana/preview.py infra/grafana/dashboards/training.json --minutes 30 -o training.html

It asks a running Prometheus for every panel, and draws the panels at the dashboard's own places on the grid, in its colours and
units. The page is one file; it needs no server and no script.
"""
import argparse
import html
import json
import re
import time
from pathlib import Path

from curves import curves
from prometheus_api import Prometheus
from units import text_of

CELL, GAP, WIDTH = 30, 8, 1600  # pixels; the first two are Grafana's
LETTER = 7  # pixels of a letter in a legend, about
PALETTE = ["#73bf69", "#5794f2", "#ff9830", "#f2495c", "#b877d9", "#5ac8c8", "#f2cc0c", "#8ab8ff", "#ffa6b0", "#a4b8c4"]
STYLE = f"""
body {{ margin: 0; background: #111217; color: #ccccdc; font: 13px/1.35 Inter, 'DejaVu Sans', Arial, sans-serif; width: {WIDTH}px; }}
header {{ padding: 14px 16px 2px; font-size: 19px; font-weight: 600; color: #f1f1f6; }}
header span {{ float: right; font-size: 12px; font-weight: 400; color: #8e8ea0; padding-top: 7px; }}
main {{ position: relative; margin: 8px; }}
section {{ position: absolute; background: #181b1f; border: 1px solid #24262c; border-radius: 3px; box-sizing: border-box; overflow: hidden; }}
section.row {{ background: none; border: 0; color: #dcdce6; font-weight: 600; font-size: 15px; padding-top: 4px; }}
h2 {{ margin: 7px 10px 0; font-size: 13px; font-weight: 600; color: #dcdce6; white-space: nowrap; }}
.stat {{ position: absolute; inset: 28px 0 4px; display: flex; align-items: center; justify-content: center; font-size: 36px; font-weight: 600; }}
.legend {{ position: absolute; left: 10px; right: 6px; bottom: 5px; overflow: hidden; font-size: 12px; line-height: 18px; }}
.legend span {{ margin-right: 14px; white-space: nowrap; display: inline-block; }}
.legend i {{ display: inline-block; width: 14px; height: 4px; border-radius: 2px; margin-right: 5px; vertical-align: 3px; }}
svg text {{ fill: #9a9aac; font-size: 11px; }}
"""


def name_of(target, labels):
    """The legend of a series, by the target's pattern."""
    pattern = target["legendFormat"]
    if pattern == "__auto":
        return ", ".join(f"{key}={value}" for key, value in labels.items() if key != "__name__") or "value"
    return re.sub(r"{{\s*(\w+)\s*}}", lambda match: labels.get(match[1], ""), pattern)


def fixed_colours(panel):
    return {rule["matcher"]["options"]: one["value"]["fixedColor"] for rule in panel["fieldConfig"]["overrides"]
            for one in rule["properties"] if one["id"] == "color"}


def chart(panel, prometheus, span, size):
    start, end, step = span
    found = [(name_of(target, labels), points) for target in panel["targets"]
             for labels, points in prometheus.over_time(target["expr"], start, end, step)]
    fixed, spare = fixed_colours(panel), iter(PALETTE * 10)
    lines = [(name, fixed.get(name) or next(spare), points) for name, points in found]
    legend = "".join(f'<span><i style="background:{colour}"></i>{html.escape(name)}</span>' for name, colour, _ in lines)
    long = sum(len(name) + 5 for name, _, _ in lines) * LETTER > size[0]
    below = 36 if long else 18
    picture = curves(lines, panel["fieldConfig"]["defaults"], (start, end), (size[0] - 12, size[1] - 38 - below))
    return (f'<div style="margin:2px 6px">{picture}</div>'
            f'<div class="legend" style="height:{below}px">{legend or "no data"}</div>')


def stat(panel, prometheus):
    settings = panel["fieldConfig"]["defaults"]
    found = prometheus.now(panel["targets"][0]["expr"])
    if not found:
        return '<div class="stat">no data</div>'
    value = found[0][1]
    reached = [step["color"] for step in settings["thresholds"]["steps"] if step["value"] is None or value >= step["value"]][-1]
    colour = "#f1f1f6" if reached == "text" else reached
    return f'<div class="stat" style="color:{colour}">{html.escape(text_of(value, settings["unit"], settings.get("decimals")))}</div>'


def panel_html(panel, prometheus, span):
    place, column = panel["gridPos"], (WIDTH - 16 + GAP) / 24
    size = (place["w"] * column - GAP, place["h"] * (CELL + GAP) - GAP)
    box = f'left:{place["x"] * column:.1f}px;top:{place["y"] * (CELL + GAP)}px;width:{size[0]:.1f}px;height:{size[1]}px'
    if panel["type"] == "row":
        return f'<section class="row" style="{box}">{html.escape(panel["title"])}</section>'
    inside = stat(panel, prometheus) if panel["type"] == "stat" else chart(panel, prometheus, span, size)
    return f'<section style="{box}" title="{html.escape(panel["description"])}"><h2>{html.escape(panel["title"])}</h2>{inside}</section>'


def page(board, prometheus, minutes, now=None):
    end = now or time.time()
    step = max(1, round(minutes * 60 / 300))
    span = (end - minutes * 60, end, step)
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in board["panels"]) * (CELL + GAP)
    panels = "\n".join(panel_html(panel, prometheus, span) for panel in board["panels"])
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(board["title"])}</title><style>{STYLE}</style>'
            f'<header>{html.escape(board["title"])}<span>the last {minutes:g} minutes</span></header>'
            f'<main style="height:{height}px">\n{panels}\n</main></html>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", type=Path, help="the JSON of a dashboard")
    parser.add_argument("--prometheus", default="http://127.0.0.1:9090", metavar="URL")
    parser.add_argument("--minutes", type=float, default=180, help="how far back (180)")
    parser.add_argument("--rate-window", default="1m", help="for $__rate_interval: at least four times the scrape interval (1m)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    options = parser.parse_args()
    board = json.loads(options.board.read_text())
    options.output.write_text(page(board, Prometheus(options.prometheus, options.rate_window), options.minutes))


if __name__ == "__main__":
    main()
