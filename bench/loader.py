"""scripts/bench loader: both sides on the same files, in alternating rounds; medians, and the ratios last."""
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PROGRAM = TOP / "build" / "nowhere"
WORK = TOP / "build" / "bench"
PHOTOS = WORK / "streets"
ROUNDS, SECONDS = 9, 3.0
LIKE_PEER = ["--size", "64", "--batch", "64", "--crop", "centre", "--flip", "no"]
TARGETS = {"jpeg": 3.5, "raw": 40.0}


def run(*arguments):
    return subprocess.run([str(a) for a in arguments], check=True, capture_output=True, text=True).stdout


def ours(data, *flags):
    return json.loads(run(PROGRAM, "bench", "loader", data, "--seconds", SECONDS, "--json", *flags))["images_per_second"]


def peer():
    return float(run(sys.executable, TOP / "bench" / "loader_peer.py", PHOTOS, SECONDS))


def prepare():
    WORK.mkdir(parents=True, exist_ok=True)
    if not (PHOTOS / ".done").exists():
        print("drawing 2,000 photographs of 640 x 480", flush=True)
        run(PROGRAM, "synth", PHOTOS, "--images", 2000, "--cities", 4, "--seed", 1)
        (PHOTOS / ".done").touch()
    for height in (64, 120, 256):
        (WORK / f"{height}.nwp").unlink(missing_ok=True)  # made by this build, not by an older one
        run(PROGRAM, "pack", PHOTOS, "-o", WORK / f"{height}.nwp", "--height", height)


def million():
    """A tree of a million empty files with their tables, 40 folders of 25,000."""
    root = WORK / "million"
    if (root / ".done").exists():
        return root
    print("making a million file names", flush=True)
    for city in range(20):
        for half in ("database", "query"):
            folder = root / "train_val" / f"city{city:02}" / half
            (folder / "images").mkdir(parents=True, exist_ok=True)
            keys = [f"{city:02}{half[0]}{i:019}" for i in range(25_000)]
            for key in keys:
                os.close(os.open(folder / "images" / f"{key}.jpg", os.O_CREAT | os.O_WRONLY))
            tables = {
                "seq_info.csv": (",key,sequence_key,frame_number", lambda i, k: f"{i},{k},{half}{i // 200},{i % 200}"),
                "raw.csv": (",key,lon,lat,ca,captured_at,pano", lambda i, k: f"{i},{k},1.5,2.5,90.0,2020-01-01,False"),
                "postprocessed.csv": (
                    ",key,easting,northing,night,control_panel,view_direction,unique_cluster",
                    lambda i, k: f"{i},{k},{300000 + i},5787000.25,False,False,Forward,{i}",
                ),
            }
            for name, (heading, row) in tables.items():
                (folder / name).write_text("\n".join([heading, *(row(i, key) for i, key in enumerate(keys))]) + "\n")
    (root / ".done").touch()
    return root


def main():
    prepare()
    cases = {
        "peer: DataLoader, torchvision, 2 workers": peer,
        "JPEG folder to 64 px floats, 2 threads": lambda: ours(PHOTOS, *LIKE_PEER, "--threads", 2),
        "raw pack of 64 px to 64 px floats, 2 threads": lambda: ours(WORK / "64.nwp", *LIKE_PEER, "--threads", 2),
        "raw pack of 120 px to 64 px floats, 2 threads": lambda: ours(WORK / "120.nwp", *LIKE_PEER, "--threads", 2),
        "raw pack of 120 px, random crops and flips, 2 threads": lambda: ours(WORK / "120.nwp", "--threads", 2),
        "raw pack of 256 px to bytes, random crops and flips, 1 thread": lambda: ours(
            WORK / "256.nwp", "--size", 256, "--pixels", "byte", "--threads", 1
        ),
    }
    figures = {name: [] for name in cases}
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", flush=True)
        for name, measure in cases.items():
            figures[name].append(measure())
    medians = {name: statistics.median(values) for name, values in figures.items()}
    for name, median in medians.items():
        print(f"{median:10,.0f} images/s  {name}  ({min(figures[name]):,.0f} to {max(figures[name]):,.0f})")

    scans = [json.loads(run(PROGRAM, "bench", "scan", million(), "--json")) for _ in range(3)]
    scan = scans[-1]
    assert scan["photographs"] == 1_000_000
    print(f"a million files scanned and put in order: {statistics.median(s['seconds'] for s in scans):.1f} s,"
          f" {scan['peak_bytes'] / 1e6:.0f} MB at the most (of which {scan['bytes_at_start'] / 1e6:.0f} MB is the program as it starts)")

    names = list(medians)
    print(f"ratio, JPEG folder over peer: {medians[names[1]] / medians[names[0]]:.1f} (target {TARGETS['jpeg']})")
    print(f"ratio, raw pack of working height over peer: {medians[names[2]] / medians[names[0]]:.1f} (target {TARGETS['raw']})")
    print(f"per core, 256 px bytes: {medians[names[5]]:,.0f} images/s (target 9,000)")


if __name__ == "__main__":
    main()
