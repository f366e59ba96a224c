"""Training with several processes on one machine."""
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import PROGRAM, nowhere, ok, refused
from ranks import children, environment, finish, free_port, small, start_rank
from test_train import start, stats, tensors, wait_for_line


@pytest.fixture(scope="module")
def pack(streets, tmp_path_factory):
    """64 photographs of 32 pixels."""
    file = tmp_path_factory.mktemp("pack") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", 32, "--limit", 64)
    return file


@pytest.fixture(scope="module")
def one_epoch(pack, tmp_path_factory):
    """The checkpoint of one epoch of two processes."""
    root = tmp_path_factory.mktemp("one")
    ok(*small(pack, root, "run", "--n-epoch", 1, "--nproc", 2))
    return root / "run" / "checkpoint_1.pt"


@pytest.fixture(scope="module")
def straight(pack, tmp_path_factory):
    """Four epochs of two processes without a stop."""
    root = tmp_path_factory.mktemp("straight")
    done = nowhere(*small(pack, root, "run", "--n-epoch", 4, "--nproc", 2))
    assert done.returncode == 0, done.stderr
    (root / "stdout.txt").write_text(done.stdout)
    (root / "stderr.txt").write_text(done.stderr)
    return root / "run"


def test_two_processes_make_one_run(straight):
    stdout = (straight.parent / "stdout.txt").read_text()
    assert re.search(r"^data .* 4 batches of 16 an epoch$", stdout, re.M), stdout
    assert re.search(r"^processes +2 with batches of 8 each$", stdout, re.M), stdout
    assert stdout.count("done: 256 images seen") == 1
    assert (straight.parent / "stderr.txt").read_text() == ""
    for name in ["config.json", "log.txt", "stats.jsonl", "checkpoint_4.pt", "slim_checkpoint_4.pt", "figures/train_loss.png",
                 "videos/progress.gif"]:
        assert (straight / name).stat().st_size > 0, name
    assert len(list((straight / "events").glob("events.out.tfevents.*"))) == 1
    assert not list(straight.glob("*.tmp"))
    assert [line["images"] for line in stats(straight) if "step" in line] == [16, 80, 144, 208]
    assert [line["epoch_images"] for line in stats(straight) if "epoch_done" in line] == [64] * 4


def test_a_run_is_the_same_every_time(straight, pack, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4, "--nproc", 2))
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")


def test_ranks_draw_and_see_different_things(straight, pack, tmp_path):
    """One process with the batches of rank 0 alone would learn something else."""
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4))
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") != tensors(straight / "checkpoint_4.pt")


def test_checkpoints_say_how_many_ranks_there_were(straight):
    script = "import sys, torch; d = torch.load(sys.argv[1]); print(d['loader']['ranks'], *sorted(d['G_state_dict'])[:1])"
    said = subprocess.run([sys.executable, "-c", script, straight / "checkpoint_4.pt"], capture_output=True, text=True, check=True).stdout
    ranks, key = said.split()
    assert ranks == "2" and not key.startswith("module.")


def test_resume_is_exact(pack, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 2, "--nproc", 2, "--lr-final", 1))
    ok(*small(pack, tmp_path, "again", "--n-epoch", 4, "--nproc", 2, "--lr-final", 1))
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 4, "--nproc", 2)
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(tmp_path / "again" / "checkpoint_4.pt")


