"""scripts/bench dist: naive-64 in several processes on the CPU, each with a core of its own.
- speed: alternating rounds of one process without a group beside one in a group of one (at the same time, on two cores that they
  swap), two processes of this program, and two of PyTorch's DistributedDataParallel on Gloo.
- buckets: how much of all-reduce the backward pass does not hide, by the size of the buckets, from a profile.
- scaling: a model for 1 to 64 devices, beside what was measured here and what the reference published.
Medians, and the ratios last. `--rounds 2 --steps 9` takes about four minutes."""
import argparse
import statistics

import dist_runs
import dist_trace
import scaling
import scaling_table
from dist_runs import PROCESSES, WARM_UP

ALONE, ONE, OURS, PEER = "no group", "a group of one", "nowhere, two processes", "PyTorch DDP (Gloo), two processes"
PARTS = ("speed", "buckets", "scaling")
BUCKETS = (1, 5, 25)  # MB
OVERHEAD_TARGET, PEER_TARGET = 0.02, 1.15


def side_by_side(number, data, options):
    """{case: images/s} of a process without a group and one in a group of one, at the same time."""
    cases = {ALONE: None, ONE: dist_runs.group_of_one()}
    on = dist_runs.cores() if number % 2 == 0 else dist_runs.cores()[::-1]
    names = {case: case.replace(" ", "-") for case in cases}
    started = [dist_runs.train(names[case], data, [core], options.batch, WARM_UP + options.steps, environment=environment)
               for core, (case, environment) in zip(on, cases.items())]
    for process in started:
        dist_runs.finish(process)
    return {case: dist_runs.speed_of(names[case]) for case in cases}


def measure(data, options):
    """{case: [images/s of each round]}"""
    figures = {case: [] for case in (ALONE, ONE, OURS, PEER)}
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", flush=True)
        for case, rate in side_by_side(number, data, options).items():
            figures[case].append(rate)
        dist_runs.finish(dist_runs.train("two", data, dist_runs.cores(), options.batch, WARM_UP + options.steps, PROCESSES))
        figures[OURS].append(dist_runs.speed_of("two"))
        figures[PEER].append(dist_runs.peer(dist_runs.cores(), "train", options.batch, WARM_UP, options.steps)["images_per_second"])
        print("  images/s: " + ", ".join(f"{case} {rates[-1]:.1f}" for case, rates in figures.items()), flush=True)
    return figures


def print_figures(figures):
    for case, rates in figures.items():
        print(f"{statistics.median(rates):8.1f} images/s  {case}  ({min(rates):.1f} to {max(rates):.1f})")


def paired(figures, over, under):
    """The ratio of two cases in every round."""
    return [a / b for a, b in zip(figures[over], figures[under])]


def print_ratios(figures):
    overhead = [ratio - 1 for ratio in paired(figures, ALONE, ONE)]
    print(f"overhead of a group of one: {statistics.median(overhead):.1%} ({min(overhead):.1%} to {max(overhead):.1%};"
          f" target: below {OVERHEAD_TARGET:.0%})")
    ratios = paired(figures, OURS, PEER)
    print(f"ratio, two processes, images/s over PyTorch DDP: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f};"
          f" target {PEER_TARGET})")


def bucket_table(data, options):
    """A profile without a group first: what stands between gradients and update there is the error of the measurement."""
    cases = [("no group", 1, [])] + [(f"{size} MB", PROCESSES, ["--bucket-mb", size]) for size in BUCKETS]
    rows = []
    for name, processes, more in cases:
        print(f"profile, {name}", flush=True)
        on = dist_runs.cores()[:processes]
        found = dist_trace.read(dist_runs.profiled("profile", data, on, options.batch, processes, more))
        rows.append([name, f"{found['step']:.0f}", f"{found['all_reduce']:.1f}", f"{found['not_hidden']:.1f}",
                     f"{found['not_hidden'] / found['step']:.1%}"])
    return scaling_table.markdown(["buckets", "step, ms", "all-reduce, ms", "not hidden, ms", "of the step"], rows)


def measured_link():
    """Two processes on this machine, from all-reduces of a few and of many bytes."""
    small, large = dist_runs.peer(dist_runs.cores(), "link")
    return scaling.link_of(small, large, PROCESSES)


def check_table(figures, link, options):
    """Predicted beside measured, images/s. Both start from one process with a core while the other core is as busy."""
    preset = scaling.PRESETS["naive-64"]
    alone = statistics.median(figures[ALONE])
    cluster = scaling.Cluster(PROCESSES, link, link, hides=False)
    rows = []
    for processes, case in ((1, ONE), (PROCESSES, OURS)):
        step = scaling.step_seconds(preset, options.batch / alone, processes, cluster)
        predicted, measured = processes * options.batch / step, statistics.median(figures[case])
        rows.append([processes, f"{predicted:.1f}", f"{measured:.1f}", f"{measured / predicted:.2f}"])
    return scaling_table.markdown(["ranks", "predicted, images/s", "measured, images/s", "measured over predicted"], rows)


def print_scaling(figures, options):
    print(f"\n{scaling_table.report()}\n")
    if not figures:
        return
    link = measured_link()
    print(f"this machine: all-reduce between two processes moves {link.bandwidth / 1e9:.2f} GB/s, latency {link.latency * 1e6:.0f} us")
    print(f"\nmodelled from the compute time measured here, processes with a core each, {PROCESSES} to a machine, 25 Gb/s between machines,"
          f" batch {options.batch}: images/s (efficiency)\n")
    print(scaling_table.cpu_table(statistics.median(figures[ALONE]), options.batch, link, PROCESSES))
    print(f"\n{check_table(figures, link, options)}\n")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench dist", description=__doc__.partition(": ")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6, help="of the part speed; even, so that both cores have both cases [6]")
    parser.add_argument("--steps", type=int, default=12, help=f"measured in each run, after {WARM_UP} to warm up; in threes [12]")
    parser.add_argument("--batch", type=int, default=64, help="pictures a process [64]")
    parser.add_argument("--parts", default=",".join(PARTS), metavar="A,B", help=f"which of {', '.join(PARTS)} [all]")
    options = parser.parse_args()
    options.parts = options.parts.split(",")
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"--parts {','.join(unknown)}: give some of {', '.join(PARTS)}")
    if options.rounds < 1 or options.steps < dist_runs.LOG or options.steps % dist_runs.LOG != 0:
        parser.error(f"--rounds at least 1, --steps a multiple of {dist_runs.LOG}")
    return options


def main():
    options = arguments()
    needs_data = {"speed", "buckets"} & set(options.parts)
    data = dist_runs.data() if needs_data else None
    figures = measure(data, options) if "speed" in options.parts else {}
    buckets = bucket_table(data, options) if "buckets" in options.parts else ""
    if "scaling" in options.parts:
        print_scaling(figures, options)
    if buckets:
        print(f"{buckets}\n")
    if figures:
        print_figures(figures)
        print_ratios(figures)


if __name__ == "__main__":
    main()
