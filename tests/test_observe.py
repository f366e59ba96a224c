"""What a run shows while it trains: TensorBoard, Prometheus, a profile, warnings, numbers that stop being numbers."""
import json
import os
import re
import socket
import subprocess
import urllib.request

import pytest
import torch
from conftest import PROGRAM, nowhere, ok, refused
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from test_train import pack, small, stats  # noqa: F401


def accumulated(run):
    events = EventAccumulator(str(run / "events"), size_guidance={"images": 0, "histograms": 0, "scalars": 0})
    events.Reload()
    return events


def test_tensorboard_reads_the_events(pack, tmp_path):  # noqa: F811
    ok(*small(pack, tmp_path, "run", "--n-epoch", 2, "--histograms", "yes"))
    run = tmp_path / "run"
    events = accumulated(run)
    tags = events.Tags()
    assert {"G_loss", "D_loss", "D_X", "D_G_z1", "D_G_z2", "speed/images_per_second", "speed/data_wait_share", "gradients/G",
            "gradients/D", "training/learning_rate", "machine/cpu_share", "machine/memory_bytes"} <= set(tags["scalars"])
    points = [line for line in stats(run) if "step" in line]
    # The disk's figures are wherever the disk has any, in the same places.
    assert ("machine/disk_busy_share" in tags["scalars"]) == ("disk_busy_share" in points[-1])
    for tag in ("G_loss", "D_loss", "D_X", "D_G_z1", "D_G_z2"):
        read = events.Scalars(tag)
        assert [event.step for event in read] == [line["images"] for line in points]
        assert [event.value for event in read] == pytest.approx([line[tag] for line in points], rel=1e-6)
    assert [event.step for event in events.Images("fixed_noise")] == [64, 128]
    assert "G/main.0.weight" in tags["histograms"]


def test_tensorboard_sees_one_line_after_a_resume(pack, tmp_path):  # noqa: F811
    ok(*small(pack, tmp_path, "run", "--n-epoch", 3))
    for epoch in (2, 3):
        (tmp_path / "run" / f"checkpoint_{epoch}.pt").unlink()
    ok(*small(pack, tmp_path, "run", "--n-epoch", 3, "--resume"))
    steps = [event.step for event in accumulated(tmp_path / "run").Scalars("G_loss")]
    assert steps == sorted(set(steps)) == [line["images"] for line in stats(tmp_path / "run") if "step" in line]


def test_log_points_say_what_limits_the_run(pack, tmp_path):  # noqa: F811
    ok(*small(pack, tmp_path, "run", "--n-epoch", 2))
    for line in stats(tmp_path / "run"):
        if "step" not in line:
            assert "bottleneck" not in line
            continue
        assert re.match(r"\d+% (computing: the CPU is the limit|waiting for |saving checkpoints)", line["bottleneck"])
        assert len(line["bottleneck"]) < 80, "without the remedy"
        assert 0 <= line.get("disk_busy_share", 0) <= 1


