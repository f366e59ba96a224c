"""docs/results.md from judged results: {data set: {preset: result}}. What depends on numbers is written from them."""
import textwrap

from results_table import figures_table
from scores import count, figures, minutes_text, number

KINDS = ("samples", "progress", "losses", "likelihood")  # the pictures of a run; none of them is a photograph
TITLES = {"drawn": "Drawn streets", "real": "Real photographs"}
ABOUT = {"drawn": "`nowhere synth` drew them", "real": "Photographs of real streets, which are not shown here"}
HELD_OUT = {
    "sequences": "Whole sequences were held out to judge by: no run was trained on a frame of them.",
    "files": "Single photographs were held out to judge by, though perhaps not the frames next to them.",
    "nothing": "Nothing was held out: so few sequences cannot be parted, and the runs have seen the photographs that they are judged by.",
    "unknown": "Whether the runs have seen the photographs that they are judged by is not known.",
}
READING = """## How to read the figures

- **SWD**, the sliced Wasserstein distance, compares patches at several scales. Its floor is the distance between two sets of
  photographs: at 1 times the floor it cannot tell samples from photographs.
{network}- Compare what is over the floor, at the same size of picture. The presets of the reference cut smaller squares out of
  photographs than `streets` does, and every run is judged by photographs that are cut as it saw them.
- **Parzen log-likelihood** is what the reference reports. Smooth pictures may score more than photographs do, so it proves little.
- The rest is explained in [Sampling and judging](judging.md).
"""
NETWORK = """- **FD**, a Fréchet distance, compares what {network} sees in them. That network trained none of the runs. It is not
  Inception, so FD is no FID: compare it with other figures of this page alone.
- Precision and density say how many samples look real to it, recall and coverage how many kinds of photograph occur.
"""
NO_STEPS = "No epoch was complete in this time, so there are no steps to show."
NUMBERS = {1: "One core", 2: "Two cores", 4: "Four cores", 8: "Eight cores"}


def paragraph(sentences):
    return textwrap.fill(" ".join(filter(None, sentences)), 124, break_on_hyphens=False, break_long_words=False)


