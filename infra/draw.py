#!/usr/bin/env python3
"""Draws infra/architecture.svg from the text of the Terraform modules: python3 infra/draw.py

Where a part stands is written here; that it exists, its ports, sizes and addresses are read from the modules. A resource that is
neither drawn nor known as plumbing is an error, and so is a part that no module has."""
import sys
from pathlib import Path

from configuration import modules
from svg import INK, Canvas

PICTURE = Path(__file__).resolve().parent / "architecture.svg"
COLOURS = {"mlcore": "#52606d", "train-prod": "#c2410c", "train-dev": "#7e22ce", "stats-monitor": "#0f766e", "api": "#1d4ed8"}
STORAGE, SERVICES = "#4d7c0f", "#94630a"
# What stands for itself nowhere in the picture: it belongs to a part that does.
PLUMBING = {
    "aws_default_security_group", "aws_security_group", "aws_vpc_security_group_ingress_rule", "aws_vpc_security_group_egress_rule",
    "aws_route_table", "aws_route_table_association", "aws_eip", "aws_key_pair", "aws_iam_policy", "aws_iam_role",
    "aws_iam_role_policy", "aws_iam_role_policy_attachment", "aws_iam_instance_profile", "aws_efs_mount_target",
    "aws_efs_file_system_policy", "aws_s3_bucket_public_access_block", "aws_s3_bucket_ownership_controls", "aws_s3_bucket_versioning",
    "aws_s3_bucket_server_side_encryption_configuration", "aws_s3_bucket_lifecycle_configuration", "aws_s3_bucket_policy",
    "aws_s3_object", "aws_volume_attachment", "aws_sagemaker_notebook_instance_lifecycle_configuration", "aws_lb_target_group",
    "aws_lb_target_group_attachment", "aws_lb_listener", "aws_lb_listener_rule", "aws_acm_certificate_validation",
}


class Architecture:
    """The modules, and which of their resources have been drawn."""

    def __init__(self):
        self.modules = {name: module for name, module in modules().items() if name != "example"}
        self.drawn = set()

    def part(self, module, *addresses):
        """Marks resources as drawn; the first one."""
        for address in addresses:
            self.modules[module].resource(address)
            self.drawn.add((module, address))
        return self.modules[module].resource(addresses[0])

    def default(self, module, variable):
        return self.modules[module].default(variable)

    def ports(self, module, rule, direction="ingress"):
        """The ports of a rule of a security group: "22", "3000, 6006, 9090"."""
        block = self.modules[module].resource(f"aws_vpc_security_group_{direction}_rule.{rule}")
        port = block.arguments["from_port"]
        if port != "${each.value}":
            return str(port)
        each = block.arguments["for_each"]
        if isinstance(each, str):  # ${local.name}
            each = self.modules[module].locals()[each[2:-1].removeprefix("local.")]
        return ", ".join(str(port) for port in sorted(each.values()))

    def forgotten(self):
        return sorted(f"{name}: {block.address}" for name, module in self.modules.items() for block in module.of("resource")
                      if (name, block.address) not in self.drawn and block.labels[0] not in PLUMBING)


def draw_network(canvas, found):
    found.part("mlcore", "aws_vpc.this", "aws_internet_gateway.this", "aws_subnet.public", "aws_subnet.public_second", "aws_subnet.private")
    grey = COLOURS["mlcore"]
    canvas.frame(170, 96, 1090, 684, "AWS, one region", "#9aa5b1", note="zones and region are variables")
    canvas.frame(190, 132, 790, 632, "mlcore: the network", grey, "#f7f9fb", note=found.default("mlcore", "cidr_block"))
    canvas.frame(210, 170, 440, 168, "public subnet", grey, "#eef4ee", True, f"zone {found.default('mlcore', 'zone')}")
    canvas.frame(670, 170, 290, 168, "second public subnet", grey, "#eef4ee", True, f"zone {found.default('mlcore', 'second_zone')}")
    canvas.frame(210, 372, 750, 376, "private subnet", grey, "#eef2f9", True, f"zone {found.default('mlcore', 'zone')}")


