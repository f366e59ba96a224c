"""The classic step against PyTorch: the same weights, batches and noise give the same losses and weights."""
import copy
import subprocess

import pytest
import torch
from conftest import TOP
from networks import discriminator, generator, initialise
from torch.nn import functional

STEPS = 5


def bce(logits, label):
    return functional.binary_cross_entropy_with_logits(logits, torch.full_like(logits, label))


def train(g, d, real, noise):
    # The fused form: Adam divides gradients by their own size, so that the last bit of one that is nearly 0 decides
    # about a whole step; with another order of operations five steps drift apart by more than they should be told from.
    settings = {"lr": 2e-4, "betas": (0.5, 0.999), "weight_decay": 0.05, "fused": True}
    adams = [torch.optim.AdamW(network.parameters(), **settings) for network in (g, d)]
    losses = []
    for batch, z in zip(real, noise):
        d.zero_grad()
        on_real = d.main(batch).view(-1)
        fake = g.main(z)
        on_fake = d.main(fake.detach()).view(-1)
        d_loss = bce(on_real, 1.0) + bce(on_fake, 0.0)
        d_loss.backward()
        adams[1].step()
        g.zero_grad()
        on_same = d.main(fake).view(-1)
        g_loss = bce(on_same, 1.0)
        g_loss.backward()
        adams[0].step()
        confidences = [logits.detach().sigmoid().mean() for logits in (on_real, on_fake, on_same)]
        losses.append(torch.stack([d_loss.detach(), g_loss.detach(), *confidences]))
    return torch.stack(losses)


def start(nz, ngf, ndf, size, batch):
    """Both networks, and real pictures and noise for every step."""
    torch.manual_seed(3)
    g, d = generator(nz, ngf, size), discriminator(ndf, size)
    g.apply(initialise)
    d.apply(initialise)
    return g, d, torch.rand(STEPS, batch, 3, size, size) * 2 - 1, torch.randn(STEPS, batch, nz, 1, 1)


def states(g, d):
    return {prefix + key: value for prefix, network in (("G.", g), ("D.", d)) for key, value in network.state_dict().items()}


def ours(g, d, real, noise, sizes, folder, kernels):
    """Losses and weights after the program's own steps."""
    tensors = {key: value.clone() for key, value in states(g, d).items()}
    torch.save({"real": real, "noise": noise, "sizes": torch.tensor(sizes), **tensors}, folder / "in.pt")
    program = TOP / "build" / "release" / "tests" / "step_parity"
    subprocess.run([program, folder / "in.pt", folder / "out.pt", kernels], check=True)
    return torch.load(folder / "out.pt", weights_only=False)


def theirs(g, d, real, noise, layout):
    """Losses and weights after PyTorch's steps in one of its memory layouts."""
    g, d = (copy.deepcopy(network).to(memory_format=layout) for network in (g, d))
    losses = train(g, d, [batch.contiguous(memory_format=layout) for batch in real], noise)
    return {"losses": losses, **states(g, d)}


def apart(one, other):
    """The largest relative difference of a loss, and of a tensor in its norm."""
    losses = ((one["losses"] - other["losses"]).abs() / other["losses"].abs()).max().item()
    weights = max(((one[key] - value).float().norm() / value.float().norm().clamp(min=1e-12)).item()
                  for key, value in other.items() if key != "losses")
    return losses, weights


@pytest.mark.parametrize("sizes", [(100, 64, 64, 64), (16, 8, 8, 32), (32, 8, 4, 128)])
def test_five_steps_agree(sizes, tmp_path):
    g, d, real, noise = start(*sizes, batch=8)
    # The program's layout: another one sums in another order, and Adam makes whole steps of last bits.
    reference = theirs(g, d, real, noise, torch.channels_last)
    losses, weights = apart(ours(g, d, real, noise, sizes, tmp_path, "torch"), reference)
    assert losses < 1e-4 and weights < 1e-3


def test_what_our_kernels_round_stays_near_what_pytorchs_layouts_do(tmp_path):
    """Winograd's transforms round about ten times as coarsely as direct sums (1e-5 beside 1e-6), and Adam makes whole steps of last
    bits. PyTorch's own two layouts drift apart in the same way: five steps may differ by ten times as much as those do. The first
    losses, before any update, agree closely."""
    sizes = (100, 64, 64, 64)
    g, d, real, noise = start(*sizes, batch=64)
    result = ours(g, d, real, noise, sizes, tmp_path, "auto")
    one, other = (theirs(g, d, real, noise, layout) for layout in (torch.channels_last, torch.contiguous_format))
    before_any_update = [0, 2, 3]  # D's loss, D(x) and D(G(z)); G's loss and the second D(G(z)) come after D's update
    assert torch.allclose(result["losses"][0, before_any_update], one["losses"][0, before_any_update], rtol=1e-4)
    for drift, allowed in zip(apart(result, one), apart(other, one)):
        assert drift < 10 * allowed, (drift, allowed)
