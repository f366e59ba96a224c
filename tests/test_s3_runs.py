"""Runs in a bucket: trained into it, and read from it by every command that takes a run."""
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import nowhere, ok, refused
from generators import publish_checkpoint, save_checkpoint
from s3_server import BUCKET, error, proxy, server, times  # noqa: F401
from server import Server, serving, wait_until

SMALL = ["--preset", "streets-64", "--img-size", 32, "--ngf", 4, "--ndf", 4, "--nz", 8, "--batch-size", 16, "--features", "none",
         "--threads", 1, "--workers", 1]


@pytest.fixture(scope="module")
def pack(streets, tmp_path_factory):
    """32 photographs of 32 pixels."""
    file = tmp_path_factory.mktemp("pack") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", 32, "--limit", 32)
    return file


@pytest.fixture(scope="module")
def run(server, three_epochs):
    server.put_run(three_epochs, "runs/streets")
    return f"s3://{BUCKET}/runs/streets"


def train(pack, root, name, *more):
    return ["train", *SMALL, "--dataroot", pack, "--root", root, "--name", name, "--s3-bucket", BUCKET, *more]


def secrets_in(keys, text):
    return [name for name in ("AccessKeyId", "SecretAccessKey", "SessionToken") if name in keys and keys[name] in text]


def test_the_published_command_uploads_its_slim_checkpoint(server, pack, tmp_path):
    checkpoint = f'{{"name": "msls-dcgan-128", "root": "{tmp_path}/", "log_frequency": 50, "save_frequency": 1,}}'
    networks = ('{"nc": 3, "nz": 8, "ngf": 4, "ndf": 4, "lr": 0.0002, "beta1": 0.5, "beta2": 0.999, "batch_size": 16, '
                '"img_size": 32, "weight_decay": 0.05}')
    keys = server.temporary
    done = nowhere("run_dcgan", "-c", checkpoint, "-t", networks, "--s_epoch", 0, "--n_epoch", 1, "--dataroot", pack,
                   "--logging", "True", "--profile", "True", "--s3_bucket", BUCKET, env=server.environment(keys))
    assert done.returncode == 0, done.stderr
    run = tmp_path / "msls-dcgan-128"
    assert server.keys("msls-dcgan-128/") == ["msls-dcgan-128/slim_checkpoint_1.pt"]
    assert server.get("msls-dcgan-128/slim_checkpoint_1.pt") == (run / "slim_checkpoint_1.pt").read_bytes()
    assert f"uploaded s3://{BUCKET}/msls-dcgan-128/slim_checkpoint_1.pt" in done.stdout
    assert server.unfinished_uploads() == []
    written = "".join(file.read_bytes().decode("latin-1") for file in run.rglob("*") if file.is_file())
    assert not secrets_in(keys, done.stdout + done.stderr + written)


def test_only_the_last_save_goes_unless_every_one_is_asked_for(server, pack, tmp_path):
    ok(*train(pack, tmp_path, "last", "--n-epoch", 2), env=server.environment())
    assert server.keys("last/") == ["last/slim_checkpoint_2.pt"]
    ok(*train(pack, tmp_path, "every", "--n-epoch", 2, "--s3-every-save"), env=server.environment())
    assert server.keys("every/") == ["every/slim_checkpoint_1.pt", "every/slim_checkpoint_2.pt"]
    # A run that goes on remembers its bucket, and one that is at its end already uploads what it has.
    server.s3.delete_object(Bucket=BUCKET, Key="last/slim_checkpoint_2.pt")
    ok("train", "--root", tmp_path, "--name", "last", "--resume", env=server.environment())
    assert server.keys("last/") == ["last/slim_checkpoint_2.pt"]


