"""The peers of the training step: DCGAN in PyTorch, batch 64 of 64 px, float32.

step_peer.py eager|tuned|compiled SECONDS: prints images/s and memory as JSON, the keys of `nowhere bench step --json`.
- eager: as the tutorial's users run it. Default memory format, AdamW with its defaults, one backward for real and one
  for fake, D's gradients computed in G's step too, losses read by .item() at every step.
- tuned: channels_last, fused AdamW, one backward for D, D frozen in G's step, no loss read.
- compiled: the same with both networks under torch.compile, which is done before the measurement begins.
"""
import json
import resource
import sys
import time

import torch
from torch import nn
from torch.nn import functional

NZ, NGF, NDF, BATCH, SIZE, THREADS, WARM_UP = 100, 64, 64, 64, 64, 2, 3


def generator():
    width = NGF * 8
    layers = [nn.ConvTranspose2d(NZ, width, 4, 1, 0, bias=False), nn.BatchNorm2d(width), nn.ReLU(True)]
    while width > NGF:
        layers += [nn.ConvTranspose2d(width, width // 2, 4, 2, 1, bias=False), nn.BatchNorm2d(width // 2), nn.ReLU(True)]
        width //= 2
    return nn.Sequential(*layers, nn.ConvTranspose2d(width, 3, 4, 2, 1, bias=False), nn.Tanh())


def discriminator():
    layers, width = [nn.Conv2d(3, NDF, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True)], NDF
    while width < NDF * 8:
        layers += [nn.Conv2d(width, width * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(width * 2), nn.LeakyReLU(0.2, inplace=True)]
        width *= 2
    return nn.Sequential(*layers, nn.Conv2d(width, 1, 4, 1, 0, bias=False), nn.Flatten(0))


def initialise(module):
    if isinstance(module, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(module.weight, 0, 0.02)
    elif isinstance(module, nn.BatchNorm2d):
        nn.init.normal_(module.weight, 1, 0.02)


def bce(logits, label):
    return functional.binary_cross_entropy_with_logits(logits, torch.full_like(logits, label))


def confidence(logits):
    return logits.detach().sigmoid().mean()


def optimizers(g, d, **more):
    settings = {"lr": 2e-4, "betas": (0.5, 0.999), "weight_decay": 0.05, **more}
    return torch.optim.AdamW(g.parameters(), **settings), torch.optim.AdamW(d.parameters(), **settings)


def eager(g, d, real):
    g_adam, d_adam = optimizers(g, d)

    def step():
        d.zero_grad()
        on_real = d(real)
        real_loss = bce(on_real, 1.0)
        real_loss.backward()
        fake = g(torch.randn(BATCH, NZ, 1, 1))
        on_fake = d(fake.detach())
        fake_loss = bce(on_fake, 0.0)
        fake_loss.backward()
        d_adam.step()
        g.zero_grad()
        on_same = d(fake)
        g_loss = bce(on_same, 1.0)
        g_loss.backward()
        g_adam.step()
        return [value.item() for value in (
            real_loss + fake_loss, g_loss, confidence(on_real), confidence(on_fake), confidence(on_same))]

    return step


def compiled(g, d, real):
    return tuned(g, d, real, torch.compile)


def tuned(g, d, real, ready=lambda network: network):
    g, d = (ready(network.to(memory_format=torch.channels_last)) for network in (g, d))
    real = real.contiguous(memory_format=torch.channels_last)
    g_adam, d_adam = optimizers(g, d, fused=True)

    def step():
        d_adam.zero_grad()
        on_real = d(real)
        fake = g(torch.randn(BATCH, NZ, 1, 1))
        on_fake = d(fake.detach())
        (bce(on_real, 1.0) + bce(on_fake, 0.0)).backward()
        d_adam.step()
        g_adam.zero_grad()
        d.requires_grad_(False)
        bce(d(fake), 1.0).backward()
        d.requires_grad_(True)
        g_adam.step()

    return step


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main():
    make, seconds = {"eager": eager, "tuned": tuned, "compiled": compiled}[sys.argv[1]], float(sys.argv[2])
    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    at_start = resident_bytes()
    step = make(generator().apply(initialise), discriminator().apply(initialise), torch.rand(BATCH, 3, SIZE, SIZE) * 2 - 1)
    for _ in range(WARM_UP):
        step()
    start, images = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        step()
        images += BATCH
    speed = images / (time.perf_counter() - start)
    print(json.dumps({"images_per_second": speed, "peak_bytes": peak_bytes(), "bytes_at_start": at_start}))


if __name__ == "__main__":
    main()
