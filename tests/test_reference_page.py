"""docs/reference.md, the table of differences: the tests it names exist, and the defaults it states hold."""
import re

from conftest import TOP, ok

PAGE = (TOP / "docs" / "reference.md").read_text()


def rows():
    for line in PAGE.splitlines():
        if line.startswith("| ") and not line.startswith("| |"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def test_every_row_names_tests_that_exist():
    sources = {path.name: path.read_text() for folder in ("src", "tests") for path in (TOP / folder).rglob("*_test.cpp")}
    functions = set()
    for path in (TOP / "tests").glob("*.py"):
        functions |= set(re.findall(r"^def (test_\w+)", path.read_text(), re.M))
    suites = set(re.findall(r"^TEST(?:_F)?\((\w+), (\w+)\)", "\n".join(sources.values()), re.M))
    named = 0
    for row in rows():
        assert len(row) == 5, row
        for name in re.findall(r"`([^`]+)`", row[4]):
            named += 1
            known = ((TOP / name).is_file() or name in sources or name in functions or tuple(name.split(".")) in suites
                     or name in {suite for suite, _ in suites})
            assert known, name
    assert named > 20


def default_of(command, flag):
    line = re.search(rf"^ +(?:-\w, )?--{flag} .*\[([^\]]+)\]$", ok("help", command, "--all"), re.M)
    return line[1]


def test_the_defaults_of_the_page_are_the_programs():
    for command, flag, value in [("train", "crop-size", "4x"), ("train", "profile-wait", "10"), ("train", "profile-warmup", "2"),
                                 ("train", "profile-steps", "6"), ("train", "root", "runs"), ("serve", "host", "127.0.0.1"),
                                 ("serve", "port", "8080"), ("evaluate", "samples", "10000")]:
        assert default_of(command, flag) == value, (command, flag)
    assert "10 2 and 6" in PAGE.replace(",", "") and "port 8080" in PAGE and "10,000 by default" in PAGE
