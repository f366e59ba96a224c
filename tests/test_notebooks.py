"""The notebooks, executed from top to bottom on a tiny run."""
import json
import os

import nbformat
import pytest
from conftest import PROGRAM, TOP
from nbclient import NotebookClient

NOTEBOOKS = ("sample_dcgan_run", "model_evaluation_plots", "model_evaluation_nll")
TINY = "--img_size 32 --nz 8 --ngf 4 --ndf 4 --batch_size 16 --log_frequency 4 --threads 1 --workers 1 --n_epoch 2"


def read(name):
    return nbformat.read(TOP / "notebooks" / f"{name}.ipynb", as_version=4)


class Executed:
    """A notebook with its outputs."""

    def __init__(self, name, folder, **variables):
        notebook = read(name)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TOP / "python"), os.environ.get("PYTHONPATH", "")]),
                       "NOWHERE": str(PROGRAM), "NOWHERE_FEATURES": "none", "IPYTHONDIR": str(folder), "MPLCONFIGDIR": str(folder),
                       **{key: str(value) for key, value in variables.items()}}
        NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute(
            env=environment)
        self.outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        self.text = "".join(output.text for output in self.outputs if output.output_type == "stream" and output.name == "stdout")

    def pictures(self, kind="image/png"):
        return sum(kind in output.get("data", {}) for output in self.outputs)


@pytest.fixture(scope="module")
def sample(streets, tmp_path_factory):
    """(the run's folder, the notebook that trained it)"""
    folder = tmp_path_factory.mktemp("notebooks")
    return folder / "run", Executed("sample_dcgan_run", folder, MSLS_RUN=folder / "run", MSLS_DATA=streets, MSLS_FLAGS=TINY)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_are_stored_without_outputs(name):
    notebook = read(name)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert cell.cell_type == "markdown" or (cell.outputs == [] and cell.execution_count is None)


def test_there_are_no_others():
    assert sorted(path.stem for path in (TOP / "notebooks").glob("*.ipynb")) == sorted(NOTEBOOKS)


def test_a_sample_run(sample):
    run, notebook = sample
    assert (run / "checkpoint_2.pt").exists()
    assert "160 photographs" in notebook.text and "memory       about" in notebook.text and "done: 320 images seen" in notebook.text
    assert "epoch 1\n" in notebook.text and "epoch 2\n" in notebook.text
    assert notebook.pictures() == 5, "losses, two sheets, real beside generated, samples"


def test_plots(sample):
    run, _ = sample
    notebook = Executed("model_evaluation_plots", run.parent, MSLS_RUN=run)
    assert notebook.pictures() == 8, "5 of curves and bars, sheets of epochs, two figures"
    assert notebook.pictures("image/gif") == 1
    lines = [json.loads(line) for line in (run / "stats.jsonl").read_text().splitlines()]
    assert [line for line in lines if "step" in line][-1]["bottleneck"] in notebook.text


def test_likelihood(sample, streets):
    run, _ = sample
    notebook = Executed("model_evaluation_nll", run.parent, MSLS_RUN=run, MSLS_DATA=streets, MSLS_SAMPLES=100)
    parzen = json.loads((run / "report" / "scores.json").read_text())["parzen"]
    for score in (parzen["test"], parzen["real_photographs"]):
        assert f"{score['mean']:.1f}  {score['standard_error']:.1f}\n" in notebook.text
    assert f"{parzen['sigma']:.3f} chosen" in notebook.text
    assert [point["epoch"] for point in parzen["epochs"]["points"]] == [1, 2]
    assert notebook.pictures() == 2, "our curve over the epochs and the program's"
