"""The generator in other programs' hands: PyTorch, onnxruntime and safetensors draw what it draws."""
import json
import os

import numpy
import onnxruntime
import pytest
import safetensors
import torch
from conftest import ok, refused
from networks import generator, initialise
from safetensors.torch import load_file

LATENT = 24
SIZES = [32, 64, 128]
FORMS = ["ts", "onnx", "safetensors"]


def network(size):
    """A generator whose batch norms have statistics, weights and biases that matter, evaluating."""
    torch.manual_seed(size)
    made = generator(LATENT, 4, size).apply(initialise)
    for module in made.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.bias.data.normal_(0, 0.3)
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.05, 2)
            module.num_batches_tracked.fill_(7)
    made.main[-2].weight.data.mul_(20)
    return made.eval()


@pytest.fixture(scope="module", params=SIZES)
def exported(request, tmp_path_factory):
    """The network, and the folder with its checkpoint and the three files."""
    folder = tmp_path_factory.mktemp("export") / "streets"
    folder.mkdir()
    made = network(request.param)
    torch.save({"epoch": 3, "G_state_dict": made.state_dict()}, folder / "checkpoint_3.pt")
    for form in FORMS:
        said = ok("export", folder, "-o", folder / f"model.{form}")
        assert f"{request.param} px" in said and "epoch 3" in said
    return made, folder


@pytest.fixture(params=[(1, 2), (5, 2), (1, 4), (5, 4)], ids=lambda batch: f"{batch[0]}-of-rank-{batch[1]}")
def latent(request):
    count, rank = request.param
    z = torch.randn(count, LATENT, generator=torch.Generator().manual_seed(count))
    return z if rank == 2 else z[:, :, None, None]


def expected(made, z):
    with torch.no_grad():
        pictures = made.main(z.reshape(-1, LATENT, 1, 1)).numpy()
    assert pictures.std() > 0.1, "the pictures are worth comparing"
    return pictures


def same(pictures, wanted):
    assert pictures.dtype == numpy.float32 and pictures.shape == wanted.shape
    assert numpy.abs(pictures - wanted).max() < 1e-4
    assert numpy.abs(pictures).max() <= 1


def check_facts(facts, folder, made):
    assert facts["name"] == folder.name and facts["epoch"] == "3" and facts["checkpoint"] == "checkpoint_3.pt"
    assert facts["latent_size"] == str(LATENT)
    assert facts["parameters"] == str(sum(parameter.numel() for parameter in made.parameters()))
    assert "standard normal" in facts["input"] and "[-1,1]" in facts["output"]


def test_torchscript(exported, latent):
    made, folder = exported
    module = torch.jit.load(folder / "model.ts")
    same(module(latent).numpy(), expected(made, latent))
    module.train()  # changes nothing: an exported generator does not learn
    same(module(latent).numpy(), expected(made, latent))


def test_torchscript_keeps_names_and_facts(exported):
    made, folder = exported
    extra = {"nowhere.json": ""}
    module = torch.jit.load(folder / "model.ts", _extra_files=extra)
    check_facts(json.loads(extra["nowhere.json"]), folder, made)
    assert not module.training
    state = module.state_dict()
    assert {name: tensor.dtype for name, tensor in state.items()} == {name: tensor.dtype for name, tensor in made.state_dict().items()}
    assert all(torch.equal(tensor, state[name]) for name, tensor in made.state_dict().items())


def test_onnx(exported, latent):
    made, folder = exported
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    [pictures] = session.run(["pictures"], {"z": latent.numpy()})
    same(pictures, expected(made, latent))


def test_onnx_says_what_it_is(exported):
    made, folder = exported
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    check_facts(session.get_modelmeta().custom_metadata_map, folder, made)
    assert session.get_modelmeta().producer_name == "nowhere"
    [z], [pictures] = session.get_inputs(), session.get_outputs()
    size = pictures.shape[-1]
    assert (z.name, z.type) == ("z", "tensor(float)")
    assert pictures.name == "pictures" and pictures.shape == ["N", 3, size, size]
    with pytest.raises(Exception, match="[Rr]eshape"):
        session.run(None, {"z": numpy.zeros((1, LATENT + 1), numpy.float32)})


