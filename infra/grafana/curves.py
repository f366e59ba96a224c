"""Curves over time as SVG: the timeseries panels of a dashboard."""
import html
import math
import time

from units import text_of

LEFT, RIGHT, TOP, BOTTOM = 62, 10, 8, 20  # pixels around the curves
LABEL = 75  # pixels, with the space beside it
TICKS = 4


def finite(points):
    return [(when, value) for when, value in points if math.isfinite(value)]


def stacked(lines):
    """Each line on top of those before it, by the times it has; with the line below for the area between."""
    below, result = {}, []
    for name, colour, points in lines:
        bottom = [(when, below.get(when, 0)) for when, _ in points]
        points = [(when, value + below.get(when, 0)) for when, value in points]
        below.update(points)
        result.append((name, colour, points, bottom))
    return result


def step_of(span, settings):
    """A round number; about TICKS of them are in the span. Bytes are round in powers of two."""
    rough = span / TICKS
    if settings["unit"] == "bytes":
        return 2.0 ** math.ceil(math.log2(rough * 0.999))
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return max(step, 1) if settings.get("decimals") == 0 else step


class Linear:
    def __init__(self, values, settings):
        low = settings.get("min", min(values, default=0))
        high = settings.get("max", max(values, default=1))
        if high <= low:
            high = low + (abs(low) or 1)
        step = step_of(high - low, settings)
        self.low = settings.get("min", math.floor(low / step) * step)
        self.high = settings.get("max", math.ceil(high / step - 1e-9) * step)
        first = math.ceil(self.low / step - 1e-9)
        self.ticks = [place * step for place in range(first, int((self.high + step * 1e-6) // step) + 1)]

    def share(self, value):
        return min(1, max(0, (value - self.low) / (self.high - self.low)))


class Logarithmic:
    def __init__(self, values):
        powers = [math.log10(value) for value in values if value > 0] or [0]
        self.low, self.high = math.floor(min(powers)), math.ceil(max(powers) + 1e-9)
        if self.high == self.low:
            self.high += 1
        every = math.ceil((self.high - self.low) / (TICKS + 1))
        self.ticks = [10.0**power for power in range(self.low, self.high + 1, every)]

    def share(self, value):
        return (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low)


def time_labels(start, end, width):
    """As many as fit."""
    span, room = end - start, width / LABEL
    every = next(step for step in (10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400, 10**9) if span / step <= room)
    form = "%H:%M:%S" if every < 60 else "%H:%M"
    first = math.ceil(start / every) * every
    return [(when, time.strftime(form, time.localtime(when))) for when in range(first, int(end) + 1, every)]


def path(points, x, y):
    return "M" + "L".join(f"{x(when):.1f},{y(value):.1f}" for when, value in points)


def curves(lines, settings, span, size):
    """lines: [(name, colour, [(time, value)])]; settings: the panel's fieldConfig.defaults."""
    width, height = size
    custom = settings["custom"]
    lines = [(name, colour, finite(points)) for name, colour, points in lines]
    shapes = stacked(lines) if custom["stacking"]["mode"] == "normal" else [(*line, None) for line in lines]
    values = [value for _, _, points, _ in shapes for _, value in points]
    axis = Logarithmic(values) if custom["scaleDistribution"]["type"] == "log" else Linear(values, settings)
    x = lambda when: LEFT + (when - span[0]) / (span[1] - span[0]) * (width - LEFT - RIGHT)  # noqa: E731
    y = lambda value: height - BOTTOM - axis.share(value) * (height - TOP - BOTTOM)  # noqa: E731
    parts = [f'<svg width="{width:.0f}" height="{height:.0f}" role="img">']
    for tick in axis.ticks:
        parts.append(f'<path d="M{LEFT},{y(tick):.1f}H{width - RIGHT:.1f}" stroke="#2a2d34"/>'
                     f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{html.escape(text_of(tick, settings["unit"]))}</text>')
    for when, label in time_labels(*span, width - LEFT - RIGHT):
        parts.append(f'<path d="M{x(when):.1f},{TOP}V{height - BOTTOM:.1f}" stroke="#22252b"/>'
                     f'<text x="{x(when):.1f}" y="{height - 5:.1f}" text-anchor="middle">{label}</text>')
    for _, colour, points, bottom in shapes:
        if not points:
            continue
        floor = bottom or [(points[0][0], axis.ticks[0]), (points[-1][0], axis.ticks[0])]
        area = path(points + floor[::-1], x, y) + "Z"
        parts.append(f'<path d="{area}" fill="{colour}" fill-opacity="{custom["fillOpacity"] / 100}"/>'
                     f'<path d="{path(points, x, y)}" fill="none" stroke="{colour}" stroke-width="{custom["lineWidth"]}" '
                     'stroke-linejoin="round"/>')
    return "".join(parts) + "</svg>"
