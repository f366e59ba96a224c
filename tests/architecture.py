"""Reads the table of ARCHITECTURE.md and every #include below src/, and fails on an edge that is not in the table."""
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TORCH_FREE = {"core", "image", "data", "kernels", "archive", "run", "net", "observe", "report", "serve"}


def allowed_edges(text):
    """{'folder': {'folders it may use'}} from the rows `| `src/NAME` | ... | uses |`."""
    table = {}
    for name, uses in re.findall(r"^\| `src/(\w+)` \|[^|]*\|([^|]*)\|$", text, re.M):
        table[name] = set(table) if uses.strip() == "all" else {use.strip() for use in uses.split(",")} - {"-"}
    return table


def violations(table):
    for path in sorted((TOP / "src").rglob("*")):
        folder = path.relative_to(TOP / "src").parts[0]
        if path.suffix not in (".cpp", ".h") or path.parent == TOP / "src":
            continue
        if folder not in table:
            yield f"src/{folder} has no row in ARCHITECTURE.md"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            where = f"{path.relative_to(TOP)}:{number}"
            ours = re.match(r'#include "(\w+)/', line)
            if ours and ours[1] != folder and ours[1] not in table[folder]:
                yield f"{where}: {folder} may not use {ours[1]}"
            if re.match(r"#include <(torch|ATen|c10)/", line) and folder in TORCH_FREE:
                yield f"{where}: {folder} is to stay free of LibTorch"


def main():
    table = allowed_edges((TOP / "ARCHITECTURE.md").read_text())
    if len(table) < 5:
        sys.exit("the table of ARCHITECTURE.md was not found")
    found = list(violations(table))
    if found:
        sys.exit("\n".join(found))
    print(f"{len(table)} folders, no edge outside the table")


if __name__ == "__main__":
    main()