def test_prometheus_metrics(pack, tmp_path):  # noqa: F811
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([PROGRAM, *map(str, small(pack, tmp_path, "run", "--n-epoch", 100000, "--log-frequency", 1, "--metrics-port", port))],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        # The second epoch's save waits until the first one's is on the disk.
        next(line for line in process.stdout if "[3/100000][1/8]" in line)
        text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode()
    finally:
        process.kill()
        process.communicate()
    for name in ("nowhere_train_images_per_second", 'nowhere_train_loss{network="G"}', "nowhere_train_data_wait_ratio", "nowhere_memory_bytes",
                 "nowhere_checkpoint_timestamp_seconds"):
        assert re.search(rf"^{re.escape(name)} [-\d.e+]+$", text, re.M), name
    busy = [line["disk_busy_share"] for line in stats(tmp_path / "run") if "disk_busy_share" in line]
    assert bool(busy) == ("\nnowhere_disk_busy_ratio " in text)
    assert all(0 <= share <= 1 for share in busy)


@pytest.fixture(scope="module")
def profiled(pack, tmp_path_factory):  # noqa: F811
    """A run with six steps on its profile: the folder with the profile, and what the run said."""
    root = tmp_path_factory.mktemp("profiled")
    done = nowhere(*small(pack, root, "run", "--n-epoch", 2, "--profile", "True", "--profile-wait", 2, "--profile-warmup", 1,
                          "--profile-steps", 6))
    assert done.returncode == 0, done.stderr
    return root / "run" / "events", done


def test_the_profile_shows_the_loader(profiled):
    [file] = profiled[0].glob("*.pt.trace.json")
    events = json.loads(file.read_text())["traceEvents"]
    spans = [event for event in events if event.get("ph") == "X"]
    assert any("conv" in event["name"] for event in spans)
    loader = [event for event in spans if event.get("cat") == "loader"]
    steps = [event for event in spans if event.get("cat") == "cpu_op"]
    assert {event["name"] for event in loader} == {"read and decode", "crop and resize"}
    # On one clock: what the loader did lies within the recorded window, give or take a batch.
    begin, end = min(event["ts"] for event in steps), max(event["ts"] + event["dur"] for event in steps)
    assert all(begin - 1e6 < event["ts"] < end + 1e6 for event in loader)


def test_tensorboards_profiler_plugin_reads_the_profile(profiled, tmp_path):
    """With the parser of torch-tb-profiler: it finds the file by its name, the steps, where their time went, the operators with
    their shapes, and the memory."""
    from torch_tb_profiler.consts import WORKER_PATTERN
    from torch_tb_profiler.profiler.data import RunProfileData
    from torch_tb_profiler.profiler.event_parser import ProfileRole
    [file] = [file for file in profiled[0].iterdir() if WORKER_PATTERN.match(file.name)]
    worker, span = WORKER_PATTERN.match(file.name).groups()
    assert re.fullmatch(r".+_\d+", worker) and re.fullmatch(r"\.\d{13}", span)
    data = RunProfileData.parse(worker, span, str(file), str(tmp_path))
    assert data.steps_names == ["4", "5", "6", "7", "8", "9"], "the steps of the run, from 1"
    assert len(data.steps_costs) == 6
    for step in data.steps_costs:
        assert step.costs[ProfileRole.Total] > 0 and step.costs[ProfileRole.CpuOp] > 0 and step.costs[ProfileRole.DataLoader] > 0
    operators = {operator.name: operator for operator in data.op_list_groupby_name}
    assert {"aten::mm", "aten::add_"} & set(operators)
    assert all(operator.self_host_duration >= 0 and operator.calls > 0 for operator in operators.values())
    assert any(operator.input_shape not in ("", "[]") for operator in data.op_list_groupby_name_input)
    assert data.memory_snapshot.memory_records


def test_the_operators_are_a_table(profiled):
    [file] = profiled[0].glob("*.operators.txt")
    lines = file.read_text().splitlines()
    assert re.fullmatch(r"6 steps: [\d.]+ ms on the CPU", lines[0])
    assert lines[2].split() == ["operator", "calls", "self", "CPU", "ms", "self", "CPU", "CPU", "ms", "self", "memory"]
    rows = [line.split() for line in lines[3:] if "aten::" in line]
    assert len(rows) > 10
    times = [float(row[2]) for row in rows]
    assert times == sorted(times, reverse=True) and times[0] > 0
    assert not any("ProfilerStep" in line for line in lines)


def test_a_profile_says_nothing_on_stderr(profiled):
    _, done = profiled
    assert done.stderr == ""
    assert re.search(r"^profile: \S+\.pt\.trace\.json \(for TensorBoard.*operators: \S+\.operators\.txt$", done.stdout, re.M)


def test_the_status_line_names_the_epoch_under_way(pack, tmp_path):  # noqa: F811
    """With one log point in the whole run, and a terminal on stderr."""
    terminal, end = os.openpty()
    # The line is redrawn a few times a second, so the run has to take a while; it is ended as soon as enough was seen.
    process = subprocess.Popen([PROGRAM, *map(str, small(pack, tmp_path, "run", "--n-epoch", 100000, "--log-frequency", 1000000))],
                               stdout=subprocess.DEVNULL, stderr=end)
    os.close(end)
    text = ""
    try:
        while len(set(re.findall(r"epoch (\d+)/100000  step \d/8", text))) < 3:
            text += os.read(terminal, 65536).decode()
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
    epochs = [int(epoch) for epoch in re.findall(r"epoch (\d+)/100000  step \d/8", text)]
    assert epochs == sorted(epochs)


def test_a_short_run_is_not_told_that_it_collapsed(pack, tmp_path):  # noqa: F811
    done = nowhere(*small(pack, tmp_path, "run", "--n-epoch", 3, "--log-frequency", 1))
    assert done.returncode == 0 and done.stderr == ""
    assert all(line["diversity"] < 0.3 for line in stats(tmp_path / "run") if line.get("step", 0) in range(1, 6))


@pytest.fixture
def poisoned(pack, tmp_path):  # noqa: F811
    """A run whose newest checkpoint has finite weights that overflow at the first step."""
    ok(*small(pack, tmp_path, "run", "--n-epoch", 2, "--lr-final", 1))
    newest = tmp_path / "run" / "checkpoint_2.pt"
    checkpoint = torch.load(newest, weights_only=True)
    checkpoint["D_state_dict"]["thumbnail.conv0.weight"].fill_(1e38)
    torch.save(checkpoint, newest)
    return ["train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 3]


def test_numbers_that_stop_being_numbers_end_the_run(poisoned, tmp_path):
    (tmp_path / "run" / "figures" / "machine.png").unlink()
    line = refused(1, *poisoned)
    assert (tmp_path / "run" / "figures" / "machine.png").stat().st_size > 0, "drawn whatever ends a run"
    assert "no longer numbers" in line and "the last good checkpoint is" in line and "checkpoint_2.pt" in line and "--on-nan reload" in line


def test_on_nan_reload_goes_back_with_half_the_rate(poisoned):
    done = nowhere(*poisoned, "--on-nan", "reload")
    assert done.returncode == 1
    rates = [float(rate) for rate in re.findall(r"going back to \S+checkpoint_2.pt with lr (\S+)", done.stderr)]
    assert rates == [2e-3 / 2**times for times in (1, 2, 3, 4, 5)]
    assert "has not helped" in done.stderr.splitlines()[-1]
