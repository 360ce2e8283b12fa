"""nxv run: operands, attributes, output types, refusals."""

import os
import pathlib
import stat

from support import ROOT, Case, read_npy

DEMO = ROOT / "test" / "data" / "demo"


class Running(Case):
    def run_op(self, *arguments):
        self.ok("run", *arguments, "--out", "out.npy")
        return self.result()

    def test_broadcasting(self):
        self.write("a.npy", "<f4", (2, 1), [1.0, 10.0])
        self.write("b.npy", "<f4", (3,), [0.25, 0.5, 0.75])
        want = ("<f4", (2, 3), [1.25, 1.5, 1.75, 10.25, 10.5, 10.75])
        self.assertEqual(self.run_op("add", "--in", "a.npy", "--in", "b.npy"), want)

    def test_operands_of_different_types(self):
        self.write("a.npy", "<i4", (2,), [7, -7])
        self.write("b.npy", "<f8", (2,), [0.5, 0.25])
        self.assertEqual(self.run_op("add", "--in", "a.npy", "--in", "b.npy"), ("<f8", (2,), [7.5, -6.75]))
        self.write("b.npy", "|u1", (2,), [200, 2])
        self.assertEqual(self.run_op("multiply", "--in", "a.npy", "--in", "b.npy"), ("<i4", (2,), [1400, -14]))

    def test_numbers_as_operands(self):
        self.write("a.npy", "<f8", (2,), [1.0, 2.0])
        self.assertEqual(self.run_op("add", "--in", "a.npy", "--in", "0.1"), ("<f8", (2,), [1.1, 2.1]))
        self.assertEqual(self.run_op("subtract", "--in", "-2.5", "--in", "a.npy"), ("<f8", (2,), [-3.5, -4.5]))
        self.write("a.npy", "|u1", (2,), [1, 250])
        self.assertEqual(self.run_op("add", "--in", "a.npy", "--in", "7"), ("|u1", (2,), [8, 1]))
        self.assertEqual(self.run_op("add", "--in", "a.npy", "--in", "7:s64"), ("<i8", (2,), [8, 257]))
        self.assertEqual(self.run_op("add", "--in", "a.npy", "--in", "0.5"), ("<f4", (2,), [1.5, 250.5]))

    def test_attributes(self):
        self.write("a.npy", "<i4", (2, 3), [1, 2, 3, 4, 5, 6])
        self.assertEqual(self.run_op("sum", "--in", "a.npy", "--attr", "axes=[1]"), ("<i4", (2,), [6, 15]))
        self.assertEqual(self.run_op("sum", "--in", "a.npy", "--attr", "axes=0,1"), ("<i4", (), [21]))
        kept = self.run_op("sum", "--in", "a.npy", "--attr", "axes=[0]", "--attr", "keep_axes=true")
        self.assertEqual(kept, ("<i4", (1, 3), [5, 7, 9]))
        turned = self.run_op("transpose", "--in", "a.npy", "--attr", "axes=1,0")
        self.assertEqual(turned, ("<i4", (3, 2), [1, 4, 2, 5, 3, 6]))

    def test_type_and_shape_of_the_output(self):
        self.assertEqual(self.run_op("iota", "--type", "f64", "--shape", "2,3"), ("<f8", (2, 3), [0, 1, 2, 3, 4, 5]))
        self.assertEqual(self.run_op("eye", "--type", "u8", "--shape", "2,2"), ("|u1", (2, 2), [1, 0, 0, 1]))
        self.write("a.npy", "<f4", (3,), [1.9, -1.9, 300.0])
        self.assertEqual(self.run_op("as_type", "--in", "a.npy", "--type", "u8"), ("|u1", (3,), [1, 0, 255]))
        self.write("a.npy", "<i4", (3,), [1, 2, 3])
        spread = self.run_op("broadcast", "--in", "a.npy", "--shape", "2,3")
        self.assertEqual(spread, ("<i4", (2, 3), [1, 2, 3, 1, 2, 3]))

    def test_demo(self):
        for line in (DEMO / "steps.txt").read_text().splitlines():
            arguments, wanted = line.split("\t")
            words = [str(DEMO / word) if word.endswith(".npy") else word for word in arguments.split()]
            self.assertEqual(self.run_op(*words), read_npy(DEMO / wanted), arguments)


