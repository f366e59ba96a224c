"""The tables of the scaling model: what is assumed, what the reference published, what follows for 1 to 64 devices."""
import json
from dataclasses import dataclass
from pathlib import Path

from scaling import PRESETS, Cluster, Link, efficiency

DEVICES = (1, 2, 4, 8, 16, 32, 64)
MICRO = 1e-6
GB = 1e9
HOST = 8  # accelerators in a machine


# Shared with `nowhere plan`.
KNOWN = json.loads((Path(__file__).resolve().parent.parent / "src" / "plan" / "instances.json").read_text())


@dataclass(frozen=True)
class Published:
    """A figure of the reference's write-up."""
    preset: str
    instance: str
    device: str
    devices: int
    images_per_hour: int


def published(entry):
    instance = next(one for one in KNOWN["instances"] if one["type"] == entry["instance"])
    return Published(entry["model"], entry["instance"], instance["accelerator"], instance["devices"], entry["images_per_hour"])


def link(name):
    found = next(one for one in KNOWN["links"] if one["name"] == name)
    return Link(found["gb_per_second"] * GB, found["latency_us"] * MICRO)


PUBLISHED = tuple(map(published, KNOWN["published"]))
PCIE, NVLINK, ROCE = map(link, ("pcie", "nvlink", "roce"))


def ethernet(gigabits):
    """Four fifths of the nominal speed arrive."""
    return Link(0.8 * gigabits * GB / 8, 30 * MICRO)


# The links of a p3.16xlarge (NVLink, 25 Gb/s) are those of the first cluster beyond one machine: the slowest link decides.
CLUSTERS = {
    "PCIe, 25 Gb/s": Cluster(HOST, PCIE, ethernet(25)),
    "NVLink, 100 Gb/s (p3dn.24xlarge)": Cluster(HOST, NVLINK, ethernet(100)),
    "NVLink, 400 Gb/s": Cluster(HOST, NVLINK, ethernet(400)),
    "RoCE, 400 Gb/s (dl1.24xlarge)": Cluster(HOST, ROCE, ethernet(400)),
}

ASSUMED = [
    ("PCIe 3.0 x16, in a machine", PCIE, "of 15.8 GB/s"),
    ("NVLink of the V100, in a machine", NVLINK, "of 150 GB/s each way over six links"),
    ("RoCE between the Gaudis of a DL1", ROCE, "one port of 100 Gb/s, of the seven that each has to the others"),
    ("25 Gb/s Ethernet between machines", ethernet(25), "four fifths"),
    ("100 Gb/s Ethernet between machines", ethernet(100), "four fifths"),
    ("400 Gb/s Ethernet between machines", ethernet(400), "four fifths"),
]


def device_rate(preset):
    """(images/hour of one V100, where that is from). Where one device alone was slower than each of four, something else limited
    it: the faster figure is the device's."""
    own = [figure for figure in PUBLISHED if figure.preset == preset.name and figure.device == "V100"]
    if own:
        best = max(own, key=lambda figure: figure.images_per_hour / figure.devices)
        share = "" if best.devices == 1 else f", divided by {best.devices}"
        return best.images_per_hour / best.devices, f"published for {best.instance}{share}"
    base = PRESETS["safe-128"]
    return device_rate(base)[0] * base.work() / preset.work(), "from safe-128 in proportion to the multiply-adds"


def compute_seconds(preset):
    """Of one step on one V100."""
    return preset.batch * 3600 / device_rate(preset)[0]


def markdown(head, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, ["---"] * len(head), *rows))


def assumptions():
    return markdown(["link", "usable", "latency", "share of the nominal speed"],
                    [[name, f"{link.bandwidth / GB:g} GB/s", f"{link.latency / MICRO:g} us", note] for name, link, note in ASSUMED])


def published_cell(preset, devices):
    found = [figure for figure in PUBLISHED if figure.preset == preset.name and figure.devices == devices]
    return ", ".join(f"{figure.images_per_hour / 1e6:.2f} ({figure.devices} {figure.device}, {figure.instance})" for figure in found)


def device_table(preset):
    """Millions of images an hour with V100s, and the efficiency."""
    compute = compute_seconds(preset)
    rate = device_rate(preset)[0] / 1e6

    def cell(devices, cluster):
        share = efficiency(preset, compute, devices, cluster)
        return f"{rate * devices * share:.3g} ({share:.0%})"

    rows = [[devices, *(cell(devices, cluster) for cluster in CLUSTERS.values()), published_cell(preset, devices)] for devices in DEVICES]
    return markdown(["devices", *(f"modelled: {name}" for name in CLUSTERS), "published"], rows)


def device_title(preset):
    rate, origin = device_rate(preset)
    return (f"**{preset.name}**, {preset.gradient_bytes() / 1e6:.0f} MB of gradients a step, batch {preset.batch} a device; one V100"
            f" computes {compute_seconds(preset) * 1000:.0f} ms ({rate / 1e6:.2f} million images/hour, {origin})")


def cpu_table(measured, batch, loopback, cores):
    """Images/s of processes with a core each, `cores` to a machine, 25 Gb/s between machines. `measured` is naive-64's images/s of
    one such process; the other presets follow from their multiply-adds."""
    cluster = Cluster(cores, loopback, ethernet(25), hides=False)

    def cell(preset, devices):
        rate = measured * PRESETS["naive-64"].work() / preset.work()
        share = efficiency(preset, batch / rate, devices, cluster)
        return f"{rate * devices * share:.1f} ({share:.0%})"

    rows = [[devices, *(cell(preset, devices) for preset in PRESETS.values())] for devices in DEVICES]
    return markdown(["processes", *PRESETS], rows)


def report():
    """The part of the model that needs no measurement, as Markdown."""
    parts = [assumptions()]
    for preset in PRESETS.values():
        parts += [device_title(preset), device_table(preset)]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(report())
