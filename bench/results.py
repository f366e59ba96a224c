"""scripts/results: trains the reference's presets and ours on drawn streets and on real photographs, judges them and writes
docs/results.md with its pictures. Stopped, it goes on; a run that is judged is not done again. What it keeps is in build/results."""
import argparse
import shutil
import sys
from pathlib import Path

from PIL import Image

import runs
from results_page import KINDS, page
from sheets import progress_strip, save_jpeg

WORK, DOCS = runs.TOP / "build" / "results", runs.TOP / "docs"
HEIGHT = 192  # of packed frames: enough for squares of 128 pixels out of the reference's crops
# Minutes of training, batches between log points, and images between saves: large batches are few in so short a time.
PRESETS = {"naive-64": (5, 5, 500), "safe-128": (5, 1, 500), "streets-64": (5, 20, 2000), "streets-128": (60, 20, 10000)}
SEED, PLOT_WIDTH = 1, 640


def minutes_of(text):
    """{preset: minutes} of "streets-64=5,streets-128=60" over the defaults."""
    minutes = {preset: float(values[0]) for preset, values in PRESETS.items()}
    for pair in filter(None, text.split(",")):
        preset, _, value = pair.partition("=")
        if preset not in PRESETS or not value.replace(".", "", 1).isdigit():
            sys.exit(f"failed: --minutes {pair}\n  what to do: give some of: {','.join(f'{name}=5' for name in PRESETS)}")
        minutes[preset] = float(value)
    return minutes


def chosen_presets(text):
    names = [name for name in text.split(",") if name] or list(PRESETS)
    for name in names:
        if name not in PRESETS:
            sys.exit(f"failed: --presets {name}\n  what to do: give some of: {', '.join(PRESETS)}")
    return names


def flags_of(preset, data):
    _, log_frequency, images = PRESETS[preset]
    save_frequency = max(1, images // data["count"])
    return ["--preset", preset, "--log-frequency", str(log_frequency), "--save-frequency", str(save_frequency), "--keep-last", "1"]


def sample_sheet(run, size):
    """Eight columns: 64 pictures, or 32 where they are large."""
    file = run.parent / "samples.png"
    runs.nowhere("sample", run, "--seeds", "0-63" if size <= 64 else "0-31", "--columns", 8, "-o", file)
    return Image.open(file)


def run_progress(run):
    """The pictures of some latent vectors by epoch, or nothing where no epoch was saved."""
    files = runs.evenly(sorted((run / "figures" / "fixed_noise").glob("epoch_[0-9]*.png")), 8)
    epochs = [int(file.stem.partition("_")[2]) for file in files]
    return progress_strip(epochs, [Image.open(file) for file in files]) if files else None


def plot(file):
    return Image.open(file) if file.exists() else None


def make_pictures(run, folder, size):
    """What the page shows of a run: samples and plots. No photograph is among them: real.png, compare.png and the report's
    nearest pairs hold some."""
    runs.nowhere("figures", run)
    pictures = {"samples": sample_sheet(run, size), "progress": run_progress(run), "losses": plot(run / "figures" / "train_loss.png"),
                "likelihood": plot(run / "figures" / "log_likelihood.png")}
    for kind, picture in pictures.items():
        if picture:
            save_jpeg(picture, folder / f"{kind}.jpg", None if kind in ("samples", "progress") else PLOT_WIDTH)


def do_runs(presets, data, minutes, options):
    """Trains and judges what is not judged yet; the longest last."""
    for preset in sorted(presets, key=minutes.get):
        for one in data:
            folder = options.work / one["key"] / preset
            flags = flags_of(preset, one)
            settings = runs.settings_of(one, flags, runs.recipe_of(flags, one), minutes[preset], SEED, options, epochs=True)
            if runs.judged(folder, settings) and (folder / "pictures" / "samples.jpg").exists():
                continue
            print(f"{preset}, {one['title']}: training for {minutes[preset]:g} minutes, and judging", flush=True)
            shutil.rmtree(folder / "pictures", ignore_errors=True)  # of other settings
            result = runs.judged(folder, settings) or runs.train_and_judge(folder, settings, one)
            make_pictures(folder / "run", folder / "pictures", result["scores"]["model"]["picture_size"])


def judged_runs(work):
    """{data set: {preset: result}} of all that is judged, in the order of the page."""
    found = {key: {preset: runs.read_json(work / key / preset / "result.json") for preset in PRESETS} for key in ("drawn", "real")}
    return {key: {preset: result for preset, result in results.items() if result} for key, results in found.items()}


def publish(results, work, docs):
    """Writes the page and its pictures. Pictures of an older page go."""
    shutil.rmtree(docs / "results", ignore_errors=True)
    (docs / "results").mkdir(parents=True)
    shown = set()
    for key, presets in results.items():
        for preset in presets:
            for kind in KINDS:
                picture, name = work / key / preset / "pictures" / f"{kind}.jpg", f"{key}-{preset}-{kind}.jpg"
                if picture.exists():
                    shutil.copy(picture, docs / "results" / name)
                    shown.add(name)
    (docs / "results.md").write_text(page(results, shown))
    print(f"written: {docs / 'results.md'}, {len(shown)} pictures")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/results", description=__doc__.partition(": ")[2])
    parser.add_argument("--presets", default="", metavar="A,B", help=f"which to train [all]: {', '.join(PRESETS)}")
    parser.add_argument("--minutes", default="", metavar="A=5,B=60",
                        help=f"of training [{','.join(f'{name}={values[0]}' for name, values in PRESETS.items())}]")
    parser.add_argument("--page", action="store_true", help="train nothing: write the page of what is judged already")
    parser.add_argument("--docs", type=Path, default=DOCS, metavar="DIR", help="where the page goes [docs]")
    runs.add_options(parser, WORK, 5000, "clock")
    return parser.parse_args()


def main():
    options = arguments()
    presets, minutes = chosen_presets(options.presets), minutes_of(options.minutes)
    if not options.page:
        do_runs(presets, runs.data_sets(options.work, options.data, options.photos, HEIGHT), minutes, options)
    results = judged_runs(options.work)
    if not any(results.values()):
        sys.exit(f"failed: no judged run in {options.work}\n  what to do: run scripts/results without --page")
    publish(results, options.work, options.docs)


if __name__ == "__main__":
    try:
        main()
    except runs.TrainingFailed as failure:
        sys.exit(str(failure))
    except KeyboardInterrupt:
        sys.exit("stopped; run it again to go on")
