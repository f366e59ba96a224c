"""Our .pt files and PyTorch's: what torch.save writes comes back from our reader and writer the same."""
import os
import pickle
import subprocess
import zipfile
from collections import OrderedDict

import pytest
import torch
from conftest import TOP
from torch import nn

ECHO = TOP / "build" / "release" / "tests" / "archive_echo"


def run_echo(source, target):
    return subprocess.run([ECHO, source, target], capture_output=True, text=True, timeout=60)


def echo(value, folder, **options):
    """`value` through torch.save, our reader, our writer and torch.load, with and without mmap."""
    torch.save(value, folder / "in.pt", **options)
    done = run_echo(folder / "in.pt", folder / "out.pt")
    assert done.returncode == 0, done.stderr
    back = torch.load(folder / "out.pt", weights_only=True)
    same(torch.load(folder / "out.pt", weights_only=True, mmap=True), back)
    return back


def refused(path):
    """The reason for which our reader does not take the file: one line, and nothing is written."""
    target = path.with_name("out.pt")
    done = run_echo(path, target)
    assert done.returncode == 3, (done.returncode, done.stderr)
    assert not target.exists()
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and str(path) in lines[0], done.stderr
    return lines[0]


def same(ours, theirs):
    if isinstance(theirs, torch.Tensor):
        assert isinstance(ours, torch.Tensor)
        assert (ours.dtype, ours.shape, ours.stride()) == (theirs.dtype, theirs.shape, theirs.stride())
        assert ours.storage_offset() == theirs.storage_offset()
        assert torch.equal(ours, theirs)
    elif isinstance(theirs, dict):
        assert isinstance(ours, dict) and list(ours) == list(theirs)
        for key in theirs:
            same(ours[key], theirs[key])
    elif isinstance(theirs, (list, tuple)):
        assert isinstance(ours, list if isinstance(theirs, list) else tuple) and len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            same(one, other)
    else:
        assert type(ours) is type(theirs) and ours == theirs


def small_network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2))


def trained():
    """A network and its optimizer after three steps."""
    network = small_network()
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, betas=(0.5, 0.999))
    for _ in range(3):
        optimizer.zero_grad()
        network(torch.randn(2, 3, 4, 4)).square().mean().backward()
        optimizer.step()
    return network, optimizer


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_checkpoint(tmp_path, protocol):
    network, optimizer = trained()
    state = network.state_dict()
    assert isinstance(state, OrderedDict) and hasattr(state, "_metadata")
    checkpoint = {"model": state, "optimizer": optimizer.state_dict(), "epoch": 3, "data": b"\x00\xff", "none": None}
    back = echo(checkpoint, tmp_path, pickle_protocol=protocol)
    same(back, checkpoint)
    other = small_network()
    other.load_state_dict(back["model"])
    torch.optim.AdamW(other.parameters()).load_state_dict(back["optimizer"])


def test_names_of_data_parallel(tmp_path):
    state = nn.DataParallel(small_network()).state_dict()
    assert all(name.startswith("module.") for name in state)
    same(echo(state, tmp_path), state)


def test_types(tmp_path):
    kinds = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
             torch.int8, torch.uint8, torch.bool]
    tensors = {str(kind): torch.arange(-3, 9).remainder(127).to(kind).reshape(3, 4) for kind in kinds}
    same(echo(tensors, tmp_path), tensors)


def test_parameters_arrive_as_tensors(tmp_path):
    back = echo({"w": nn.Parameter(torch.randn(3)), "fixed": nn.Parameter(torch.ones(2), requires_grad=False)}, tmp_path)
    assert list(back) == ["w", "fixed"] and not back["w"].requires_grad


def test_views_share_their_storage(tmp_path):
    base = torch.arange(24.0).reshape(4, 6)
    views = {"base": base, "column": base[:, 2], "turned": base.t(), "part": base[1:3, 1:4], "one": base[3, 5],
             "wide": torch.ones(1).expand(5), "empty": torch.empty(0, 3), "none of it": base[2:2], "scalar": torch.tensor(7)}
    back = echo(views, tmp_path)
    same(back, views)
    assert back["turned"].untyped_storage().data_ptr() == back["base"].untyped_storage().data_ptr()
    with zipfile.ZipFile(tmp_path / "out.pt") as archive:
        assert sum("/data/" in name for name in archive.namelist()) == 4


def test_plain_values(tmp_path):
    value = {"numbers": [0, 1, -1, 255, 256, -(2**31), 2**31, 2**40, 2**63 - 1, -(2**63)], "floats": (0.1, -1e300, float("inf")),
             "text": ["", "plain", "Ærøskøbing 東京 🏙", "a\x00b\n"], "nested": {"a": {"b": [{"c": (1, (2, (3, ())))}]}},
             "flags": [True, False, None], 7: "seven", "bytes": [b"", bytes(range(256))], "shape": tuple(torch.Size([1, 2]))}
    for protocol in (2, 4):
        same(echo(value, tmp_path, pickle_protocol=protocol), value)
    assert echo({"shape": torch.Size([3, 4]), "set": {5}, "array": bytearray(b"xy")}, tmp_path) == {
        "shape": (3, 4), "set": [5], "array": b"xy"}