def test_resume_with_another_number_of_ranks_says_what_changes(straight, tmp_path):
    shutil.copytree(straight, tmp_path / "run")
    done = nowhere("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 5, "--nproc", 1)
    assert done.returncode == 0, done.stderr
    assert "the number of processes was 2 and is 1" in done.stderr
    assert "8 batches of 8 an epoch" in done.stdout
    shutil.copytree(straight, tmp_path / "more")
    done = nowhere("train", "--root", tmp_path, "--name", "more", "--resume", "--n-epoch", 5, "--nproc", 4)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the number of processes was 2 and is 4") == 1
    assert [line["epoch_images"] for line in stats(tmp_path / "more") if "epoch_done" in line] == [64] * 5


def weights(file):
    """The networks of a checkpoint, byte for byte, without the pictures that were made on the way."""
    import torch  # here: most tests do without
    saved = torch.load(file, weights_only=True)
    return {f"{key}.{name}": tensor.numpy().tobytes() for key in ("G_state_dict", "D_state_dict", "G_ema_state_dict")
            for name, tensor in saved[key].items()}


def stop_one(process, rank, which):
    """Sends a signal to one rank after the second epoch; what the launcher ended with."""
    wait_for_line(process, r"^epoch 2:")
    os.kill(children(process.pid)[rank], which)
    _, errors = process.communicate(timeout=120)
    return process.returncode, errors


def test_sigterm_to_one_rank_saves_once_and_stops_all(pack, tmp_path):
    arguments = small(pack, tmp_path, "run", "--n-epoch", 1000, "--nproc", 2, "--save-frequency", 1000, "--lr-final", 1)
    code, errors = stop_one(start(*arguments), 1, signal.SIGTERM)
    assert code == 143, errors
    assert errors.count("everything is saved") == 1 and "[rank 1]" not in errors
    saved = list((tmp_path / "run").glob("checkpoint_*.pt"))
    assert len(saved) == 1
    # It goes on exactly: two more epochs are those of a run that was never stopped.
    done = [line for line in stats(tmp_path / "run") if "epoch_done" in line][-1]["epoch_done"] + 2
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", done, "--nproc", 2)
    ok(*small(pack, tmp_path, "never", "--n-epoch", done, "--nproc", 2, "--save-frequency", 1000, "--lr-final", 1))
    assert weights(tmp_path / "run" / f"checkpoint_{done}.pt") == weights(tmp_path / "never" / f"checkpoint_{done}.pt")


@pytest.mark.parametrize("victim, names", [(1, r"rank 1 \(host \S+, process \d+\) does not answer"),
                                           (0, r"\[rank 1\] nowhere: rank 0 \(host .*does not answer")])
def test_a_rank_that_is_killed_ends_the_run(pack, tmp_path, victim, names):
    arguments = small(pack, tmp_path, "run", "--n-epoch", 100000, "--nproc", 2, "--dist-timeout", 20)
    code, errors = stop_one(start(*arguments), victim, signal.SIGKILL)
    assert code == 128 + signal.SIGKILL, errors
    assert re.search(names, errors), errors
    assert not list((tmp_path / "run").glob("*.tmp")) or victim == 0
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 1, "--nproc", 2)


def test_a_rank_that_hangs_is_named_after_the_timeout(pack, tmp_path):
    arguments = small(pack, tmp_path, "run", "--n-epoch", 100000, "--nproc", 2, "--dist-timeout", 1)
    code, errors = stop_one(start(*arguments), 1, signal.SIGSTOP)
    assert code == 1, errors
    assert re.search(r"^nowhere: rank 1 \(host \S+, process \d+\) does not answer; it was noticed while .*--resume", errors, re.M), errors


def test_other_settings_on_a_rank_are_named(pack, tmp_path):
    port = free_port()
    ends = finish([start_rank(rank, 2, port, *small(pack, tmp_path, "run", "--lr", 0.001 * (rank + 1))) for rank in (0, 1)])
    for code, _, errors in ends:
        assert code == 2, errors
        assert re.search(r"--lr is 0.001 on rank 0 \(host .*\) and 0.002 on rank 1 ", errors), errors
    assert not (tmp_path / "run").exists()


def test_other_photographs_on_a_rank_are_named(pack, streets, tmp_path):
    other = tmp_path / "other.nwp"
    ok("pack", streets, "-o", other, "--height", 32, "--limit", 80)
    port = free_port()
    ends = finish([start_rank(rank, 2, port, *small(data, tmp_path, "run")) for rank, data in enumerate((pack, other))])
    for code, _, errors in ends:
        assert code == 2 and re.search(r"rank 1 \(host .*\) has other photographs than rank 0", errors), errors


