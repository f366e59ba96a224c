"""tests/architecture.py on small made-up trees: each kind of violation is found, and a sound tree passes."""
from architecture import violations
from conftest import TOP

TABLE = {"core": "-", "data": "core", "device": "core", "model": "core, data, device", "cli": "all"}
CMAKE = ["core", "data USES core", "device TORCH USES core", "model TORCH USES core data device", "cli USES model"]
FILES = {
    "core/file.h": "",
    "data/pack.cpp": '#include "core/file.h"\n',
    "data/pack.h": "",
    "device/device.h": '#include <torch/torch.h>\n#include "core/file.h"\n',
    "model/model.h": '#include "core/file.h"\n',
    "model/tensors.h": '#include "device/device.h"\n#include "data/pack.h"\n',
    "cli/sample.cpp": '#include "model/model.h"\n',
}


def found(folder, table=TABLE, cmake=CMAKE, **files):
    """What is wrong with a tree; `files` by their paths with __ for / and _dot_ for the dot."""
    rows = "".join(f"| `src/{name}` | what lives there | {uses} |\n" for name, uses in table.items())
    (folder / "src").mkdir(parents=True)
    (folder / "ARCHITECTURE.md").write_text("# Folders\n\n| folder | what | may use |\n|---|---|---|\n" + rows)
    (folder / "src" / "CMakeLists.txt").write_text("".join(f"nowhere_folder({line})\n" for line in cmake))
    changed = {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    for name, text in {**FILES, **changed}.items():
        (folder / "src" / name).parent.mkdir(exist_ok=True)
        (folder / "src" / name).write_text(text)
    return list(violations(folder))


def test_this_tree_is_sound():
    assert list(violations(TOP)) == []


def test_a_sound_tree_passes(tmp_path):
    assert found(tmp_path) == []


def test_an_include_outside_the_table(tmp_path):
    assert found(tmp_path, data__more_dot_cpp='#include "device/choices.h"\n') == [
        "src/data/more.cpp:1: data may not use device"]


def test_a_folder_without_a_row(tmp_path):
    wrong = found(tmp_path, cmake=[*CMAKE[:1], "net", *CMAKE[1:]], net__server_dot_cpp="")
    assert "src/net has no row in ARCHITECTURE.md" in wrong
    assert "net stands in only one of ARCHITECTURE.md and src/CMakeLists.txt" in wrong


def test_a_row_without_a_folder(tmp_path):
    wrong = found(tmp_path, table={"net": "-", **TABLE})
    assert "ARCHITECTURE.md has a row for src/net, which has no sources" in wrong


def test_cmake_and_the_table_differ(tmp_path):
    less = [line.replace(" data", "") if line.startswith("model") else line for line in CMAKE]
    wrong = found(tmp_path / "a", cmake=less)
    assert "ARCHITECTURE.md: model may use data, which src/CMakeLists.txt does not name" in wrong
    assert "src/model/tensors.h:2: model may not use data" in wrong
    assert found(tmp_path / "b", table={**TABLE, "model": "core, device"}) == [
        "src/CMakeLists.txt: model USES data, which its row in ARCHITECTURE.md does not name"]


def test_a_folder_that_may_use_all_still_needs_its_edges_in_cmake(tmp_path):
    assert found(tmp_path, cli__scan_dot_cpp='#include "data/pack.h"\n') == ["src/cli/scan.cpp:1: cli may not use data"]


def test_an_edge_that_nobody_uses(tmp_path):
    assert found(tmp_path, data__pack_dot_cpp="") == ["data may use core, but includes nothing of it"]


def test_a_table_out_of_order(tmp_path):
    upside_down = {name: TABLE[name] for name in ("data", "core", "device", "model", "cli")}
    assert found(tmp_path / "a", table=upside_down) == [
        "ARCHITECTURE.md: data uses core, which does not stand above it"]
    assert found(tmp_path / "b", cmake=[CMAKE[1], CMAKE[0], *CMAKE[2:]]) == [
        "src/CMakeLists.txt: data uses core, which does not stand above it"]


def test_libtorch_in_a_folder_without_it(tmp_path):
    for number, header in enumerate(["torch/torch.h", "ATen/Parallel.h", "c10/core/Device.h"]):
        assert found(tmp_path / str(number), core__file_dot_cpp=f"#include <{header}>\n") == [
            "src/core/file.cpp:1: core is to stay free of LibTorch"]


def test_a_header_that_brings_libtorch_along(tmp_path):
    """Directly, or through another header."""
    cmake = [*CMAKE[:-1], "cli USES model device"]
    assert found(tmp_path / "a", cmake=cmake, cli__a_dot_cpp='#include "device/device.h"\n') == [
        "src/cli/a.cpp:1: device/device.h brings LibTorch into cli"]
    assert found(tmp_path / "b", cli__a_dot_cpp='\n#include "model/tensors.h"\n') == [
        "src/cli/a.cpp:2: model/tensors.h brings LibTorch into cli"]


def test_a_folder_that_needs_no_libtorch(tmp_path):
    cmake = [CMAKE[0], "data TORCH USES core", *CMAKE[2:]]
    assert found(tmp_path, cmake=cmake) == [
        "src/CMakeLists.txt: data is TORCH, but includes nothing of LibTorch"]


def test_a_document_without_a_table(tmp_path):
    assert "were not found" in found(tmp_path, table={})[0]