def test_the_same_value_gives_the_same_bytes(tmp_path):
    network, optimizer = trained()
    value = {"model": network.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(value, tmp_path / "in.pt")
    for source, target in (("in", "one"), ("in", "two"), ("one", "three")):
        assert run_echo(tmp_path / f"{source}.pt", tmp_path / f"{target}.pt").returncode == 0
    first = (tmp_path / "one.pt").read_bytes()
    assert first == (tmp_path / "two.pt").read_bytes() == (tmp_path / "three.pt").read_bytes()


def test_records_are_aligned_and_sound(tmp_path):
    echo({f"{i}": torch.randn(i) for i in range(20)}, tmp_path)
    with zipfile.ZipFile(tmp_path / "out.pt") as archive, open(tmp_path / "out.pt", "rb") as file:
        assert archive.testzip() is None
        for record in archive.infolist():
            assert record.compress_type == zipfile.ZIP_STORED and record.date_time[:3] == (1980, 1, 1)
            file.seek(record.header_offset + 26)
            sizes = file.read(4)
            start = record.header_offset + 30 + int.from_bytes(sizes[:2], "little") + int.from_bytes(sizes[2:], "little")
            assert start % 64 == 0, record.filename


class Evil:
    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.system, (f"touch {self.marker}",)


@pytest.mark.parametrize("protocol", [2, 4])
def test_code_is_refused_by_name_and_not_run(tmp_path, protocol):
    marker = tmp_path / "executed"
    torch.save({"weights": torch.ones(2), "evil": Evil(marker)}, tmp_path / "evil.pt", pickle_protocol=protocol)
    reason = refused(tmp_path / "evil.pt")
    assert "posix.system" in reason and "nothing was executed" in reason
    assert not marker.exists()


def test_a_whole_module_is_refused_by_name(tmp_path):
    torch.save(small_network(), tmp_path / "module.pt")
    assert "torch.nn.modules.container.Sequential" in refused(tmp_path / "module.pt")


@pytest.mark.parametrize("protocol", [2, 4])
def test_the_format_before_1_6_is_read(protocol, tmp_path):
    network, base = small_network(), torch.arange(24, dtype=torch.float64).reshape(4, 6)
    value = {"state": network.state_dict(), "epoch": 3, "views": [base, base.t(), base[1:, 2:]], "half": torch.ones(3).half(),
             "none": torch.zeros(0), "losses": {"_G": [0.5, 1.5]}}
    same(echo(value, tmp_path, _use_new_zipfile_serialization=False, pickle_protocol=protocol), value)


def test_the_format_before_1_6_cut_anywhere_is_refused(tmp_path):
    torch.save({"a": torch.arange(5), "b": torch.ones(2, 3)}, tmp_path / "whole.pt", _use_new_zipfile_serialization=False)
    whole = (tmp_path / "whole.pt").read_bytes()
    cut = tmp_path / "cut.pt"
    for size in range(1, len(whole), 7):
        cut.write_bytes(whole[:size])
        refused(cut)


def test_the_format_before_1_6_executes_nothing(tmp_path):
    marker = tmp_path / "executed"
    torch.save({"evil": Evil(marker)}, tmp_path / "evil.pt", _use_new_zipfile_serialization=False)
    assert "nothing was executed" in refused(tmp_path / "evil.pt")
    assert not marker.exists()


def rewrite(source, target, change):
    """Copies an archive record by record; `change(name, bytes)` gives a record's new bytes."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))


def test_other_files_are_refused(tmp_path):
    torch.save({"w": torch.arange(100)}, tmp_path / "good.pt")
    good = (tmp_path / "good.pt").read_bytes()
    bad = tmp_path / "bad.pt"
    assert "no such file" in refused(tmp_path / "missing.pt")
    bad.write_bytes(b"")
    assert "empty" in refused(bad)
    bad.write_bytes(b"hello " * 100)
    assert "not a file of torch.save" in refused(bad)
    bad.write_bytes(good[: len(good) // 2])
    assert "truncated" in refused(bad)
    with zipfile.ZipFile(tmp_path / "good.pt") as archive:
        data = archive.read("good/data/0")
    at = good.index(data)
    bad.write_bytes(good[: at + 40] + b"\x55" + good[at + 41 :])
    assert "good/data/0 is damaged" in refused(bad)
    rewrite(tmp_path / "good.pt", bad, lambda name, old: b"big" if name.endswith("byteorder") else old)
    assert "big-endian" in refused(bad)
    rewrite(tmp_path / "good.pt", bad, lambda name, old: old[:-8] if name.endswith("data/0") else old)
    assert "storage 0" in refused(bad)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("a/b.txt", "c")
    assert "no data.pkl" in refused(bad)
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/data.pkl", pickle.dumps([0] * 1000, 2))
    assert "compressed" in refused(bad)
    torch.save({"huge": 2**80}, bad)
    assert "64 bits" in refused(bad)
    loop = []
    loop.append(loop)
    torch.save(loop, bad)
    assert "contain themselves" in refused(bad)


def test_what_was_there_survives_a_refusal(tmp_path):
    torch.save({"w": torch.ones(1)}, tmp_path / "in.pt")
    (tmp_path / "folder").mkdir()
    done = run_echo(tmp_path / "in.pt", tmp_path / "folder")
    assert done.returncode == 1 and "cannot write" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "in.pt"]
