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
