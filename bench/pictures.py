"""scripts/bench pictures: recipes of streets-64 trained for equal minutes of the processor, and judged by a network that trained none of them.
Rounds alternate over the recipes; the tables and a sheet of pictures come last. Stopped, it goes on; a run that is judged is not
done again while its settings are the same. What it keeps is in build/bench/pictures: remove it after a change of the program."""
import argparse
import re
import sys

from PIL import Image

import runs
from pictures_table import conditions, floor_line, score_line, variants_table
from scores import count, figures, median_run, minutes_text
from sheets import contact_sheet

WORK = runs.TOP / "build" / "bench" / "pictures"
PRESET, HEIGHT = "streets-64", 120
VARIANTS = {
    "pixels": ["--features", "none"],
    "streets-64": [],
    "no thumbnails": ["--d-thumbnail", "0"],
    "no low-pass": ["--g-low-pass", "no"],
    "full colour augmentation": ["--diff-strength", "1"],
    "with a pixel D": ["--d-pixels", "yes"],
    "relativistic heads": ["--head-loss", "relativistic"],
    "batch 32": ["--batch-size", "32"],
    "batch 16": ["--batch-size", "16"],
    "ema 5%": ["--ema-share", "0.05"],
    "ema 20%": ["--ema-share", "0.2"],
    "residual generator": ["--architecture", "residual"],
    "twice the learning rate": ["--lr", "0.004"],
    "half the learning rate": ["--lr", "0.001"],
    "synced augmentation": ["--diff-synced", "yes"],
}
# Saving in the middle would take time from small data sets, whose epochs are short.
SAVING = ["--save-frequency", "1000000", "--keep-last", "1"]


def plain(name):
    """A name for folders and command lines: no-thumbnails."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def chosen_variants(names):
    known = {plain(name): name for name in VARIANTS}
    unknown = [name for name in names if plain(name) not in known]
    if unknown:
        sys.exit(f"failed: --variants {','.join(unknown)}\n  what to do: give some of: {', '.join(known)}")
    return [known[plain(name)] for name in names] or list(VARIANTS)


def flags_of(variant):
    return ["--preset", PRESET, *VARIANTS[variant], *SAVING]


def recipes_of(variants, data):
    """{variant: every setting}. One whose flag says what the preset says anyway is left out."""
    recipes = {variant: runs.recipe_of(flags_of(variant), data) for variant in variants}
    itself = runs.recipe_of(flags_of(PRESET), data)
    same = [variant for variant, recipe in recipes.items() if recipe == itself and variant != PRESET]
    if same:
        print(f"left out, being {PRESET} itself: {', '.join(same)}", flush=True)
    return {variant: recipe for variant, recipe in recipes.items() if variant not in same}


class Run:
    """A recipe on a data set from one seed."""

    def __init__(self, variant, recipe, data, seed, options):
        self.variant, self.data, self.seed = variant, data, seed
        self.folder = options.work / data["key"] / f"{plain(variant)}-{seed}"
        self.settings = runs.settings_of(data, flags_of(variant), recipe, options.minutes, seed, options)

    def result(self):
        return runs.judged(self.folder, self.settings)

    def sheet(self):
        """64 samples of the run."""
        file = self.folder / "samples.png"
        if not file.exists():
            runs.nowhere("sample", self.folder / "run", "--seeds", "0-63", "-o", file)
        return Image.open(file)

    def do(self):
        (self.folder / "samples.png").unlink(missing_ok=True)
        return figures(runs.train_and_judge(self.folder, self.settings, self.data))


def do_rounds(todo):
    """Trains and judges what is not judged yet. Listed round by round, so that a slow hour of the machine hits all alike."""
    missing = [run for run in todo if not run.result()]
    minutes = sum(run.settings["training"]["minutes"] for run in missing)
    print(f"{len(todo)} runs, {len(todo) - len(missing)} judged before; {minutes_text(minutes)} of training to do", flush=True)
    for place, run in enumerate(missing):
        print(f"{place + 1} of {len(missing)}: {run.variant}, {run.data['title']}, seed {run.seed}", flush=True)
        try:
            found = run.do()
            print(f"  {count(found['images'])} images, {score_line([found])}", flush=True)
        except runs.TrainingFailed as failure:  # the others go on
            print(failure, flush=True)


def variant_name(variant):
    flags = VARIANTS.get(variant)
    return f"{variant} (`{' '.join(flags)}`)" if flags else variant


def report(data, done, work):
    """The table of a data set, and the pictures of each recipe's median run side by side."""
    by_variant, sheets = {}, []
    for run in done:
        by_variant.setdefault(run.variant, []).append(run)
    found = {variant: [figures(run.result()) for run in several] for variant, several in by_variant.items()}
    seeds = sorted({run.seed for run in done})
    named = {variant_name(variant): several for variant, several in found.items()}
    print(f"\n{conditions(done[0].result(), seeds)}\n\n{variants_table(named)}")
    for variant, several in by_variant.items():
        sheet = several[median_run(found[variant])].sheet()
        sheet.save(work / f"{data['key']}-{plain(variant)}.png")
        sheets.append((variant, score_line(found[variant]), sheet))
    file = work / f"{data['key']}.png"
    minutes, everything = done[0].settings["training"]["minutes"], sum(found.values(), [])
    title = f"{data['title'].capitalize()}, {minutes_text(minutes)} for each run; photographs score {floor_line(everything)}"
    contact_sheet(title, sheets).save(file)
    print(f"\npictures: {file}")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench pictures", description=__doc__.partition(": ")[2])
    parser.add_argument("--variants", default="", metavar="A,B", help=f"which recipes [all]: {', '.join(map(plain, VARIANTS))}")
    parser.add_argument("--minutes", type=float, default=3, help="of training, for each run [3]")
    parser.add_argument("--seeds", default="1,2,3", help="a round for each [1,2,3]")
    runs.add_options(parser, WORK, 2000, "cpu")
    return parser.parse_args()


def main():
    options = arguments()
    variants = chosen_variants([name for name in options.variants.split(",") if name])
    data = runs.data_sets(options.work, options.data, options.photos, HEIGHT)
    recipes = recipes_of(variants, data[0]) if data else {}
    todo = [Run(variant, recipe, one, int(seed), options) for seed in options.seeds.split(",") for one in data
            for variant, recipe in recipes.items()]
    do_rounds(todo)
    for one in data:
        done = [run for run in todo if run.data is one and run.result()]
        if done:
            report(one, done, options.work)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; run it again to go on")
