"""What scripts/bench dist computes: the model of many devices, the time that updates wait in a trace, the speed of a run. Nothing
is trained."""
import os
import subprocess
import sys

import judged_runs  # noqa: F401  lets tests import from bench
import pytest
from conftest import TOP

import dist
import dist_runs
import dist_trace
import scaling
import scaling_table
from scaling import MB, PRESETS, Cluster, Layer, Link

FAST, SLOW = Link(10e9, 1e-6), Link(1e9, 10e-6)


@pytest.mark.parametrize("name, generator, discriminator", [
    ("naive-64", 3_576_704, 2_765_568), ("clamp-64", 52_448_768, 2_765_568), ("safe-128", 48_772_864, 2_796_928),
    ("safe-128-large", 195_063_296, 44_611_072)])
def test_the_networks_are_those_of_the_presets(name, generator, discriminator):
    preset = PRESETS[name]
    assert (scaling.parameters(preset.generator()), scaling.parameters(preset.discriminator())) == (generator, discriminator)
    assert preset.gradient_bytes() == 4 * (generator + discriminator)


def test_multiply_adds_of_a_convolution():
    first, *_, last = PRESETS["naive-64"].generator()
    assert first.products == 100 * 512 * 16, "from one position"
    assert last.products == 64 * 3 * 16 * 32 * 32, "from 32 x 32 positions to 64 x 64"
    assert PRESETS["naive-64"].discriminator()[0].products == last.products


def test_a_ring_moves_twice_the_bytes_but_for_a_share():
    assert scaling.ring_seconds(1e9, 2, Link(1e9, 0)) == pytest.approx(1)
    assert scaling.ring_seconds(1e9, 4, Link(1e9, 0)) == pytest.approx(1.5)
    assert scaling.ring_seconds(0, 4, Link(1e9, 1e-3)) == pytest.approx(6e-3)


@pytest.mark.parametrize("devices", [2, 4])
def test_a_link_is_found_again_from_two_times(devices):
    times = [(size, scaling.ring_seconds(size, devices, SLOW)) for size in (4096, 16 << 20)]
    found = scaling.link_of(*times, devices)
    assert (found.bandwidth, found.latency) == pytest.approx((SLOW.bandwidth, SLOW.latency))