def listed(words):
    """"a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def asked_minutes(result):
    return result["settings"]["training"]["minutes"]


def machines(everything):
    """Where it was measured: "2 cores (AMD EPYC)". Mostly one machine."""
    return listed(sorted({f"{result['machine']['cores']} core{'s' * (result['machine']['cores'] > 1)} ({result['machine']['cpu']})"
                          for result in everything}))


def preset_minutes(results):
    """"naive-64 and streets-64 for 5 minutes; streets-128 for 60 minutes"."""
    by_minutes = {}
    for presets in results.values():
        for preset, result in presets.items():
            names = by_minutes.setdefault(asked_minutes(result), [])
            names += [preset] * (preset not in names)
    return "; ".join(f"{listed(names)} for {minutes_text(minutes)}" for minutes, names in sorted(by_minutes.items()))


def introduction(results):
    everything = [result for presets in results.values() for result in presets.values()]
    images = [result["training"]["images"] for result in everything]
    cores = max(result["machine"]["cores"] for result in everything)
    date = max(result["scores"]["model"]["date"] for result in everything)
    seeds = sorted({result["settings"]["training"]["seed"] for result in everything})
    return "\n\n".join(["# Results", paragraph([
        f"`scripts/results` made this page on {date}: it trains presets of the reference and of nowhere, judges each by the same",
        f"measures, and shows what came out, whatever it looks like. Each was trained once, from seed {listed(list(map(str, seeds)))}."]),
        paragraph([
            f"They were trained on {machines(everything)}: {preset_minutes(results)}.",
            f"{NUMBERS.get(cores, f'{cores} cores')} can do so much and no more.",
            f"A run saw {count(min(images))} to {count(max(images))} images, where published GANs are shown millions.",
            "These are sketches of streets, and the figures say how far from photographs they are."])])


def by_size(found):
    """{64: {"naive-64": figures, ...}, 128: ...}"""
    sizes = {}
    for preset, one in found.items():
        sizes.setdefault(one["size"], {})[preset] = one
    return dict(sorted(sizes.items()))


def times_text(found, key):
    return listed([f"{one[key]:.1f} for {preset}" for preset, one in found.items() if one[key] is not None])


def comparison(size, found, minutes):
    """How far from photographs the presets of one size are, in times the floor."""
    parts = [f"{name} is {times_text(found, key)}" for name, key in (("SWD", "swd_ratio"), ("FD", "fd_ratio"))
             if any(one[key] is not None for one in found.values())]
    if not parts:
        return ""
    unequal = len({minutes[preset] for preset in found}) > 1
    note = f" ({listed([f'{preset} had {minutes_text(minutes[preset])}' for preset in found])})" if unequal else ""
    return f"At {size} px, in times the floor, {', and '.join(parts)}{note}."


def answers(title, found, key):
    """What the program answers to a question: "Copies: no sign of copying (naive-64); ..."."""
    by_words = {}
    for preset, one in found.items():
        by_words.setdefault(one[key], []).append(preset)
    by_words.pop(None, None)
    return f"{title}: {'; '.join(f'{words} ({listed(presets)})' for words, presets in by_words.items())}." if by_words else ""


def findings(key, presets, found):
    """The paragraph above the pictures of a data set."""
    first = next(iter(presets.values()))
    minutes = {preset: asked_minutes(result) for preset, result in presets.items()}
    sentences = [f"{ABOUT[key]}; {count(first['data']['count'])} of them were trained on.",
                 HELD_OUT.get(first["scores"]["data"].get("held_out"), HELD_OUT["unknown"]),
                 *(comparison(size, some, minutes) for size, some in by_size(found).items()),
                 answers("Copies", found, "copies_words"), answers("Variety", found, "variety_words")]
    return paragraph(sentences)


def picture(shown, key, preset, kind, words):
    name = f"{key}-{preset}-{kind}.jpg"
    return f"![{words}](results/{name})" if name in shown else ""


def run_section(key, preset, found, shown):
    """The pictures of a run."""
    where = TITLES[key].lower()
    samples = picture(shown, key, preset, "samples", f"samples of {preset}, {where}")
    progress = picture(shown, key, preset, "progress", f"the same latent vectors by epoch, {preset}, {where}")
    plots = [picture(shown, key, preset, kind, f"{words} of {preset}, {where}")
             for kind, words in (("losses", "losses and speed"), ("likelihood", "log-likelihood by epoch"))]
    speed = f" in {number(found['minutes'])} minutes, {number(found['images_per_second'])} a second" if found["minutes"] else ""
    facts = f"{count(found['images'])} images{speed}."
    steps = f"The same latent vectors, by epoch:\n\n{progress}" if progress else NO_STEPS
    return "\n\n".join(filter(None, [f"### {preset}", facts, samples, steps, plot_row([plot for plot in plots if plot])]))


def plot_row(plots):
    """Side by side."""
    return f"| {' | '.join(plots)} |\n|{'---|' * len(plots)}" if plots else ""


def data_section(key, presets, shown):
    if not presets:
        return f"## {TITLES[key]}\n\nThere were none at hand when this page was made; `scripts/results --photos DIR` adds them."
    found = {preset: figures(result) for preset, result in presets.items()}
    return "\n\n".join([f"## {TITLES[key]}", findings(key, presets, found),
                        *(run_section(key, preset, found[preset], shown) for preset in presets),
                        f"### Figures, {TITLES[key].lower()}", figures_table(found)])


def reading(results):
    networks = [result["scores"]["features"]["network"] for presets in results.values() for result in presets.values()
                if result["scores"].get("features")]
    return READING.format(network=NETWORK.format(network=networks[0]) if networks else "")


def page(results, shown):
    """The page; `shown` are the names of the pictures that there are."""
    sections = [data_section(key, results.get(key, {}), shown) for key in TITLES if results.get(key) or key == "real"]
    return "\n\n".join([introduction(results), *sections, reading(results)])
