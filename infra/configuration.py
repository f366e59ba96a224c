"""Terraform's files as data: blocks with their labels, arguments and inner blocks, and the modules they make."""
import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

import hcl2

TERRAFORM = Path(__file__).resolve().parent / "terraform"


@dataclass
class Block:
    """`kind "label" "label" { name = value ... inner { ... } }`. Expressions are text, as `${...}`."""
    kind: str
    labels: tuple
    arguments: dict = field(default_factory=dict)
    blocks: list = field(default_factory=list)
    file: Path = None

    @property
    def address(self):
        """`aws_instance.jump`, `data.aws_ami.accelerator`, `module.mlcore`, `variable.name`."""
        return ".".join(self.labels if self.kind == "resource" else (self.kind, *self.labels))

    def inner(self, kind):
        return [block for block in self.blocks if block.kind == kind]


def unquoted(text):
    return text[1:-1] if isinstance(text, str) and len(text) > 1 and text[0] == text[-1] == '"' else text


def plain(value):
    """A value without the quotes that the parser leaves around strings."""
    if isinstance(value, dict):
        return {unquoted(key): plain(inner) for key, inner in value.items() if not key.startswith("__")}
    return [plain(inner) for inner in value] if isinstance(value, list) else unquoted(value)


def labelled(value):
    """(labels, body) of what the parser makes of a block, or None where it is a plain value."""
    labels = ()
    while isinstance(value, dict) and "__is_block__" not in value:
        keys = list(value)
        if len(keys) != 1 or not keys[0].startswith('"'):
            return None
        labels += (unquoted(keys[0]),)
        value = value[keys[0]]
    return (labels, value) if isinstance(value, dict) else None


def blocks_of(body, file):
    """({name: value}, [Block]) of a parsed body."""
    arguments, blocks = {}, []
    for name, value in body.items():
        if name.startswith("__"):
            continue
        parts = [labelled(part) for part in value] if isinstance(value, list) else [None]
        if not parts or None in parts:
            arguments[name] = plain(value)
            continue
        for labels, inner in parts:
            blocks.append(Block(name, labels, *blocks_of(inner, file), file))
    return arguments, blocks


def read_file(path):
    with open(path) as file:
        return blocks_of(hcl2.load(file), path)[1]


class Module:
    """A folder of Terraform files."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = self.folder.name
        self.files = sorted(self.folder.glob("*.tf"))
        self.blocks = [block for file in self.files for block in read_file(file)]

    def of(self, *kinds):
        return [block for block in self.blocks if block.kind in kinds]

    def named(self, kind):
        """{'name': Block} of variables, outputs or module calls."""
        return {block.labels[0]: block for block in self.of(kind)}

    def resource(self, address):
        return next(block for block in self.of("resource", "data") if block.address == address)

    def locals(self):
        return {name: value for block in self.of("locals") for name, value in block.arguments.items()}

    def default(self, variable):
        return self.named("variable")[variable].arguments["default"]

    def text(self):
        """All files, without comments."""
        return "\n".join(re.sub(r"(?m)^\s*#.*$|\s#\s.*$", "", file.read_text()) for file in self.files)


@functools.cache  # nobody changes what was read
def modules():
    """{'mlcore': Module, ..., 'example': Module}"""
    folders = [*sorted((TERRAFORM / "modules").iterdir()), TERRAFORM / "example"]
    return {folder.name: Module(folder) for folder in folders}
