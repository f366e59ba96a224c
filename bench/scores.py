"""Figures of judged runs, from what `nowhere evaluate --json` and a run's stats.jsonl hold, and how they are written. Whatever
was not measured is None, and "-" in a table."""
import statistics

COPIES, VARIETY = "Does it copy its training photographs?", "Does it draw the same again and again?"
MANIFOLD = ("precision", "recall", "density", "coverage")
GRAVEST = ("poor", "fair", "note", "good")  # the first that occurs stands for several runs


def training_figures(stats, images):
    """Speed and time of a run, from the lines of stats.jsonl. The median of whole epochs, so that a busy hour of the
    machine does not count; a run that is shorter than one epoch has its last log point."""
    seconds = [(line["epoch_images"], sum(line["epoch_seconds"][key] for key in ("waiting", "device", "checkpoint", "other")))
               for line in stats if "epoch_done" in line]
    epochs = [images / took for images, took in seconds if took]
    speeds = [line["images_per_second"] for line in stats if line.get("images_per_second")]
    speed = statistics.median(epochs) if epochs else speeds[-1] if speeds else None
    return {"images": images, "images_per_second": speed, "minutes": images / speed / 60 if speed and images else None}


def ratio(value, floor):
    return value / floor if value is not None and floor else None


def figures(result):
    """The figures of a judged run, by short names."""
    scores = result["scores"]
    texture, features = scores.get("sliced_wasserstein") or {}, scores.get("features") or {}
    frechet, collapse, parzen = features.get("frechet") or {}, scores.get("collapse") or {}, scores.get("parzen") or {}
    found = dict(result["training"], swd=texture.get("mean"), swd_floor=texture.get("mean_floor"),
                 levels=texture.get("levels") or [], fd=frechet.get("value"), fd_floor=frechet.get("floor"),
                 size=scores["model"].get("picture_size"), diversity=collapse.get("diversity_ratio"))
    found |= {"swd_ratio": ratio(found["swd"], found["swd_floor"]), "fd_ratio": ratio(found["fd"], found["fd_floor"])}
    for name in MANIFOLD:
        found[name] = (features.get("samples") or {}).get(name)
        found[f"real_{name}"] = (features.get("real_photographs") or {}).get(name)
    return found | copy_figures(scores) | twin_figures(collapse) | likelihood_figures(parzen) | verdict_figures(scores)


def copy_figures(scores):
    """The worst of the spaces in which the nearest photographs were looked up."""
    spaces = scores.get("memorisation") or []
    shares = [space["nearer_than_1st_percentile"] for space in spaces if space.get("nearer_than_1st_percentile") is not None]
    distances = [ratio(space.get("sample_median"), space.get("held_out_median")) for space in spaces]
    return {"copies": max(shares, default=None), "distance": min((d for d in distances if d is not None), default=None)}


def twin_figures(collapse):
    birthday = collapse.get("birthday") or {}
    return {"twins": ratio(birthday.get("batches_with_duplicate"), birthday.get("batches")),
            "twins_of": birthday.get("batch_size"), "support": birthday.get("support")}


def likelihood_figures(parzen):
    test, real = parzen.get("test") or {}, parzen.get("real_photographs") or {}
    return {"likelihood": test.get("mean"), "likelihood_error": test.get("standard_error"), "sigma": parzen.get("sigma"),
            "real_likelihood": real.get("mean"), "real_likelihood_error": real.get("standard_error"),
            "sigma_on_edge": bool(parzen.get("sigma_on_edge") or real.get("sigma_on_edge"))}


def verdict_figures(scores):
    """"good" and so on, and the words that say why."""
    found = {verdict["question"]: verdict for verdict in scores.get("verdicts", [])}
    return {f"{name}_{part}": found.get(question, {}).get(key) for name, question in (("copies", COPIES), ("variety", VARIETY))
            for part, key in (("verdict", "verdict"), ("words", "words"))}


def measured(runs, key):
    return [run[key] for run in runs if run.get(key) is not None]


def median(runs, key):
    """Of the runs' figures of that name, or None."""
    values = measured(runs, key)
    return statistics.median(values) if values else None


def median_run(runs, keys=("fd", "swd")):
    """The place of the run in the middle by the first key that all of them have: of an even number the better one."""
    for key in keys:
        if all(run.get(key) is not None for run in runs):
            return sorted(range(len(runs)), key=lambda place: runs[place][key])[(len(runs) - 1) // 2]
    return 0


def gravest(runs, key):
    words = measured(runs, key)
    return next((word for word in GRAVEST if word in words), None)


def number(value):
    """Three digits: 0.52, 4.13, 41.3, 413, 4,130."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 99.95 else f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def count(value):
    return "-" if value is None else f"{value:,.0f}"


def minutes_text(minutes):
    return f"{minutes:g} minute{'' if minutes == 1 else 's'}"


def percent(value):
    return "-" if value is None else f"{100 * value:.{1 if 0 < value < 0.0995 else 0}f}%"


def spread(runs, key):
    """The median; of several runs also from where to where they lie."""
    values = measured(runs, key)
    text = number(median(runs, key))
    return text if len(values) < 2 else f"{text} ({number(min(values))} to {number(max(values))})"


def table(rows):
    """Rows of cells as a Markdown table; the first row is its head."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
