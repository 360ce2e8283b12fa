"""Runs nxv, and writes and reads NumPy files without NumPy."""

import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NXV = os.environ.get("NXV", str(ROOT / "build" / "nxv"))
FORMATS = {"|u1": "B", "<u4": "I", "<i4": "i", "<i8": "q", "<f4": "f", "<f8": "d", "|b1": "?", ">f4": "f"}


def npy(descr, shape, values, fortran=False, version=1, header=None):
    """The bytes of a NumPy file."""
    text = header or "{'descr': %r, 'fortran_order': %r, 'shape': %r, }" % (descr, fortran, tuple(shape))
    prefix = 10 if version == 1 else 12
    text += " " * (63 - (prefix + len(text)) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    order = ">" if descr[0] == ">" else "<"
    data = b"".join(struct.pack(order + FORMATS[descr], value) for value in values)
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + data


def read_npy(path):
    """(descr, shape, values) of a file that nxv wrote."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0 and data[10 + length - 1 : 10 + length] == b"\n"
    header = eval(data[10 : 10 + length].decode(), {"__builtins__": {}})
    assert header["fortran_order"] is False
    body = data[10 + length :]
    count = len(body) // struct.calcsize(FORMATS[header["descr"]])
    return header["descr"], header["shape"], list(struct.unpack("<%d%s" % (count, FORMATS[header["descr"]]), body))


class Case(unittest.TestCase):
    """A folder of its own, and nxv run inside it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def nxv(self, *arguments, env=None):
        return subprocess.run(
            [NXV, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def ok(self, *arguments, env=None):
        done = self.nxv(*arguments, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, *arguments, env=None, status=1):
        """The one sentence that nxv refuses with."""
        done = self.nxv(*arguments, env=env)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        lines = done.stderr.rstrip("\n").split("\n")
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("nxv: "), lines[0])
        return lines[0]

    def write(self, name, descr, shape, values, **options):
        (self.folder / name).write_bytes(npy(descr, shape, values, **options))
        return name

    def result(self, name="out.npy"):
        return read_npy(self.folder / name)
