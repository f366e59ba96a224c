"""A model of training on many devices: how long a step takes on 1 to 64 of them, from the compute time of one device, the bytes
of the gradients and the speed of the links. Every process keeps its batch, so more devices mean more images a step.

What it assumes:
- The work of a layer is its multiply-adds. A backward pass is twice the forward one: gradients of inputs and of weights.
- A step is G forward, D forward and backward on reals and on fakes, the update of D, D forward and backward on the same fakes
  without the gradients of its weights, G backward, the update of G: 3 g + 8 d, where g and d are the forward passes.
- Gradients are ready in the order of the backward pass, and go into buckets in this order. D's are complete in the second of its
  two passes only. A bucket is sent when it is complete and the one before is done, while the backward pass goes on. An update
  begins when the last bucket has arrived: what the pass does not hide is added to the step.
- All-reduce is one ring over all devices: 2 (n - 1) / n of the bytes through the slowest link, and 2 (n - 1) times its latency.
- On a CPU communication is computed by the cores that train: nothing of it is hidden.
"""
from dataclasses import dataclass
from math import log2

MB = 1 << 20  # as the reducer counts
FLOAT = 4  # bytes
FIRST_BUCKET = 1 * MB  # small, so that communication begins early: the reducer's default
KERNEL, PICTURE_CHANNELS = 16, 3


@dataclass(frozen=True)
class Layer:
    """A convolution and the batch norm after it."""
    parameters: int
    products: int  # multiply-adds of a forward pass for one picture


def layer(inputs, outputs, positions, norm):
    """A 4x4 convolution that computes its kernel at so many positions."""
    weights = inputs * outputs * KERNEL
    return Layer(weights + (2 * outputs if norm else 0), weights * positions)


@dataclass(frozen=True)
class Preset:
    name: str
    nz: int
    ngf: int
    ndf: int
    size: int  # pixels a side
    batch: int  # pictures a process

    def generator(self):
        width = self.ngf * 2 ** (int(log2(self.size)) - 3)
        layers, side = [layer(self.nz, width, 1, True)], 4
        while width > self.ngf:
            layers.append(layer(width, width // 2, side**2, True))
            width, side = width // 2, side * 2
        return [*layers, layer(width, PICTURE_CHANNELS, side**2, False)]

    def discriminator(self):
        width, side = self.ndf, self.size // 2
        layers = [layer(PICTURE_CHANNELS, width, side**2, False)]
        while side > 4:
            side //= 2
            layers.append(layer(width, width * 2, side**2, True))
            width *= 2
        return [*layers, layer(width, 1, 1, False)]

    def gradient_bytes(self):
        """What a process gives to the others in a step."""
        return FLOAT * (parameters(self.generator()) + parameters(self.discriminator()))

    def work(self):
        """Multiply-adds of a step for one picture."""
        return 3 * products(self.generator()) + 8 * products(self.discriminator())


def parameters(layers):
    return sum(one.parameters for one in layers)


def products(layers):
    return sum(one.products for one in layers)


PRESETS = {preset.name: preset for preset in (
    Preset("naive-64", 100, 64, 64, 64, 128), Preset("clamp-64", 256, 256, 64, 64, 256),
    Preset("safe-128", 128, 128, 32, 128, 256), Preset("safe-128-large", 256, 256, 128, 128, 256))}


@dataclass(frozen=True)
class Link:
    bandwidth: float  # bytes a second that arrive, in each direction
    latency: float  # seconds


@dataclass(frozen=True)
class Cluster:
    """Machines that are alike."""
    devices: int  # in a machine
    inside: Link
    between: Link
    hides: bool = True  # the device computes while its links are at work

    def slowest(self, devices):
        if devices <= self.devices:
            return self.inside
        return Link(min(self.inside.bandwidth, self.between.bandwidth), max(self.inside.latency, self.between.latency))


def ring_seconds(size, devices, link):
    """All-reduce of so many bytes."""
    return 2 * (devices - 1) * (size / devices / link.bandwidth + link.latency)


def link_of(small, large, devices):
    """The link that explains two measured all-reduces, each (bytes, seconds)."""
    rate = (large[0] - small[0]) / (large[1] - small[1]) * 2 * (devices - 1) / devices
    return Link(rate, max(0.0, small[1] / (2 * (devices - 1)) - small[0] / devices / rate))


def buckets(layers, limit):
    """[(bytes, multiply-adds)] in the order in which they are complete. A layer is not split."""
    result, size, work, bound = [], 0, 0, min(limit, FIRST_BUCKET)
    for one in reversed(layers):
        size, work = size + FLOAT * one.parameters, work + one.products
        if size >= bound:
            result.append((size, work))
            size, work, bound = 0, 0, limit
    return result + [(size, work)] if size else result


def exposed_seconds(layers, backward, transfer, limit):
    """How long the update waits after a backward pass of so many seconds. `transfer` is the time of so many bytes."""
    total, ready, arrived = products(layers), 0.0, 0.0
    for size, work in buckets(layers, limit):
        ready += backward * work / total
        arrived = max(ready, arrived) + transfer(size)
    return arrived - ready


def step_seconds(preset, compute, devices, cluster, bucket=25 * MB):
    """A step of all devices, where one alone computes for so many seconds."""
    if devices == 1:
        return compute
    link = cluster.slowest(devices)
    waiting = 0.0
    for layers in (preset.generator(), preset.discriminator()):
        backward = compute * 2 * products(layers) / preset.work() if cluster.hides else 0.0
        waiting += exposed_seconds(layers, backward, lambda size: ring_seconds(size, devices, link), bucket)
    return compute + waiting


def efficiency(preset, compute, devices, cluster, bucket=25 * MB):
    """Speed over that of as many devices which do not wait for each other."""
    return compute / step_seconds(preset, compute, devices, cluster, bucket)
