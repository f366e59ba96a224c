"""The tables of scripts/bench pictures, from judged results."""
from pathlib import Path

from scores import count, gravest, median, minutes_text, number, percent, spread, table


def score_line(found, names=(("SWD", "swd"), ("FD", "fd"), ("recall", "recall"))):
    """The medians of what was measured: SWD 85.2, FD 44.0, recall 0.02."""
    return ", ".join(f"{name} {number(median(found, key))}" for name, key in names if median(found, key) is not None)


def floor_line(found):
    return score_line(found, (("SWD", "swd_floor"), ("FD", "fd_floor")))


def level_text(found, key):
    """The medians by scale, fine to coarse."""
    levels = zip(*(run["levels"] for run in found))
    return " ".join(count(median(level, key)) for level in levels)


def with_verdict(share, verdict):
    return f"{share}, {verdict}" if verdict else share


def row(name, found):
    return [name, count(median(found, "images")), number(median(found, "images_per_second")), spread(found, "swd"),
            level_text(found, "value"), spread(found, "fd"),
            *(number(median(found, key)) for key in ("precision", "recall", "coverage", "diversity")),
            with_verdict(percent(median(found, "copies")), gravest(found, "copies_verdict")),
            with_verdict(percent(median(found, "twins")), gravest(found, "variety_verdict"))]


def floor_row(found):
    """What photographs score: the floor of every distance."""
    return ["photographs", "", "", number(median(found, "swd_floor")), level_text(found, "floor"), number(median(found, "fd_floor")),
            *(number(median(found, f"real_{key}")) for key in ("precision", "recall", "coverage")), "1.00", "1%", ""]


def variants_table(by_variant):
    """{recipe: [figures of each seed]} as Markdown: medians, of the distances also the lowest and the highest."""
    everything = [found for several in by_variant.values() for found in several]
    sizes = [level["name"] for level in everything[0]["levels"]]
    by_level = f"SWD by level, {sizes[0]} to {sizes[-1]}" if sizes else "SWD by level"
    head = ["recipe", "images seen", "images/s", "SWD (lowest to highest)", by_level, "FD (lowest to highest)",
            "precision", "recall", "coverage", "diversity", "very near a photograph", "batches with twins"]
    return table([head, floor_row(everything), *(row(name, found) for name, found in by_variant.items())])


def conditions(first, seeds):
    """What stands above a table, of one of its results."""
    machine, training, judging = first["machine"], first["settings"]["training"], first["settings"]["judging"]
    threads = training["threads"] or machine["cores"]
    of_the = " of the processor" if training["minutes_of"] == "cpu" else ""
    network = f" FD is the Fréchet distance on {Path(judging['judge']).stem}, which trained nothing." if judging["judge"] else ""
    return (f"{first['data']['title'].capitalize()}, {count(first['data']['count'])} of them to train on; {minutes_text(training['minutes'])}"
            f"{of_the} for each run, {threads} thread{'s' * (threads > 1)} on {machine['cores']} core{'s' * (machine['cores'] > 1)} ({machine['cpu']}), "
            f"seed{'s' * (len(seeds) > 1)} {', '.join(map(str, seeds))}, {count(judging['samples'])} samples.{network}")
