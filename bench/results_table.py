"""The table of docs/results.md: a column for each preset, a row for each figure."""
from scores import MANIFOLD, count, number, percent, table


def times(value):
    return "-" if value is None else f"{value:.1f} times"


def beside(value, real):
    """A figure, and in brackets that of photographs."""
    return number(value) if real is None else f"{number(value)} ({number(real)})"


def level_text(found, key):
    return " ".join(count(level[key]) for level in found["levels"]) or "-"


def verdict_text(value, verdict):
    return f"{value}, {verdict}" if verdict else value


def twins_text(found):
    return "-" if found["twins"] is None else f"{percent(found['twins'])} of batches of {found['twins_of']}"


def support_text(found):
    """Two digits: it is a rough estimate, and an upper bound where every batch had twins."""
    if found["support"] is None:
        return "-"
    return ("fewer than " if found["twins"] == 1 else "about ") + count(float(f"{found['support']:.2g}"))


def likelihood_text(mean, error):
    return "-" if mean is None else f"{count(mean)} ± {count(error)}"


def sigma_text(found):
    return number(found["sigma"]) + (", at the edge of the grid" if found["sigma_on_edge"] else "")


ROWS = [
    ("picture", lambda found: f"{found['size']} px"),
    ("images/s", lambda found: number(found["images_per_second"])),
    ("images seen", lambda found: count(found["images"])),
    ("minutes", lambda found: number(found["minutes"])),
    ("SWD", lambda found: number(found["swd"])),
    ("its floor", lambda found: number(found["swd_floor"])),
    ("over its floor", lambda found: times(found["swd_ratio"])),
    ("SWD by level, fine to coarse", lambda found: level_text(found, "value")),
    ("their floors", lambda found: level_text(found, "floor")),
    ("FD", lambda found: number(found["fd"])),
    ("its floor", lambda found: number(found["fd_floor"])),
    ("over its floor", lambda found: times(found["fd_ratio"])),
    *((f"{name} (photographs)", lambda found, name=name: beside(found[name], found[f"real_{name}"])) for name in MANIFOLD),
    ("diversity (photographs: 1)", lambda found: number(found["diversity"])),
    ("samples very near a training photograph (new ones: 1%)",
     lambda found: verdict_text(percent(found["copies"]), found["copies_verdict"])),
    ("distance to the nearest one, over that of held-out photographs", lambda found: number(found["distance"])),
    ("batches with twins (birthday test)", twins_text),
    ("different pictures, by that test", support_text),
    ("Parzen log-likelihood, nats", lambda found: likelihood_text(found["likelihood"], found["likelihood_error"])),
    ("that of photographs", lambda found: likelihood_text(found["real_likelihood"], found["real_likelihood_error"])),
    ("sigma", sigma_text),
]


def figures_table(found):
    """{preset: figures} as Markdown. A row that nothing was measured for is left out."""
    rows = [[label, *(text(one) for one in found.values())] for label, text in ROWS]
    return table([["", *found], *(row for row in rows if set(row[1:]) != {"-"})])