def draw_entrances(canvas, found):
    grey, blue = COLOURS["mlcore"], COLOURS["api"]
    found.part("mlcore", "aws_instance.jump", "aws_nat_gateway.this")
    canvas.box(226, 212, 160, 108, "jump host", [found.default("mlcore", "jump_instance_type"), "from your addresses,", "to every machine"], grey)
    canvas.box(406, 212, 120, 108, "NAT gateway", ["images and", "packages, from", "the inside out"], grey)
    found.part("api", "aws_lb.this")
    canvas.box(560, 212, 220, 108, "load balancer", ["HTTPS; HTTP is sent there", "TLS 1.2 and 1.3 end here", "/metrics stays inside"], blue)
    canvas.frame(20, 222, 110, 60, "you", INK, "#fff7ed")
    canvas.text(34, 266, "ssh, tunnels", 12)
    canvas.frame(605, 16, 130, 56, "everybody", INK, "#fff7ed")
    canvas.text(619, 60, "the gallery", 12)
    canvas.arrow([(130, 252), (226, 252)], grey, found.ports("mlcore", "jump_ssh"), (140, 246))
    canvas.arrow([(466, 212), (466, 76)], grey, found.ports("mlcore", "machine_web", "egress"), (474, 90))
    canvas.arrow([(670, 72), (670, 212)], blue, found.ports("api", "balancer"), (680, 90))


def draw_machines(canvas, found):
    train = found.modules["train-prod"]
    found.part("train-prod", "aws_instance.train", "aws_ebs_volume.data")
    families = ", ".join(family.upper() for family in list(train.locals()["offered"])[:2])
    iops, rate = found.default("train-prod", "data_volume_iops"), found.default("train-prod", "data_volume_throughput")
    canvas.box(226, 412, 196, 176, "train-prod", [
        f"{families} or newer", "on demand or spot", "image nowhere,", "or nowhere-habana on DL1", f"gp3: {iops:,} IOPS,", f"{rate:,} MiB/s",
        "or local NVMe", "spot notice: saves"], COLOURS["train-prod"])
    found.part("stats-monitor", "aws_instance.stats")
    canvas.box(462, 412, 158, 176, "stats-monitor", [
        found.default("stats-monitor", "instance_type"), "Grafana", "TensorBoard", "and its profiler", "Prometheus"], COLOURS["stats-monitor"])
    found.part("api", "aws_instance.api")
    canvas.box(660, 412, 124, 176, "api", [found.default("api", "instance_type"), "nowhere serve", "--follow s3://..."], COLOURS["api"])
    found.part("train-dev", "aws_sagemaker_notebook_instance.this")
    canvas.box(808, 412, 136, 176, "train-dev", [
        "SageMaker", found.default("train-dev", "instance_type"), "notebooks in", "their place"], COLOURS["train-dev"])


def draw_storage(canvas, found):
    found.part("mlcore", "aws_efs_file_system.runs")
    canvas.box(226, 664, 560, 66, "EFS: runs", ["checkpoints, figures, events, traces; encrypted, TLS only"], STORAGE)
    found.part("mlcore", "aws_vpc_endpoint.s3")
    canvas.box(808, 664, 136, 66, "S3 endpoint", ["costs nothing"], STORAGE)
    found.part("mlcore", "aws_s3_bucket.this")
    canvas.box(1010, 640, 232, 116, "S3: bucket", [
        "slim checkpoints, packed data", "private, versioned, encrypted",
        f"old versions: {found.default('mlcore', 'keep_versions_days')} days", "destroy spares it unless told"], STORAGE)