def test_only_rank_0_touches_the_run_directory(pack, straight, tmp_path):
    """Machines need not share a disk."""
    port, roots = free_port(), [tmp_path / "a", tmp_path / "b"]
    ends = finish([start_rank(rank, 2, port, *small(pack, roots[rank], "run", "--n-epoch", 4)) for rank in (0, 1)])
    assert [code for code, _, _ in ends] == [0, 0], ends
    assert ends[1][1:] == ("", "")
    assert not roots[1].exists()
    assert tensors(roots[0] / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")


def test_a_rank_that_cannot_reach_the_others_says_so(pack, tmp_path):
    [(code, _, errors)] = finish([start_rank(1, 2, free_port(), *small(pack, tmp_path, "run", "--dist-timeout", 2))])
    assert code == 1
    assert re.search(r"^\[rank 1\] nowhere: rank 1 cannot reach the store of rank 0 at 127.0.0.1:\d+ within 2.0 s", errors, re.M), errors
    [(code, _, errors)] = finish([start_rank(0, 2, free_port(), *small(pack, tmp_path, "run", "--dist-timeout", 2))])
    assert code == 1
    assert "rank 1 of 2 did not come within 2.0 s" in errors, errors
    assert not (tmp_path / "run").exists()


def test_a_rank_whose_data_go_bad_stops_all_and_nothing_is_lost(streets, tmp_path):
    """Each rank has a copy of the photographs, and that of rank 1 is spoilt on the way."""
    folders = [tmp_path / "a" / "photographs", tmp_path / "b" / "photographs"]
    for folder in folders:
        folder.mkdir(parents=True)
        for number, file in enumerate(sorted(streets.rglob("*.jpg"))[:32]):
            shutil.copy2(file, folder / f"{number:02}.jpg")
    port = free_port()
    processes = [start_rank(rank, 2, port, *small(folder, tmp_path, "run", "--n-epoch", 100000)) for rank, folder in enumerate(folders)]
    wait_for_line(processes[0], r"^epoch 2:")
    for file in folders[1].iterdir():
        file.write_bytes(b"no photograph")
    (code, _, errors), (other_code, _, other_errors) = finish(processes)
    assert (code, other_code) == (3, 3), (errors, other_errors)
    assert re.search(r"nowhere: rank 1 \(host .*cannot be read.*saved in \S+\.pt; mend the data", errors), errors
    assert "cannot be read" in other_errors


def test_minutes_are_counted_once_for_all(pack, tmp_path):
    done = nowhere(*small(pack, tmp_path, "run", "--max-minutes", 0.05, "--nproc", 2))
    assert done.returncode == 0, done.stderr
    assert "time is up:" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("flags", [["--sync-bn", "yes"], ["--gradient-compression", "fp16"], ["--gradient-compression", "bf16"],
                                   ["--bucket-mb", 0.01]])
def test_options_of_the_engine(pack, one_epoch, tmp_path, flags):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 1, "--nproc", 2, *flags))
    points = [line for line in stats(tmp_path / "run") if "step" in line]
    assert all(0 < point["D_loss"] < 10 for point in points)
    # Buckets are only how gradients travel; the others change the numbers.
    same = tensors(tmp_path / "run" / "checkpoint_1.pt") == tensors(one_epoch)
    assert same == (flags[0] == "--bucket-mb")


def test_too_few_photographs_for_so_many_processes(pack, tmp_path):
    line = refused(3, *small(pack, tmp_path, "run", "--nproc", 1, "--batch-size", 72))
    assert "64 photographs cannot fill a batch of 72" in line
    done = nowhere(*small(pack, tmp_path, "run", "--nproc", 2, "--batch-size", 40))
    assert done.returncode == 3 and "cannot fill a batch of 40 for each of 2 processes" in done.stderr


def test_a_broken_environment_is_a_usage_error(pack, tmp_path):
    done = nowhere(*small(pack, tmp_path, "run"), env=environment(0, 2, "x"))
    assert done.returncode == 2 and "MASTER_PORT is 'x'" in done.stderr


def test_slurm_and_open_mpi_start_ranks_too(pack, one_epoch, tmp_path):
    port = free_port()
    slurm = [{"SLURM_STEP_ID": "0", "SLURM_NTASKS": "2", "SLURM_PROCID": str(rank), "SLURM_LOCALID": str(rank),
              "SLURM_STEP_TASKS_PER_NODE": "2", "SLURM_NODEID": "0", "SLURM_STEP_NODELIST": "localhost", "MASTER_PORT": str(port)}
             for rank in (0, 1)]
    port = free_port()
    mpi = [{"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": str(rank),
            "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "MASTER_ADDR": "localhost", "MASTER_PORT": str(port)} for rank in (0, 1)]
    for name, variables in (("slurm", slurm), ("mpi", mpi)):
        processes = [subprocess.Popen([PROGRAM, *map(str, small(pack, tmp_path, name, "--n-epoch", 1))], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, env={"PATH": "/usr/bin:/bin", **one}) for one in variables]
        assert [code for code, _, _ in finish(processes)] == [0, 0]
        assert tensors(tmp_path / name / "checkpoint_1.pt") == tensors(one_epoch)
