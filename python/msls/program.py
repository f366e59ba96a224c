"""Where the program `nowhere` is."""
import os
import shutil
from pathlib import Path

MISSING = ("the program nowhere was not found: name it in the variable NOWHERE, put it into a folder of PATH, or build it in its "
           "checkout (cmake --preset release && cmake --build --preset release --target nowhere)")


class ProgramMissing(Exception):
    """Says what to do."""


def runnable(path):
    return path.is_file() and os.access(path, os.X_OK)


def find_program():
    """NOWHERE decides, then PATH, then the build/ of the checkout that this package or the current folder is in."""
    if named := os.environ.get("NOWHERE"):
        if not runnable(Path(named)):
            raise ProgramMissing(f"NOWHERE is {named}, which is no program; name build/nowhere of a checkout, or unset it")
        return Path(named)
    if found := shutil.which("nowhere"):
        return Path(found)
    for start in (Path(__file__).resolve(), Path.cwd() / "here"):
        for folder in start.parents:
            if runnable(folder / "build" / "nowhere"):
                return folder / "build" / "nowhere"
    raise ProgramMissing(MISSING)
