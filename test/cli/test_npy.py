"""NumPy files: what is read, what is written, what is refused."""

import struct

from support import Case, npy

SIX = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


class Reading(Case):
    def negated(self, name):
        self.ok("run", "negate", "--in", name, "--out", "out.npy")
        return self.result()

    def test_every_type(self):
        values = {
            "|u1": [0, 1, 255],
            "<u4": [0, 7, 2**32 - 1],
            "<i4": [-(2**31), -1, 5],
            "<i8": [-(2**63), 2**40, 5],
            "<f4": [-0.5, 1.25, float("inf")],
            "<f8": [0.1, -1e300, 5e-310],
        }
        bits = {"|u1": 8, "<u4": 32, "<i4": 32, "<i8": 64}
        for descr, numbers in values.items():
            self.write("in.npy", descr, (3,), numbers)
            want = [-n for n in numbers]
            if descr in bits:
                low = 0 if descr[1] == "u" else -(2 ** (bits[descr] - 1))
                want = [(n - low) % 2 ** bits[descr] + low for n in want]
            self.assertEqual(self.negated("in.npy"), (descr, (3,), want))

    def test_bool_is_u8(self):
        self.write("in.npy", "|b1", (4,), [True, False, True, True])
        self.ok("run", "sum", "--in", "in.npy", "--out", "out.npy")
        self.assertEqual(self.result(), ("<u4", (), [3]))

    def test_no_dimensions(self):
        self.assertEqual(self.negated(self.write("in.npy", "<f4", (), [2.5])), ("<f4", (), [-2.5]))

    def test_fortran_order(self):
        by_columns = [1, 4, 2, 5, 3, 6]
        self.write("in.npy", "<i4", (2, 3), by_columns, fortran=True)
        self.assertEqual(self.negated("in.npy"), ("<i4", (2, 3), [-1, -2, -3, -4, -5, -6]))
        deep = [i * 6 + j * 2 + k for k in range(2) for j in range(3) for i in range(2)]
        self.write("in.npy", "<i4", (2, 3, 2), deep, fortran=True)
        self.assertEqual(self.negated("in.npy"), ("<i4", (2, 3, 2), [-n for n in range(12)]))

    def test_versions(self):
        for version in (1, 2, 3):
            self.write("in.npy", "<f4", (2, 3), SIX, version=version)
            self.assertEqual(self.negated("in.npy"), ("<f4", (2, 3), [-x for x in SIX]))

    def test_headers_that_numpy_may_write(self):
        for header in (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
            '{"shape": (6,), "descr": "<f4", "fortran_order": False, }',
            "{ 'descr' : '=f4','fortran_order':False,'shape':(6 , ) , }",
        ):
            self.write("in.npy", "<f4", (6,), SIX, header=header)
            self.assertEqual(self.negated("in.npy")[2], [-x for x in SIX])


class Refusing(Case):
    def why(self, data):
        (self.folder / "in.npy").write_bytes(data)
        said = self.refused("run", "negate", "--in", "in.npy", "--out", "out.npy")
        self.assertIn("[npy] in.npy ", said)
        self.assertFalse((self.folder / "out.npy").exists())
        return said

    def test_truncated(self):
        whole = npy("<f4", (2, 3), SIX)
        for length in range(len(whole)):
            if length % 7 == 0 or length > len(whole) - 3:
                self.assertRegex(self.why(whole[:length]), "truncated|too short")

    def test_longer_than_its_shape(self):
        self.assertIn("takes 24 bytes, the file has 25", self.why(npy("<f4", (2, 3), SIX) + b"\0"))

    def test_kinds_of_elements(self):
        self.assertIn("big-endian", self.why(npy(">f4", (6,), SIX)))
        head = "{'descr': %s, 'fortran_order': False, 'shape': (6,), }"
        self.assertIn("Python objects", self.why(npy("<f4", (6,), SIX, header=head % "'|O'")))
        self.assertIn("structured", self.why(npy("<f4", (6,), SIX, header=head % "[('x', '<f4')]")))
        self.assertIn("'<U3'", self.why(npy("<f4", (6,), SIX, header=head % "'<U3'")))
        self.assertIn("supported: u8", self.why(npy("<f4", (6,), SIX, header=head % "'<f7'")))

    def test_shapes(self):
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }"
        for shape, said in [
            ("(0,)", "size 0"),
            ("(2**9,)", "damaged header"),
            ("(-6,)", "damaged header"),
            ("(6)", "damaged header"),
            ("6", "damaged header"),
            ("(4294967296, 4294967296, 4294967296)", "no memory"),
            ("(99999999999999999999,)", "damaged header"),
            ("(1099511627776,)", "truncated"),
        ]:
            self.assertIn(said, self.why(npy("<f4", (6,), SIX, header=head % shape)))

    def test_no_numpy_file(self):
        self.assertIn("is not a NumPy file", self.why(b"PK\x03\x04" + b"\0" * 100))
        self.assertIn("format 4.0", self.why(npy("<f4", (6,), SIX, version=4)))
        said = self.refused("run", "negate", "--in", "absent.npy", "--out", "out.npy")
        self.assertIn("[npy] absent.npy cannot be opened", said)
        self.assertIn("[npy]", self.refused("run", "negate", "--in", ".", "--out", "out.npy"))

    def test_damaged_headers_never_crash(self):
        whole = bytearray(npy("<f4", (2, 3), SIX))
        state = 1
        for _ in range(60):
            damaged = bytearray(whole)
            for _ in range(3):
                state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
                damaged[(state >> 33) % 80] = (state >> 20) % 256
            (self.folder / "in.npy").write_bytes(damaged)
            done = self.nxv("run", "nothing_at_all", "--in", "in.npy", "--out", "out.npy")
            self.assertEqual(done.returncode, 1)
            done = self.nxv("run", "negate", "--in", "in.npy", "--out", "out.npy", "--device", "no such device")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_header_length_of_gigabytes(self):
        self.assertIn("damaged header", self.why(b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{" * 90))
