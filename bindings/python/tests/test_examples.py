"""The examples run, and what they print is what the manual says of them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *arguments):
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_hands_close_along_edges_that_are_proven_free():
    pytest.importorskip("scipy")
    printed = run("hands_trajectory.py")
    assert re.search(r"edges proven free of contact: 7 of 7", printed)
    rows = [line.split("|") for line in printed.splitlines() if "gradients |" in line or "differences |" in line]
    asked = {row[1].strip(): int(row[4]) for row in rows}
    assert 5 * asked["way, gradients"] < asked["way, differences"]


def test_the_notebook_of_pictures_runs():
    nbformat = pytest.importorskip("nbformat", reason="pip install './bindings/python[test,show,notebook]'")
    nbclient = pytest.importorskip("nbclient", reason="pip install './bindings/python[test,show,notebook]'")
    pytest.importorskip("viser", reason="pip install './bindings/python[test,show,notebook]'")
    notebook = nbformat.read(EXAMPLES / "pictures.ipynb", as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = [output for output in outputs if "text/html" in output.get("data", {})]
    assert len(pictures) == 2 and all("<iframe" in p["data"]["text/html"] for p in pictures)
    printed = "".join(output.get("text", "") for output in outputs)
    assert "r_hand_thumb_1" in printed and "<Contacts: 5" in printed