class Refusing(Case):
    def setUp(self):
        super().setUp()
        self.write("a.npy", "<f4", (2, 3), range(6))
        self.write("b.npy", "<f4", (4,), range(4))

    def why(self, *arguments, **options):
        said = self.refused("run", *arguments, "--out", "out.npy", **options)
        self.assertFalse((self.folder / "out.npy").exists())
        return said

    def test_unknown_op(self):
        self.assertIn('did you mean "subtract"', self.why("substract", "--in", "a.npy", "--in", "a.npy"))
        self.assertIn('"negate"', self.why("negat", "--in", "a.npy"))
        self.assertIn("nxv pack ops", self.why("qqqqqqqq", "--in", "a.npy"))

    def test_shapes_that_do_not_broadcast(self):
        said = self.why("add", "--in", "a.npy", "--in", "b.npy")
        self.assertIn("[add]", said)
        self.assertIn("[2][3]", said)
        self.assertIn("[4]", said)

    def test_types(self):
        self.assertIn("f32", self.why("bitwise_and", "--in", "a.npy", "--in", "a.npy"))
        self.assertIn('"f31"', self.why("add", "--in", "a.npy", "--in", "a.npy", "--type", "f31"))
        self.assertIn('"x9"', self.why("add", "--in", "a.npy", "--in", "1:x9"))

    def test_operands_and_attributes(self):
        self.assertIn("[add]", self.why("add", "--in", "a.npy"))
        self.assertIn("axis", self.why("sum", "--in", "a.npy", "--attr", "axis=0"))
        self.assertIn("[sum]", self.why("sum", "--in", "a.npy", "--attr", "axes=[5]"))
        self.assertIn("NAME=VALUE", self.why("sum", "--in", "a.npy", "--attr", "axes"))
        self.assertIn("twice", self.why("sum", "--in", "a.npy", "--attr", "axes=[0]", "--attr", "axes=[1]"))
        self.assertIn("--shape", self.why("iota", "--type", "f32", "--shape", "2,0"))

    def test_device(self):
        self.assertIn("no such device", self.why("negate", "--in", "a.npy", "--device", "no such device"))
        self.assertIn("99", self.why("negate", "--in", "a.npy", "--device", "99"))
        self.assertIn("no such device", self.why("negate", "--in", "a.npy", env={"NXV_DEVICE": "no such device"}))

    def test_no_driver(self):
        missing = {name: "/nonexistent.json" for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES")}
        self.assertIn("driver", self.why("negate", "--in", "a.npy", env=missing))

    def test_no_loader(self):
        (self.folder / "libvulkan.so.1").write_bytes(b"")
        said = self.why("negate", "--in", "a.npy", env={"LD_LIBRARY_PATH": str(self.folder)})
        self.assertIn("no Vulkan loader", said)

    def test_output(self):
        said = self.refused("run", "negate", "--in", "a.npy", "--out", "no/such/folder/out.npy")
        self.assertIn("[npy] no/such/folder/out.npy cannot be written", said)
        two = self.refused("run", "negate", "--in", "a.npy", "--out", "x.npy", "--out", "y.npy")
        self.assertIn("[negate]", two)
        self.assertEqual([p.name for p in pathlib.Path(self.folder).glob("*.tmp*")], [])

    def test_output_stays_what_it_is(self):
        self.assertIn("No space left", self.refused("run", "negate", "--in", "a.npy", "--out", "/dev/full"))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        (self.folder / "link.npy").symlink_to("target.npy")
        self.ok("run", "negate", "--in", "a.npy", "--out", "link.npy")
        self.assertTrue((self.folder / "link.npy").is_symlink())
        self.assertEqual(self.result("target.npy"), self.result("link.npy"))
        (self.folder / "private.npy").touch(mode=0o600)
        self.ok("run", "negate", "--in", "a.npy", "--out", "private.npy")
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "private.npy").st_mode), 0o600)

    def test_numbers_that_do_not_fit(self):
        for number in ("300:u8", "2.5:s32", "-1:u32", "1e40:f32", "2147483648:s32"):
            self.assertIn("[run] " + number + " does not fit", self.why("add", "--in", number, "--in", number))

    def test_axes_named_twice(self):
        for op in ("sum", "reverse"):
            self.assertIn("twice", self.why(op, "--in", "a.npy", "--attr", "axes=[0,0]"))
        huge = self.why("pad", "--in", "a.npy", "--in", "0", "--attr", f"config=[{2**63 - 1},1,0,0,0,0]")
        self.assertIn("longer than 2^63", huge)

    def test_usage(self):
        for arguments in ((), ("run",), ("run", "add", "--frob"), ("frob",)):
            done = self.nxv(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(self.nxv("--help").returncode, 0)
