"""Does the steps of a Dockerfile in a scratch folder, where there is no Docker.

A stage's root is a folder. COPY and ENV do what they say; RUN runs the Dockerfile's own command with a shell, with absolute paths
moved below the root. What a clean machine would need the network, root's rights or many minutes for has a stand-in that checks as
much as it can: apt-get resolves the packages and all they depend on, from nothing, and installs none; a virtual environment is the
one that the tests run in, where pip finds everything installed or fails; and the build, see test_image.py, is given by the caller.
"""
import fnmatch
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
# An absolute path at the beginning of a word.
ABSOLUTE = re.compile(r"""(?<![^\s"'=:;(<>])(/[a-z])""")
# Anything else that looks like one; it must not be run.
STRAY = re.compile(r"(?<![\w.*}#/])/[a-z]")


class Step(NamedTuple):
    keyword: str
    text: str


class Stage(NamedTuple):
    name: str
    base: str
    steps: list


def parse(file):
    """The arguments before the first stage, and the stages, in order."""
    lines = [line for line in file.read_text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
    text = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    arguments, stages = {}, []
    for line in text.splitlines():
        keyword, rest = line.split(maxsplit=1)
        if keyword == "FROM":
            base, name = re.fullmatch(r"(\S+) AS (\S+)", rest).groups()
            stages.append(Stage(name, base, []))
        elif stages:
            stages[-1].steps.append(Step(keyword, rest))
        else:
            assert keyword == "ARG", line
            name, _, value = rest.partition("=")
            arguments[name] = value
    return arguments, stages


def resolved(text, variables):
    return VARIABLE.sub(lambda match: variables[match[1] or match[2]], text)


def context_files(top):
    """What a clone sends to the builder: its files, but for those that .dockerignore leaves out."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=top, check=True, capture_output=True, text=True)
    rules = [line for line in (top / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]

    def sent(name):
        result = True
        for rule in rules:
            pattern = rule.lstrip("!")
            parts = name.split("/")
            beginnings = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
            names = parts if pattern.startswith("**/") else beginnings
            if any(fnmatch.fnmatchcase(one, pattern.removeprefix("**/")) for one in names):
                result = rule.startswith("!")
        return result

    return [name for name in listed.stdout.splitlines() if (top / name).is_file() and sent(name)]


class Image:
    """What a stage leaves behind."""

    def __init__(self, root, variables):
        self.root, self.variables = root, variables
        self.folder = "/"
        self.last = {}  # keyword -> text: USER, ENTRYPOINT and the like

    def path(self, name):
        return self.root / os.path.join(self.folder, name).lstrip("/")

    def words(self, keyword):
        """Of the form with brackets."""
        return [word.strip(' "') for word in self.last[keyword].strip("[]").split(",")]


class Builder:
    """`build`: called with an image and the text of a RUN step; whether it did the step."""

    def __init__(self, file, top, scratch, venv, build, **arguments):
        self.top, self.scratch, self.venv, self.build = top, scratch, venv, build
        self.context = context_files(top)
        self.arguments, stages = parse(file)
        self.arguments.update(arguments)
        self.stages = {stage.name: stage for stage in stages}
        self.images = {}
        self.stand_ins = scratch / "stand-ins"
        self.stand_ins.mkdir()
        self.write_stand_ins()

    def write_stand_ins(self):
        real = {name: shutil.which(name) for name in ("apt-get", "install", "python3")}
        texts = {
            "apt-get": f'[ "$1" = update ] || exec {real["apt-get"]} -s -o Dir::State::status=/dev/null -o Debug::NoLocking=1 "$@" >>"$ROOT/apt.txt"',
            "useradd": 'echo "$@" >>"$ROOT/useradd.txt"',
            # Its owners are not on this machine.
            "install": f'if [ "$1 $2 $4" = "-d -o -g" ]; then shift 5; set -- -d "$@"; fi; exec {real["install"]} "$@"',
            "python3": f'if [ "$1 $2" = "-m venv" ]; then mkdir -p "$(dirname "$3")"; exec ln -s {self.venv} "$3"; fi; exec {real["python3"]} "$@"',
            "pip": f'exec {self.venv}/bin/pip "$@"',
        }
        for name, text in texts.items():
            (self.stand_ins / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.stand_ins / name).chmod(0o755)

    def image(self, name):
        """Of a stage, and of those it is made from."""
        if name not in self.images:
            stage = self.stages[name]
            base = resolved(stage.base, self.arguments)
            if base in self.stages:
                image = self.image(base)  # goes on in the same folder: no stage has two children in one build
            else:
                image = Image(self.scratch / name, {})
                for folder in ("tmp", "var/lib/apt/lists", "opt"):
                    (image.root / folder).mkdir(parents=True)
            for step in stage.steps:
                self.do(image, *step)
            self.images[name] = image
        return self.images[name]

    def do(self, image, keyword, text):
        if keyword == "ARG":
            name, _, value = text.partition("=")
            image.variables[name] = self.arguments.get(name, value)
        elif keyword == "ENV":
            for word in shlex.split(text):
                name, _, value = word.partition("=")
                image.variables[name] = value
        elif keyword == "WORKDIR":
            image.folder = text
            image.path("").mkdir(parents=True, exist_ok=True)
        elif keyword == "COPY":
            self.copy(image, resolved(text, image.variables).split())
        elif keyword == "RUN":
            if not self.build(image, text):
                self.run(image, text)
        else:
            assert keyword in ("USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"), keyword
            image.last[keyword] = text

    def copy(self, image, words):
        *sources, target = words
        place = image.path(target)
        if sources[0].startswith("--from="):
            other = self.image(sources.pop(0).partition("=")[2])
            [source] = sources
            subprocess.run(["cp", "-al", other.path(source), place], check=True)
            return
        for source in sources:
            names = [name for name in self.context if source == "." or name == source or name.startswith(source + "/")]
            assert names, f"COPY {source}: nothing of that name in the context"
            for name in names:
                to = place / (name if source == "." else Path(name).name)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.top / name, to)

    def run(self, image, text):
        command = ABSOLUTE.sub(rf"{image.root}\1", text)
        assert not STRAY.search(command.replace(str(image.root) + "/", "root/")), f"a path outside of the scratch folder: {command}"
        environment = {**image.variables, "PATH": f"{self.stand_ins}:{os.environ['PATH']}", "HOME": str(image.root),
                       "ROOT": str(image.root), "PIP_DRY_RUN": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1"}
        done = subprocess.run(["/bin/sh", "-ec", command], cwd=image.path(""), env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"RUN {text}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
