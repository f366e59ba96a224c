"""The peer of training on several processes: DCGAN in PyTorch with DistributedDataParallel on Gloo, the tuned peer of
step_peer.py on every rank. Started by torchrun, one thread a process.

dist_peer.py train BATCH WARM_UP STEPS: prints images/s of all ranks as JSON.
dist_peer.py link: times all-reduces of a few and of many bytes, prints [bytes, seconds] of each.

What makes it fast and leaves it correct: gradients live in the buckets (no copy back), buffers are not broadcast at every forward
(batch norm in training reads none of them), the graph is declared static, D's pass in G's step goes around its wrapper (its
weights are frozen then, so there is nothing to reduce), and the networks are channels_last before they are wrapped.
"""
import json
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from step_peer import NZ, SIZE, bce, discriminator, generator, initialise, optimizers


def wrap(network):
    network = network.to(memory_format=torch.channels_last)
    return DistributedDataParallel(network, gradient_as_bucket_view=True, broadcast_buffers=False, static_graph=True)


def make_step(g, d, batch):
    """The step of step_peer.tuned, with both networks wrapped."""
    real = (torch.rand(batch, 3, SIZE, SIZE) * 2 - 1).contiguous(memory_format=torch.channels_last)
    g_adam, d_adam = optimizers(g, d, fused=True)

    def step():
        d_adam.zero_grad()
        on_real = d(real)
        fake = g(torch.randn(batch, NZ, 1, 1))
        on_fake = d(fake.detach())
        (bce(on_real, 1.0) + bce(on_fake, 0.0)).backward()
        d_adam.step()
        g_adam.zero_grad()
        d.requires_grad_(False)
        bce(d.module(fake), 1.0).backward()
        d.requires_grad_(True)
        g_adam.step()

    return step


def ranks_agree(*networks):
    """Whether all ranks hold the weights of rank 0, bit for bit."""
    different = torch.zeros(1)
    for network in networks:
        for parameter in network.parameters():
            first = parameter.detach().clone()
            dist.broadcast(first, 0)
            different += not torch.equal(first, parameter)
    dist.all_reduce(different)
    return different.item() == 0


def train(batch, warm_up, steps):
    torch.manual_seed(1)
    g, d = wrap(generator().apply(initialise)), wrap(discriminator().apply(initialise))
    torch.manual_seed(100 + dist.get_rank())  # other pictures and noise on every rank
    step = make_step(g, d, batch)
    for _ in range(warm_up):
        step()
    dist.barrier()
    start = time.perf_counter()
    for _ in range(steps):
        step()
    dist.barrier()
    seconds = time.perf_counter() - start
    if not ranks_agree(g, d):
        sys.exit("the ranks hold different weights")
    return {"images_per_second": steps * batch * dist.get_world_size() / seconds}


def link():
    def seconds(numbers, times):
        tensor = torch.zeros(numbers)
        dist.all_reduce(tensor)
        found = []
        for _ in range(times):
            dist.barrier()
            start = time.perf_counter()
            dist.all_reduce(tensor)
            found.append(time.perf_counter() - start)
        return [4 * numbers, sorted(found)[times // 2]]

    return [seconds(1024, 101), seconds(4 << 20, 21)]


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    result = train(*map(int, sys.argv[2:])) if sys.argv[1] == "train" else link()
    if dist.get_rank() == 0:
        print(json.dumps(result), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
