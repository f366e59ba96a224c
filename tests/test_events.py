"""The event files as TensorBoard reads them: values, steps, pictures, histograms, restarts, checksums."""
import io
import math
import re
import struct
import subprocess

import pytest
from conftest import TOP
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.compat.proto.event_pb2 import SessionLog
from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c

WRITER = TOP / "build" / "release" / "tests" / "write_events"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run that saw steps 1 to 5, was stopped, and went on from step 3: two files."""
    folder = tmp_path_factory.mktemp("events")
    subprocess.run([WRITER, folder], check=True, timeout=60)
    return folder


@pytest.fixture(scope="module")
def run(folder):
    run = EventAccumulator(str(folder), size_guidance={"scalars": 0, "images": 0, "histograms": 0})
    return run.Reload()


def test_names_have_the_time_first(folder):
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 2
    assert all(re.fullmatch(r"events\.out\.tfevents\.\d{10}\.[^/]+\.\d+\.\d+", name) for name in names)


def test_scalars_and_restart(run):
    # The second file took back what the first said of steps 4 and 5.
    assert [(event.step, event.value) for event in run.Scalars("loss/d")] == [
        (1, 0.5), (2, 1.0), (3, 1.5), (4, -2.0), (5, -2.5), (6, -3.0)]
    assert [event.value for event in run.Scalars("zero")] == [0]
    assert math.isnan(run.Scalars("loss/g")[0].value)


def test_image(run):
    [event] = run.Images("samples")
    assert (event.step, event.width, event.height) == (2, 48, 32)
    picture = Image.open(io.BytesIO(event.encoded_image_string))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "RGB", (48, 32))
    assert picture.getpixel((40, 20)) == (40, 20, 200)


def test_histogram(run):
    [event] = run.Histograms("weights")
    made = event.histogram_value
    assert (event.step, made.num, made.min, made.max) == (2, 201, -2, 2)
    assert made.sum == pytest.approx(0, abs=1e-5)
    assert made.sum_squares == pytest.approx(sum((i / 50) ** 2 for i in range(-100, 101)))
    assert sum(made.bucket) == 201
    assert len(made.bucket) == len(made.bucket_limit)
    assert list(made.bucket_limit) == sorted(set(made.bucket_limit))
    below = sum(count for count, limit in zip(made.bucket, made.bucket_limit) if limit <= 0)
    assert below == 100


def test_first_events(folder):
    first, second = (list(EventFileLoader(str(path)).Load()) for path in sorted(folder.iterdir()))
    assert first[0].file_version == second[0].file_version == "brain.Event:2"
    assert second[1].session_log.status == SessionLog.START
    assert second[1].step == 4
    assert all(event.wall_time > 1.7e9 for event in first + second)


def test_checksums(folder):
    """Every byte belongs to a record whose two checksums TensorBoard's own function confirms."""
    for path in folder.iterdir():
        data, at, records = path.read_bytes(), 0, 0
        while at < len(data):
            length, length_crc = struct.unpack_from("<QI", data, at)
            body = data[at + 12 : at + 12 + length]
            [body_crc] = struct.unpack_from("<I", data, at + 12 + length)
            assert length_crc == masked_crc32c(data[at : at + 8])
            assert body_crc == masked_crc32c(body)
            at, records = at + length + 16, records + 1
        assert records > 4