def test_an_upload_that_failed_is_tried_again_and_fails_no_training(server, proxy, pack, tmp_path):
    proxy.rule = times(1, error(403, "AccessDenied"), lambda method, path: method == "PUT" and "slim_checkpoint_1" in path)
    done = nowhere(*train(pack, tmp_path, "again", "--n-epoch", 2, "--s3-every-save"),
                   env=server.environment(AWS_ENDPOINT_URL=proxy.url))
    assert done.returncode == 0, done.stderr
    assert "slim_checkpoint_1.pt was not uploaded" in done.stderr
    assert server.keys("again/") == ["again/slim_checkpoint_1.pt", "again/slim_checkpoint_2.pt"]


def test_what_is_missing_at_the_end_is_reported(server, proxy, pack, tmp_path):
    environment = server.environment(AWS_ENDPOINT_URL=proxy.url, AWS_MAX_ATTEMPTS=1)
    for missing, code in ((1, 0), (2, 1)):  # only the last one makes the run fail
        name = f"missing-{missing}"
        proxy.rule = (lambda method, path, file=f"slim_checkpoint_{missing}.pt":
                      error(500, "InternalError") if method == "PUT" and file in path else None)
        done = nowhere(*train(pack, tmp_path, name, "--n-epoch", 2, "--s3-every-save"), env=environment)
        assert done.returncode == code, done.stderr
        assert f"missing in s3://{BUCKET}/{name}: slim_checkpoint_{missing}.pt" in done.stderr
        assert (tmp_path / name / "checkpoint_2.pt").exists() and (tmp_path / name / "figures" / "novel_samples.png").exists()