def layers(*megabytes):
    return [Layer(size * MB // 4, 1) for size in megabytes]


def test_buckets_fill_from_the_last_layer_and_begin_with_a_small_one():
    sizes = [size / MB for size, _ in scaling.buckets(layers(3, 20, 10, 2), 25 * MB)]
    assert sizes == [2, 30, 3], "2 reach the first bound, 10 and 20 the second, 3 are left"
    assert [size / MB for size, _ in scaling.buckets(layers(3, 20, 10, 2), MB)] == [2, 10, 20, 3]
    assert sum(work for _, work in scaling.buckets(layers(3, 20, 10, 2), 25 * MB)) == 4


def test_what_arrives_during_the_backward_pass_is_hidden():
    network = layers(1, 1, 1, 1)  # a bucket a second of backward each
    assert scaling.exposed_seconds(network, 4.0, lambda size: 0.5, MB) == pytest.approx(0.5), "the last one alone"
    assert scaling.exposed_seconds(network, 4.0, lambda size: 2.0, MB) == pytest.approx(5), "4 x 2 s from second 1 on, 4 s hide 3"
    assert scaling.exposed_seconds(network, 4.0, lambda size: 0.0, MB) == 0
    assert scaling.exposed_seconds(network, 0.0, lambda size: 0.5, MB) == pytest.approx(2), "where nothing hides anything"


def test_steps_of_many_devices():
    preset, cluster = PRESETS["safe-128"], Cluster(8, FAST, SLOW)
    steps = [scaling.step_seconds(preset, 0.5, devices, cluster) for devices in (1, 2, 8, 16, 64)]
    assert steps[0] == 0.5 and steps == sorted(steps)
    assert steps[3] - steps[2] > steps[2] - steps[1], "beyond a machine the slow link decides"
    serial = scaling.step_seconds(preset, 0.5, 8, Cluster(8, FAST, SLOW, hides=False))
    assert serial == pytest.approx(0.5 + sum(
        scaling.ring_seconds(size, 8, FAST) for network in (preset.generator(), preset.discriminator())
        for size, _ in scaling.buckets(network, 25 * MB)))
    assert steps[2] < serial
    assert scaling.efficiency(preset, 0.5, 8, cluster) == pytest.approx(0.5 / steps[2])


def test_the_rate_of_a_device_is_the_best_that_was_published():
    assert scaling_table.device_rate(PRESETS["naive-64"]) == (5_830_000, "published for p3.2xlarge")
    assert scaling_table.device_rate(PRESETS["clamp-64"]) == (6_605_504 / 4, "published for p3.8xlarge, divided by 4")
    large, origin = scaling_table.device_rate(PRESETS["safe-128-large"])
    assert large < 5_941_000 / 4 / 2 and "multiply-adds" in origin


def test_the_tables():
    text = scaling_table.report()
    for name in PRESETS:
        assert f"**{name}**" in text
    rows = [line for line in scaling_table.device_table(PRESETS["naive-64"]).splitlines()]
    assert len(rows) == 2 + len(scaling_table.DEVICES) and len({row.count("|") for row in rows}) == 1
    assert "5.83 (100%)" in rows[2] and "7.78 (8 K80, p2.8xlarge)" in rows[5]
    rows = scaling_table.cpu_table(30.0, 64, SLOW, 2).splitlines()
    assert rows[2].startswith("| 1 | 30.0 (100%) |") and not rows[-1].startswith("| 64 | 1920.0")


def event(name, start, duration, thread=1, **more):
    return {"ph": "X", "cat": "cpu_op", "name": name, "ts": start, "dur": duration, "tid": thread, **more}


def step_events(begin):
    """A step of 1000 us: D's update waits for 50 us, G's for 20; 80 us of all-reduce."""
    node = "autograd::engine::evaluate_function: ConvolutionBackward0"
    return [event("ProfilerStep#7", begin, 1000, cat="user_annotation"),
            event(node, begin + 100, 200), event("aten::mm", begin + 150, 100), event("aten::_fused_adamw_", begin + 350, 10),
            event(node, begin + 500, 100), event(node, begin + 600, 80), event("aten::_fused_adamw_", begin + 700, 10),
            event(node, begin + 600, 300, thread=2),
            event("gloo:all_reduce", begin + 250, 60, thread=3), event("gloo:all_reduce", begin + 650, 20, thread=3)]


def test_time_that_updates_wait():
    trace = {"traceEvents": [{"ph": "M", "name": "thread_name"}, event("gloo:all_reduce", 0, 500, thread=3),
                             *step_events(2000), *step_events(1000)]}
    assert dist_trace.waiting(trace) == pytest.approx({"step": 1.0, "all_reduce": 0.08, "not_hidden": 0.07})


def test_an_update_without_a_backward_pass_waits_for_nothing():
    assert dist_trace.gaps([event("aten::_fused_adamw_", 5, 1), event("aten::mm", 7, 1)]) == []
    with pytest.raises(ValueError, match="no steps"):
        dist_trace.waiting({"traceEvents": []})


def test_the_speed_of_a_run_leaves_the_warm_up_out():
    points = [{"step": 1, "images_per_second": 1}, {"step": 4, "images_per_second": 2}, {"epoch_done": 1},
              {"step": 7, "images_per_second": 30}, {"step": 13, "images_per_second": 60}]
    assert dist_runs.speed(points) == pytest.approx(9 / (3 / 30 + 6 / 60))
    with pytest.raises(ValueError, match="too short"):
        dist_runs.speed(points[:2])


@pytest.mark.parametrize("steps, images, found", [(12, 128, (1, 1536)), (16, 128, (2, 1024)), (17, 128, (2, 1152)), (3, 64, (1, 192))])
def test_a_run_has_the_steps_that_were_asked_for(steps, images, found):
    epochs, photographs = dist_runs.epochs(steps, images, 1652)
    assert (epochs, photographs) == found
    assert photographs <= 1652 and epochs * photographs >= steps * images


def test_variables_of_launchers_do_not_reach_the_processes(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "MASTER_PORT", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "TORCHELASTIC_RESTART_COUNT"):
        monkeypatch.setenv(name, "7")
    monkeypatch.setenv("RANKING", "7")
    process = dist_runs.start(["env"], os.sched_getaffinity(0), {"RANK": "0"})
    lines = dist_runs.finish(process).splitlines()
    assert "RANK=0" in lines and "RANKING=7" in lines and not [line for line in lines if line.startswith(("WORLD", "MASTER", "SLURM", "OMPI"))]


def test_a_failure_ends_the_script():
    with pytest.raises(SystemExit, match="no such rank"):
        dist_runs.finish(dist_runs.start(["sh", "-c", "echo no such rank >&2; exit 3"], os.sched_getaffinity(0)))


FIGURES = {dist.ALONE: [10, 10.2], dist.ONE: [10, 10], dist.OURS: [19, 20], dist.PEER: [10, 16]}


def test_the_last_lines_are_ratios_of_rounds(capsys):
    dist.print_figures(FIGURES)
    dist.print_ratios(FIGURES)
    *_, overhead, ratio = capsys.readouterr().out.splitlines()
    assert overhead == "overhead of a group of one: 1.0% (0.0% to 2.0%; target: below 2%)"
    assert ratio == "ratio, two processes, images/s over PyTorch DDP: 1.57 (1.25 to 1.90; target 1.15)"


def test_predicted_beside_measured():
    class Options:
        batch = 64

    one, two = [line.split("|") for line in dist.check_table(FIGURES, Link(1e12, 0), Options).splitlines()[2:]]
    assert [cell.strip() for cell in one[1:4]] == ["1", "10.1", "10.0"]
    assert [cell.strip() for cell in two[1:5]] == ["2", "20.2", "19.5", "0.97"]


def test_the_model_alone_needs_neither_data_nor_program():
    done = subprocess.run([sys.executable, TOP / "bench" / "dist.py", "--parts", "scaling"], capture_output=True, text=True)
    assert done.returncode == 0 and "safe-128-large" in done.stdout, done.stderr
    done = subprocess.run([sys.executable, TOP / "bench" / "dist.py", "--steps", "4"], capture_output=True, text=True)
    assert done.returncode == 2 and "multiple of 3" in done.stderr
