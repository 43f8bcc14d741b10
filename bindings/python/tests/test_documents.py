"""The programs of the documents, the examples of the docstrings, and the stubs."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import superovoid
import superovoid._superovoid
import superovoid.planar
import superovoid.published

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", ["README.md", "bindings/python/README.md", "docs/guides/python.md", "docs/guides/superquadrics.md"])
def test_programs_of_the_page_run(page, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    needed = {"import jax\n": ("jax", "jax"), "import show\n": ("viser", "show")}
    needed |= {f"superovoid.{extra} import": (extra, extra) for extra in ("mujoco", "pinocchio")}
    for line, (module, extra) in needed.items():
        if any(line in block for block in blocks):
            pytest.importorskip(module, reason=f"pip install 'superovoid[{extra}]'")
    before = os.getcwd()
    os.chdir(ROOT)
    try:
        names = {}
        for block in blocks:
            exec(block, names)
    finally:
        os.chdir(before)


@pytest.mark.parametrize("module", [superovoid, superovoid._superovoid, superovoid.planar, superovoid.published])
def test_examples_are_true(module):
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, module.__name__)
    runner = doctest.DocTestRunner()
    assert sum(runner.run(test).failed for test in tests) == 0 and runner.tries > 0


def test_everything_public_is_described():
    modules = [superovoid, superovoid.planar, superovoid.published]
    for name, thing in [(name, getattr(module, name)) for module in modules for name in module.__all__]:
        assert thing.__doc__, name
        if isinstance(thing, type) and thing.__module__ in ("superovoid", "superovoid.planar") and not name.endswith(("Status", "Outcome")):
            for member, value in vars(thing).items():
                if not member.startswith("_") and name != "Contacts":
                    assert value.__doc__, f"{name}.{member}"


def test_stubs_are_those_of_the_module():
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "superovoid._superovoid"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_of_the_python_modules_hold():
    pytest.importorskip("jax")  # without it its decorators have no types
    """Extras that are not installed have no types."""
    modules = sorted((ROOT / "bindings" / "python" / "superovoid").glob("*.py"))
    options = ["--strict", "--follow-imports=silent", "--ignore-missing-imports", "--allow-untyped-calls"]
    done = subprocess.run([sys.executable, "-m", "mypy", *options, *modules], capture_output=True, text=True, cwd=ROOT / "bindings" / "python")
    assert done.returncode == 0, done.stdout + done.stderr