def test_what_was_saved_before_a_training_failed_is_uploaded(server, pack, tmp_path):
    own, run, environment = tmp_path / "own.nwp", tmp_path / "broken", server.environment()
    own.write_bytes(pack.read_bytes())

    def cut_the_pack():
        wait_until((run / "slim_checkpoint_1.pt").exists)
        os.truncate(own, own.stat().st_size // 2)

    with ThreadPoolExecutor() as beside:
        cutting = beside.submit(cut_the_pack)
        done = nowhere(*train(own, tmp_path, "broken", "--n-epoch", 100_000), env=environment)
        cutting.result()
    assert done.returncode == 3 and "mend the data, and --resume goes on" in done.stderr, done.stderr
    newest = max(int(file.stem.rpartition("_")[2]) for file in run.glob("slim_checkpoint_*.pt") if "batch" not in file.name)
    assert server.keys("broken/") == [f"broken/slim_checkpoint_{newest}.pt"]
    # One that saves nothing leaves the bucket alone, whatever lies in the folder.
    server.s3.delete_object(Bucket=BUCKET, Key=f"broken/slim_checkpoint_{newest}.pt")
    refused(2, *train(pack, tmp_path, "broken", "--n-epoch", 1), env=environment)
    assert server.keys("broken/") == []


def test_training_begins_with_networks_from_a_bucket(server, pack, tmp_path):
    ok(*train(pack, tmp_path, "first", "--n-epoch", 1), env=server.environment())
    server.put_run(tmp_path / "first", "first-run")
    for name, init in (("folder", tmp_path / "first"), ("bucket", f"s3://{BUCKET}/first-run")):
        said = ok("train", *SMALL, "--dataroot", pack, "--root", tmp_path, "--name", name, "--n-epoch", 1, "--init", init,
                  env=server.environment())
        assert "begins with" in said and str(init) in said
        ok("sample", tmp_path / name, "-o", tmp_path / f"{name}.png")
    assert (tmp_path / "folder.png").read_bytes() == (tmp_path / "bucket.png").read_bytes()
    ok("train", "--root", tmp_path, "--name", "bucket", "--resume", "--n-epoch", 2)  # needs the bucket no more
    assert "no such bucket" in refused(3, "train", *SMALL, "--dataroot", pack, "--root", tmp_path, "--name", "none",
                                       "--init", "s3://no-such-bucket/first", env=server.environment())
    assert not (tmp_path / "none").exists()


def test_a_bucket_that_cannot_be_written_is_refused_before_training(server, pack, tmp_path):
    def said(environment, *more):
        return refused(2, *train(pack, tmp_path, "refused", "--n-epoch", 1, *more), env=environment)

    assert "there is no such bucket" in said(server.environment(), "--s3-bucket", "no-such-bucket")
    assert "access is denied" in said(server.environment(server.stranger))
    assert "there are no credentials" in said(server.environment({}))
    assert "AWS_SECRET_ACCESS_KEY" in said(server.environment(AWS_SECRET_ACCESS_KEY="wrong"))
    assert "that is no bucket" in said(server.environment(), "--s3-bucket", "a b")
    assert "--s3-bucket" in refused(2, "train", *SMALL, "--dataroot", pack, "--root", tmp_path, "--s3-every-save")
    assert not (tmp_path / "refused").exists()


def test_a_server_that_is_down_is_no_reason_not_to_train(server, pack, tmp_path):
    done = nowhere(*train(pack, tmp_path, "down", "--n-epoch", 1),
                   env=server.environment(AWS_ENDPOINT_URL="http://127.0.0.1:1", AWS_MAX_ATTEMPTS=1))
    assert done.returncode == 1
    assert "uploading is tried later" in done.stderr and "missing in s3://" in done.stderr
    assert (tmp_path / "down" / "slim_checkpoint_1.pt").exists()
    ok(*train(pack, tmp_path, "none", "--n-epoch", 1, "--s3-bucket", "False"))


def test_pictures_from_a_bucket_are_those_of_the_folder(server, three_epochs, run, tmp_path):
    environment = server.environment()
    for command, file, more in (("sample", "sheet.png", ("--seeds", "0-3")), ("sample", "second.png", ("--epoch", 2)),
                                ("morph", "morph.gif", ("--frames", 2)), ("export", "model.safetensors", ())):
        made = [ok(command, place, *more, "-o", tmp_path / f"{number}-{file}", env=environment)
                for number, place in enumerate((three_epochs, run))]
        assert (tmp_path / f"0-{file}").read_bytes() == (tmp_path / f"1-{file}").read_bytes(), command
        assert f"{run}/slim_checkpoint_" in made[1]
    ok("sample", f"{run}/slim_checkpoint_2.pt", "-o", tmp_path / "alone.png", env=environment)
    assert (tmp_path / "alone.png").read_bytes() == (tmp_path / "1-second.png").read_bytes()


def test_a_checkpoint_in_a_bucket_is_imported(server, tmp_path):
    save_checkpoint(tmp_path / "checkpoint_4.pt", epoch=4, full=True)
    server.put("reference/checkpoint_4.pt", (tmp_path / "checkpoint_4.pt").read_bytes())
    ok("import", f"s3://{BUCKET}/reference/checkpoint_4.pt", "-o", tmp_path / "run", env=server.environment())
    assert (tmp_path / "run" / "checkpoint_4.pt").read_bytes() == (tmp_path / "checkpoint_4.pt").read_bytes()
    assert "give one checkpoint" in refused(2, "import", f"s3://{BUCKET}/reference", "-o", tmp_path / "other",
                                            env=server.environment())


def test_a_run_in_a_bucket_is_judged_and_drawn_into_a_folder(server, run, streets, tmp_path):
    environment = server.environment()
    assert "give -o DIR" in refused(2, "evaluate", run, "--dataroot", streets, env=environment)
    assert "give -o DIR" in refused(2, "figures", run, env=environment)
    ok("evaluate", run, "--dataroot", streets, "-o", tmp_path / "report", "--samples", 100, "--features", "none",
       env=environment)
    assert (tmp_path / "report" / "index.html").exists()
    drawn = ok("figures", run, "-o", tmp_path / "drawn", env=environment)
    assert (tmp_path / "drawn" / "figures" / "novel_samples.png").exists() and "novel_samples.png" in drawn
    assert sorted(path.name for path in tmp_path.iterdir()) == ["drawn", "report"]


def test_what_is_not_in_the_bucket_is_said(server, run, tmp_path):
    def said(place, code=3, environment=None, *more):
        return refused(code, "sample", place, "-o", tmp_path / "x.png", *more, env=environment or server.environment())

    assert "holds no checkpoint" in said(f"s3://{BUCKET}/nothing")
    assert "does not exist" in said(f"{run}/slim_checkpoint_9.pt")
    assert "no checkpoint of epoch 9" in said(run, 3, None, "--epoch", 9)
    assert "no such bucket" in said("s3://no-such-bucket/run")
    assert "give s3://BUCKET/RUN" in said("s3://", 2)
    assert "access is denied" in said(run, 1, server.environment(server.stranger))
    server.put("damaged/slim_checkpoint_1.pt", b"no checkpoint")
    assert "cannot read" in said(f"s3://{BUCKET}/damaged")


def test_a_server_follows_a_bucket(server, proxy, tmp_path):
    environment = server.environment(server.temporary, AWS_ENDPOINT_URL=proxy.url, AWS_MAX_ATTEMPTS=1)
    place = f"s3://{BUCKET}/followed"

    def publish(epoch):
        publish_checkpoint(tmp_path, epoch)
        server.put(f"followed/slim_checkpoint_{epoch}.pt", (tmp_path / f"slim_checkpoint_{epoch}.pt").read_bytes())

    with contextlib.closing(Server(place, "--follow", "--follow-every", 0.2, **environment)) as gallery:
        assert gallery.get("/readyz").status == 503
        publish(1)
        gallery.wait_until_ready()
        first = gallery.get("/v1/images/5.png").body
        publish(2)
        wait_until(lambda: gallery.get("/v1/model").json()["epoch"] == 2)
        assert gallery.get("/v1/images/5.png").body != first
        assert gallery.get("/v1/images/5.png?epoch=1").body == first

        proxy.rule = lambda method, path: error(503, "SlowDown")  # the bucket is away for a while
        wait_until(lambda: "SlowDown" in gallery.said())
        publish(3)
        assert gallery.get("/v1/images/5.png").status == 200 and gallery.get("/v1/checkpoints").status == 200
        proxy.rule = lambda method, path: None
        wait_until(lambda: gallery.get("/v1/model").json()["epoch"] == 3)
        assert gallery.said().count("SlowDown") == 1  # a fault is told once
        assert gallery.stop() == 0
        assert not secrets_in(server.temporary, gallery.said())


def test_a_server_takes_the_slim_file_else_the_full_one_else_the_bucket(server, tmp_path):
    names = {"MODEL_CFG__NAME": "streets", "MODEL_CFG__ROOT": str(tmp_path), "MODEL_CFG__BUCKET": BUCKET,
             "ML_CONFIG_CHECKPOINT_NUM": "3"}
    save_checkpoint(tmp_path / "x.pt", epoch=3, seed=7)
    server.put("streets/slim_checkpoint_3.pt", (tmp_path / "x.pt").read_bytes())
    environment = server.environment(**names)

    def picture():
        with serving(None, **environment) as gallery:
            return gallery.get("/v1/images/5.png").body, gallery.get("/v1/model").json()["epoch"]

    bucket = picture()
    folder = tmp_path / "streets"
    folder.mkdir()
    save_checkpoint(folder / "slim_checkpoint_2.pt", epoch=2, seed=8)
    assert picture() == bucket  # another epoch is not what was asked for
    save_checkpoint(folder / "checkpoint_3.pt", epoch=3, seed=9)
    full = picture()
    save_checkpoint(folder / "slim_checkpoint_3.pt", epoch=3, seed=10)
    slim = picture()
    assert len({bucket[0], full[0], slim[0]}) == 3 and {bucket[1], full[1], slim[1]} == {3}


def test_several_processes_upload_once(server, pack, tmp_path):
    ok(*train(pack, tmp_path, "two", "--n-epoch", 1, "--nproc", 2, "--batch-size", 8), env=server.environment())
    assert server.keys("two/") == ["two/slim_checkpoint_1.pt"]
