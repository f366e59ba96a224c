"""Compares three accounts of how the folders below src/ depend on each other, and fails where they differ: the table of
ARCHITECTURE.md, the nowhere_folder lines of src/CMakeLists.txt, and the #include lines of the sources."""
import re
import sys
from pathlib import Path

LIBTORCH = re.compile(r"\s*#\s*include\s*<(torch|ATen|c10)/")
OURS = re.compile(r'\s*#\s*include\s*"((\w+)/[^"]+)"')
KEYWORDS = ("TORCH", "USES", "LINKS")


def read_table(text):
    """{'folder': {'folders it may use'}} in the order of the rows `| `src/NAME` | ... | uses |`; None for "all"."""
    table = {}
    for name, uses in re.findall(r"^\| `src/(\w+)` \|[^|]*\|([^|]*)\|$", text, re.M):
        table[name] = None if uses.strip() == "all" else {use.strip() for use in uses.split(",")} - {"-", ""}
    return table


def read_cmake(text):
    """{'folder': ({'folders it links'}, whether it has LibTorch)} from `nowhere_folder(NAME [TORCH] [USES ...] ...)`."""
    folders = {}
    for call in re.findall(r"nowhere_folder\(([^)]*)\)", re.sub(r"#.*", "", text)):
        name, *words = call.split()
        uses, keyword = set(), None
        for word in words:
            if word in KEYWORDS:
                keyword = word
            elif keyword == "USES":
                uses.add(word)
        folders[name] = (uses, "TORCH" in words)
    return folders


class Sources:
    """The #include lines below src/: of our own headers, and of LibTorch's."""

    def __init__(self, root):
        self.ours = {}      # "core/file.cpp" -> [(line, "core/file.h")]
        self.libtorch = {}  # "model/draws.h" -> [line]
        for path in sorted(root.glob("*/**/*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            name = path.relative_to(root).as_posix()
            lines = list(enumerate(path.read_text().splitlines(), 1))
            self.ours[name] = [(number, found[1]) for number, line in lines if (found := OURS.match(line))]
            self.libtorch[name] = [number for number, line in lines if LIBTORCH.match(line)]

    def folders(self):
        return {folder_of(name) for name in self.ours}

    def used_by(self, folder):
        return {folder_of(header) for name, includes in self.ours.items() if folder_of(name) == folder
                for _, header in includes} - {folder}

    def with_libtorch(self):
        """Every file that includes a header of LibTorch, itself or through headers of ours."""
        found = {name for name, lines in self.libtorch.items() if lines}
        while more := {name for name, includes in self.ours.items() if name not in found
                       and any(header in found for _, header in includes)}:
            found |= more
        return found


def folder_of(name):
    return name.split("/")[0]


def differing_accounts(table, cmake, sources):
    """The same folders everywhere, with the same edges in the table and in CMake."""
    for name in sorted(sources.folders() - set(table)):
        yield f"src/{name} has no row in ARCHITECTURE.md"
    for name in sorted(set(table) - sources.folders()):
        yield f"ARCHITECTURE.md has a row for src/{name}, which has no sources"
    for name in sorted(set(table) ^ set(cmake)):
        yield f"{name} stands in only one of ARCHITECTURE.md and src/CMakeLists.txt"
    for name in table.keys() & cmake.keys():
        for use in sorted(cmake[name][0] - (set(table) if table[name] is None else table[name])):
            yield f"src/CMakeLists.txt: {name} USES {use}, which its row in ARCHITECTURE.md does not name"
        for use in sorted((table[name] or set()) - cmake[name][0]):
            yield f"ARCHITECTURE.md: {name} may use {use}, which src/CMakeLists.txt does not name"


def wrong_order(names_to_uses, where):
    """A folder uses only folders that stand above it."""
    above = set()
    for name, uses in names_to_uses.items():
        for use in sorted((uses or set()) - above):
            yield f"{where}: {name} uses {use}, which does not stand above it"
        above.add(name)


def wrong_edges(cmake, sources):
    """Every edge that a source needs is named, and every named edge is needed."""
    for name, includes in sources.ours.items():
        folder = folder_of(name)
        for number, header in includes:
            use = folder_of(header)
            if use != folder and folder in cmake and use not in cmake[folder][0]:
                yield f"src/{name}:{number}: {folder} may not use {use}"
    for folder, (uses, _) in cmake.items():
        for use in sorted(uses - sources.used_by(folder)):
            yield f"{folder} may use {use}, but includes nothing of it"


def wrong_libtorch(cmake, sources):
    """LibTorch only where CMake says TORCH. Its headers are not to be found elsewhere, not even through one of ours."""
    with_libtorch = sources.with_libtorch()
    for name, includes in sources.ours.items():
        folder = folder_of(name)
        if folder not in cmake or cmake[folder][1]:
            continue
        for number in sources.libtorch[name]:
            yield f"src/{name}:{number}: {folder} is to stay free of LibTorch"
        for number, header in includes:
            if header in with_libtorch and folder_of(header) != folder:
                yield f"src/{name}:{number}: {header} brings LibTorch into {folder}"
    for folder, (_, torch) in cmake.items():
        if torch and not any(folder_of(name) == folder for name in with_libtorch):
            yield f"src/CMakeLists.txt: {folder} is TORCH, but includes nothing of LibTorch"


def violations(top):
    table = read_table((top / "ARCHITECTURE.md").read_text())
    cmake = read_cmake((top / "src" / "CMakeLists.txt").read_text())
    if not table or not cmake:
        yield "the table of ARCHITECTURE.md or the nowhere_folder lines of src/CMakeLists.txt were not found"
        return
    sources = Sources(top / "src")
    yield from differing_accounts(table, cmake, sources)
    yield from wrong_order(table, "ARCHITECTURE.md")
    yield from wrong_order({name: uses for name, (uses, _) in cmake.items()}, "src/CMakeLists.txt")
    yield from wrong_edges(cmake, sources)
    yield from wrong_libtorch(cmake, sources)


def main():
    top = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    if found := list(violations(top)):
        sys.exit("\n".join(found))
    print("the table, CMake and the sources agree")


if __name__ == "__main__":
    main()