def test_safetensors(exported, latent):
    made, folder = exported
    loaded = generator(LATENT, 4, int(made.main[0].out_channels / 4 * 8))
    loaded.load_state_dict(load_file(folder / "model.safetensors"))
    same(expected(loaded.eval(), latent), expected(made, latent))


def test_safetensors_facts_and_alignment(exported):
    made, folder = exported
    with safetensors.safe_open(folder / "model.safetensors", "pt") as file:
        facts = file.metadata()
        assert set(file.keys()) == set(made.state_dict())
    check_facts(facts, folder, made)
    assert facts["format"] == "pt"
    data = (folder / "model.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    for name, entry in header.items():
        width = {"F32": 4, "I64": 8}.get(entry.get("dtype"))
        assert name == "__metadata__" or (8 + length + entry["data_offsets"][0]) % width == 0
    assert max(entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__") == len(data) - 8 - length


@pytest.fixture
def checkpoint(tmp_path):
    path = tmp_path / "checkpoint_3.pt"
    torch.save({"epoch": 3, "G_state_dict": network(32).state_dict()}, path)
    return path


def test_a_lone_checkpoint_into_a_new_folder(checkpoint, tmp_path):
    ok("export", checkpoint, "-o", tmp_path / "a" / "b" / "MODEL.ONNX")
    session = onnxruntime.InferenceSession(tmp_path / "a" / "b" / "MODEL.ONNX", providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map["name"] == "checkpoint_3"
    assert len(list((tmp_path / "a" / "b").iterdir())) == 1


@pytest.mark.parametrize("output", ["model.h5", "model", "model.pth"])
def test_another_ending_is_refused(checkpoint, tmp_path, output):
    line = refused(2, "export", checkpoint, "-o", tmp_path / "new" / output)
    assert output in line and ".ts" in line and ".onnx" in line and ".safetensors" in line
    assert list(tmp_path.iterdir()) == [checkpoint]


def test_the_command_line_is_refused_without_its_parts(checkpoint):
    assert "RUN" in refused(2, "export")
    assert "-o model.ts, model.onnx, model.safetensors or model.pt" in refused(2, "export", checkpoint)


@pytest.mark.parametrize("form", FORMS)
def test_unusable_checkpoints(checkpoint, tmp_path, form):
    output = tmp_path / "new" / f"model.{form}"
    assert "absent.pt" in refused(3, "export", tmp_path / "absent.pt", "-o", output)
    (tmp_path / "empty").mkdir()
    assert "holds no checkpoint" in refused(3, "export", tmp_path / "empty", "-o", output)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1000])
    assert "checkpoint_3.pt" in refused(3, "export", checkpoint, "-o", output)
    torch.save({"epoch": 3, "G_state_dict": torch.nn.Linear(3, 3).state_dict()}, checkpoint)
    assert "not the weights of a generator" in refused(3, "export", checkpoint, "-o", output)
    assert not output.parent.exists()


@pytest.mark.parametrize("form", FORMS)
def test_what_cannot_be_written(checkpoint, tmp_path, form):
    output = tmp_path / f"model.{form}"
    output.mkdir()
    assert f"cannot write {output}" in refused(1, "export", checkpoint, "-o", output)
    (tmp_path / "file").write_text("")
    assert "cannot make the folder" in refused(1, "export", checkpoint, "-o", tmp_path / "file" / output.name)
    assert sorted(os.listdir(tmp_path)) == sorted(["checkpoint_3.pt", output.name, "file"])


@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_leaves_what_was_there(checkpoint, tmp_path, form):
    output = tmp_path / f"model.{form}"
    output.write_text("before")
    limited = {"preexec_fn": limit_files}
    assert f"cannot write {output}" in refused(1, "export", checkpoint, "-o", output, **limited)
    assert output.read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == sorted(["checkpoint_3.pt", output.name])


def limit_files():
    """In the program: files end after 10 kB, as they do on a disk that fills up."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


def test_the_checkpoint_itself_is_not_overwritten(checkpoint, tmp_path):
    as_script = checkpoint.rename(tmp_path / "checkpoint.ts")
    before = as_script.read_bytes()
    assert "is the checkpoint itself" in refused(2, "export", as_script, "-o", as_script)
    assert as_script.read_bytes() == before
