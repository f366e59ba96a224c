"""The classic step against PyTorch: the same weights, batches and noise give the same losses and weights."""
import subprocess

import pytest
import torch
from conftest import TOP
from networks import discriminator, generator, initialise
from torch.nn import functional

STEPS, BATCH = 5, 8


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


@pytest.mark.parametrize("nz, ngf, ndf, size", [(100, 64, 64, 64), (16, 8, 8, 32), (32, 8, 4, 128)])
def test_five_steps_agree(nz, ngf, ndf, size, tmp_path):
    torch.manual_seed(3)
    g, d = generator(nz, ngf, size), discriminator(ndf, size)
    g.apply(initialise)
    d.apply(initialise)
    real, noise = torch.rand(STEPS, BATCH, 3, size, size) * 2 - 1, torch.randn(STEPS, BATCH, nz, 1, 1)
    tensors = {"real": real, "noise": noise, "sizes": torch.tensor([nz, ngf, ndf, size])}
    for prefix, network in (("G.", g), ("D.", d)):
        tensors.update({prefix + key: value.clone() for key, value in network.state_dict().items()})
    torch.save(tensors, tmp_path / "in.pt")
    subprocess.run([TOP / "build" / "release" / "tests" / "step_parity", tmp_path / "in.pt", tmp_path / "out.pt"], check=True)
    ours = torch.load(tmp_path / "out.pt", weights_only=False)
    # The program's layout: another one sums in another order, and Adam makes whole steps of last bits.
    for network in (g, d):
        network.to(memory_format=torch.channels_last)
    theirs = train(g, d, [batch.contiguous(memory_format=torch.channels_last) for batch in real], noise)
    assert torch.allclose(ours["losses"], theirs, rtol=1e-4), (ours["losses"], theirs)
    for prefix, network in (("G.", g), ("D.", d)):
        for key, value in network.state_dict().items():
            difference = (ours[prefix + key] - value).float().norm() / value.float().norm().clamp(min=1e-12)
            assert difference < 1e-3, (prefix + key, difference)
