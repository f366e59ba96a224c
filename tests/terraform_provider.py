"""What Terraform's AWS provider knows, by the published classes of cdktf-cdktf-provider-aws: one Python module per resource or data
source, read out of the wheel without importing or installing it. Its docstrings hold Terraform's own names."""
import ast
import functools
import re
import zipfile
from dataclasses import dataclass, field

import pytest
from conftest import TOP

PACKAGE = "cdktf_cdktf_provider_aws"
ANCHOR = re.compile(r"docs/(?:resources|data-sources)/\w+#(\w+) ")
# Of Terraform itself, in every resource or data source.
META_ARGUMENTS = {"count", "for_each", "depends_on", "provider"}
META_BLOCKS = {"lifecycle", "connection", "provisioner"}


@dataclass
class Schema:
    """The arguments (name -> whether it is required) and blocks of a resource or of a block; the attributes of a resource."""
    arguments: dict = field(default_factory=dict)
    blocks: dict = field(default_factory=dict)
    attributes: set = field(default_factory=set)


class Provider:
    def __init__(self, wheel):
        self.archive = zipfile.ZipFile(wheel)
        self.known = {}

    def version(self):
        """The provider's version that the wheel describes."""
        return re.search(r"hashicorp/aws/([\d.]+)/", self.source("vpc")).group(1)

    def source(self, name):
        return self.archive.read(f"{PACKAGE}/{name}/__init__.py").decode()

    def schema(self, kind, type_):
        """Of `resource "type_"` or `data "type_"`; None where the provider has none."""
        if (kind, type_) not in self.known:
            self.known[kind, type_] = self.read(kind, type_)
        return self.known[kind, type_]

    def read(self, kind, type_):
        name = type_ if kind == "data" else type_.removeprefix("aws_")
        try:
            source = self.source(f"data_{name}" if kind == "data" else name)
        except KeyError:
            return None
        classes = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
        main = next(node for node in classes.values() if f" {type_}}}" in (ast.get_docstring(node) or ""))
        schema = schema_of(main, classes)
        schema.attributes = {node.name for node in main.body if isinstance(node, ast.FunctionDef) and is_property(node)}
        return schema


def is_property(function):
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def schema_of(node, classes):
    """What the keyword arguments of a class's __init__ say."""
    init = next(part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__")
    described = dict(re.findall(r"^:param (\w+): (.*)$", ast.get_docstring(init) or "", re.M))
    schema = Schema()
    for argument, default in zip(init.args.kwonlyargs, init.args.kw_defaults):
        text = described.get(argument.arg, "")
        anchor = ANCHOR.search(text)
        if not anchor:  # Terraform's own
            continue
        name = anchor[1]
        inner = [other for other in classes if re.search(rf"\b{other}\b", ast.unparse(argument.annotation))]
        if inner:
            schema.blocks[name] = schema_of(classes[inner[0]], classes)
        if not text.startswith(f"{name} block."):  # some are arguments that may be written as blocks
            schema.arguments[name] = default is None
    return schema


def misspelt(block, provider):
    """What is wrong with a resource or data source, one sentence each."""
    schema = provider.schema(block.kind, block.labels[0])
    if schema is None:
        return [f"{block.address}: the provider has no {block.kind} {block.labels[0]}"]
    return list(wrong_names(block, schema, block.address, META_ARGUMENTS, META_BLOCKS))


def wrong_names(block, schema, where, more_arguments=frozenset(), more_blocks=frozenset()):
    for name in block.arguments:
        if name not in schema.arguments and name not in more_arguments:
            yield f"{where}: no argument {name}"
    for name, required in schema.arguments.items():
        if required and name not in block.arguments and not block.inner(name):
            yield f"{where}: {name} is required"
    for inner in block.blocks:
        name, body = inner.kind, inner
        if name == "dynamic":
            name, [body] = inner.labels[0], inner.inner("content")
        if name in schema.blocks:
            yield from wrong_names(body, schema.blocks[name], f"{where}.{name}")
        elif name not in more_blocks:
            yield f"{where}: no block {name}"


@functools.cache  # for all files that import the fixture
def described():
    wheels = sorted((TOP / "build" / "wheels").glob(f"{PACKAGE}-*.whl"))
    assert wheels, "build/wheels lacks the description of the provider; run scripts/test once"
    return Provider(wheels[-1])


@pytest.fixture(scope="session")
def provider():
    return described()
