"""Committed files follow from what makes them."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from support import ROOT

DATA = ROOT / "test" / "data"


class Data(unittest.TestCase):
    def python(self, *arguments):
        done = subprocess.run([sys.executable, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_cases(self):
        self.python(DATA / "make_cases.py", "--check")

    def test_demo(self):
        with tempfile.TemporaryDirectory() as folder:
            self.python(DATA / "make_demo.py", folder)
            made = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        kept = {path.name: path.read_bytes() for path in (DATA / "demo").iterdir()}
        self.assertEqual(sorted(made), sorted(kept))
        self.assertEqual(made, kept)

    def test_probe(self):
        folder = ROOT / "bench" / "probe"
        self.python("-m", "codegen", "--kernels", folder / "kernels", "--out", folder / "pack", "check")
