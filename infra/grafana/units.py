"""Numbers as Grafana writes them, for the units that the dashboards use."""

SHORT = [(1e12, " T"), (1e9, " Bil"), (1e6, " Mil"), (1e3, " K")]
BYTES = [(2**40, " TiB"), (2**30, " GiB"), (2**20, " MiB"), (2**10, " KiB"), (1, " B")]
RATES = [(1e12, " TB/s"), (1e9, " GB/s"), (1e6, " MB/s"), (1e3, " kB/s"), (1, " B/s")]
TIMES = [(86400, " d"), (3600, " h"), (60, " min"), (1, " s"), (1e-3, " ms"), (1e-6, " µs")]


def plain(value, decimals=None):
    """Three digits that say something, or as many decimals as are asked for."""
    if decimals is not None:
        return f"{value:.{decimals}f}"
    if value == 0:
        return "0"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def scaled(value, steps, rest="", decimals=None):
    for size, name in steps:
        if abs(value) >= size:
            return plain(value / size, decimals) + name
    return plain(value, decimals) + rest


def text_of(value, unit, decimals=None):
    if unit == "percentunit":
        return plain(100 * value, decimals) + "%"
    if unit == "bytes":
        return scaled(value, BYTES, " B", decimals)
    if unit == "Bps":
        return scaled(value, RATES, " B/s", decimals)
    if unit == "s":
        return scaled(value, TIMES, " s", decimals)
    if unit == "reqps":
        return plain(value, decimals) + " req/s"
    if unit == "sci":
        return f"{value:.2g}"
    if unit == "short":
        return scaled(value, SHORT, decimals=decimals if abs(value) < 1000 else None)
    if unit == "none":
        return plain(value, decimals)
    raise ValueError(f"no way to write the unit {unit!r}")