def draw_services(canvas, found):
    found.part("api", "aws_route53_record.gallery", "aws_route53_record.proof", "aws_acm_certificate.this")
    canvas.box(1010, 212, 232, 74, "Route 53, certificate", ["the name of the gallery", "and its proof"], COLOURS["api"])
    canvas.arrow([(1010, 258), (780, 258)], COLOURS["api"], "name", (880, 252))
    found.part("mlcore", "aws_budgets_budget.month")
    canvas.box(1010, 316, 232, 74, "budget", [f"mail above {found.default('mlcore', 'budget_dollars')} dollars a month", "it stops nothing"], SERVICES)
    found.part("mlcore", "aws_ssm_parameter.agent")
    canvas.box(1010, 420, 232, 74, "SSM", ["what the CloudWatch agent", "collects"], SERVICES)
    canvas.box(1010, 524, 232, 92, "CloudWatch", ["CPU, memory, disk, network,", "GPU and Gaudi: use, memory", "every minute, all machines"], SERVICES)
    canvas.arrow([(960, 457), (1010, 457)], SERVICES)
    canvas.arrow([(960, 570), (1010, 570)], SERVICES)


def draw_connections(canvas, found):
    grey, teal, blue = COLOURS["mlcore"], COLOURS["stats-monitor"], COLOURS["api"]
    canvas.arrow([(346, 320), (346, 412)], grey, found.ports("mlcore", "machine_ssh"), (322, 362))
    canvas.arrow([(370, 320), (370, 356), (541, 356), (541, 412)], teal, found.ports("stats-monitor", "tunnels"), (398, 360))
    canvas.arrow([(722, 320), (722, 412)], blue, found.ports("api", "api"), (730, 360))
    figures = found.modules["mlcore"].locals()["figures"]
    canvas.arrow([(462, 480), (422, 480)], teal, str(figures["train"]), (442, 467), anchor="middle")
    canvas.arrow([(462, 520), (422, 520)], teal, str(figures["node"]), (442, 507), anchor="middle")
    canvas.arrow([(620, 480), (660, 480)], teal, str(figures["serve"]), (640, 467), anchor="middle")
    canvas.arrow([(620, 520), (660, 520)], teal, str(figures["node"]), (640, 507), anchor="middle")
    for x, label in ((280, found.ports("mlcore", "efs_machines")), (541, "")):
        canvas.arrow([(x, 588), (x, 664)], STORAGE, label, (x + 8, 622))
    canvas.arrow([(822, 588), (822, 604), (766, 604), (766, 664)], STORAGE)
    canvas.arrow([(370, 588), (370, 630), (860, 630), (860, 664)], STORAGE, "slim checkpoints", (400, 634))
    canvas.arrow([(704, 588), (704, 630), (704, 630), (860, 630), (860, 664)], STORAGE)
    canvas.arrow([(910, 588), (910, 664)], STORAGE)
    canvas.arrow([(944, 697), (1010, 697)], STORAGE)


def draw_legend(canvas, found):
    x = 190
    for name in COLOURS:
        words = f"{name}: {len(found.modules[name].of('resource'))} resources"
        canvas.parts.append(f'<rect x="{x}" y="802" width="14" height="14" rx="3" fill="{COLOURS[name]}"/>')
        canvas.text(x + 20, 814, words, 12)
        x += 44 + int(6.4 * len(words))


def picture():
    """The SVG's text."""
    canvas, found = Canvas(1280, 836), Architecture()
    canvas.text(20, 40, "nowhere on AWS", 22, weight="bold")
    canvas.text(20, 62, "drawn from infra/terraform by infra/draw.py; numbers beside arrows are ports", 12.5, "#5b6770")
    for draw in (draw_network, draw_entrances, draw_machines, draw_storage, draw_services, draw_connections, draw_legend):
        draw(canvas, found)
    if found.forgotten():
        sys.exit(f"infra/draw.py: not in the picture: {', '.join(found.forgotten())}; draw them, or add their types to PLUMBING")
    return canvas.svg("The architecture of nowhere on AWS")


if __name__ == "__main__":
    PICTURE.write_text(picture())
    print(PICTURE)
