"""infra/terraform without an account: every type, argument, block and attribute against a published description of the AWS provider,
and the references between blocks and modules."""
import re
from pathlib import Path

import pytest
from terraform_provider import misspelt, provider  # noqa: F401: a fixture

from configuration import TERRAFORM, Module, modules, read_file

MODULES = modules()
ALL = [(module, block) for module in MODULES.values() for block in module.of("resource", "data")]
NAMES = ("mlcore", "train-prod", "train-dev", "stats-monitor", "api")


def test_every_type_argument_and_block_is_known_to_the_provider(provider):
    assert len(ALL) > 90
    assert [f"{module.name}: {wrong}" for module, block in ALL for wrong in misspelt(block, provider)] == []


@pytest.mark.parametrize("text, wrong", [
    ('resource "aws_vpc" "v" { cidr_blok = "10.0.0.0/16" }', ["aws_vpc.v: no argument cidr_blok"]),
    ('resource "aws_vcp" "v" {}', ["aws_vcp.v: the provider has no resource aws_vcp"]),
    ('data "aws_ami" "a" { most_recents = true }', ["data.aws_ami.a: no argument most_recents"]),
    ('data "aws_ami" "a" { filter { name = "x" } }', ["data.aws_ami.a.filter: values is required"]),
    ('resource "aws_ebs_volume" "e" { size = 1 }', ["aws_ebs_volume.e: availability_zone is required"]),
    ('resource "aws_instance" "i" { root_blok_device { encrypted = true } }', ["aws_instance.i: no block root_blok_device"]),
    ('resource "aws_instance" "i" { root_block_device { encryptd = true } }', ["aws_instance.i.root_block_device: no argument encryptd"]),
    ('resource "aws_instance" "i" { root_block_device = {} }', ["aws_instance.i: no argument root_block_device"]),
    ('resource "aws_instance" "i" { dynamic "instance_market_options" { for_each = [1]\n content { spot_options { max_prize = 1 } } } }',
     ["aws_instance.i.instance_market_options.spot_options: no argument max_prize"]),
    ('resource "aws_vpc" "v" {\n count = 1\n lifecycle {}\n}', []),
])
def test_a_misspelt_name_is_found(tmp_path, provider, text, wrong):
    file = tmp_path / "main.tf"
    file.write_text(text.replace("{ ", "{\n").replace(" }", "\n}") + "\n")
    [block] = read_file(file)
    assert misspelt(block, provider) == wrong


def test_the_modules_want_the_version_that_is_described(provider):
    major, minor, _ = provider.version().split(".")
    for module in MODULES.values():
        [terraform] = module.of("terraform")
        assert terraform.inner("required_providers")[0].arguments["aws"] == {"source": "hashicorp/aws", "version": f"~> {major}.{minor}"}


REFERENCE = re.compile(r"(?<![\w.])(data\.)?(aws_\w+)\.(\w+)(?:\[[^\]]*\])?\.(\w+)")


def test_references_lead_to_blocks_and_their_attributes(provider):
    seen = 0
    for module in MODULES.values():
        declared = {block.address for block in module.of("resource", "data")}
        for data, type_, name, attribute in REFERENCE.findall(module.text()):
            seen += 1
            assert f"{data}{type_}.{name}" in declared, (module.name, type_, name)
            attributes = provider.schema("data" if data else "resource", type_).attributes
            assert attribute in attributes, (module.name, type_, name, attribute)
    assert seen > 100


def test_every_block_without_attributes_referred_to_is_there():
    """depends_on = [aws_x.y], and loops over aws_x.y."""
    for module in MODULES.values():
        declared = {block.address for block in module.of("resource", "data")}
        for data, type_, name in re.findall(r"(?<![\w.\"/])(data\.)?(aws_\w+)\.(\w+)", module.text()):
            assert f"{data}{type_}.{name}" in declared, (module.name, type_, name)


@pytest.mark.parametrize("name", MODULES)
def test_variables_and_locals_are_declared_and_used(name):
    module = MODULES[name]
    text = module.text()
    for prefix, declared in (("var", set(module.named("variable"))), ("local", set(module.locals()))):
        used = set(re.findall(rf"(?<![\w.]){prefix}\.(\w+)", text))
        assert used == declared, (prefix, used ^ declared)


@pytest.mark.parametrize("name", NAMES)
def test_what_modules_take_from_mlcore_is_there(name):
    module, outputs = MODULES[name], set(MODULES["mlcore"].named("output"))
    if "core" in module.named("variable"):
        taken = set(re.findall(r"(\w+)\s*=", module.named("variable")["core"].arguments["type"])) or \
            set(module.named("variable")["core"].arguments["type"])
        assert taken <= outputs
        assert set(re.findall(r"var\.core\.(\w+)", module.text())) == taken
    else:
        assert name == "mlcore"


def test_the_example_calls_every_module_with_what_it_wants():
    example = MODULES["example"]
    calls = example.named("module")
    assert {Path(call.arguments["source"]).name for call in calls.values()} == set(NAMES)
    for call in calls.values():
        module = Module((example.folder / call.arguments["source"]).resolve())
        variables = module.named("variable")
        given = set(call.arguments) - {"source", "count"}
        assert given <= set(variables), call.address
        assert {key for key, variable in variables.items() if "default" not in variable.arguments} <= given, call.address
        for output in re.findall(rf"module\.{call.labels[0]}(?:\[\*\])?\.(\w+)", example.text()):
            assert output in module.named("output"), (call.address, output)


def test_the_example_files_name_variables_that_exist():
    variables = set(MODULES["example"].named("variable"))
    text = (TERRAFORM / "example" / "terraform.tfvars.example").read_text()
    assert set(re.findall(r"^(\w+)\s*=", text, re.M)) <= variables
    required = {name for name, block in MODULES["example"].named("variable").items() if "default" not in block.arguments}
    assert required <= set(re.findall(r"^(\w+)\s*=", text, re.M))
