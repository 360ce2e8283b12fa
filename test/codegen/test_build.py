"""The pack: same bytes again, stale ones noticed, contraction forbidden, modules that break the interface refused."""

import contextlib
import io
import subprocess

from codegen import pack
from codegen.__main__ import main
from codegen.toolbox import Toolbox
from test.codegen.support import KernelsCase, needs_toolchain


class CommandCase(KernelsCase):
    def codegen(self, *arguments):
        """(exit status, stdout, stderr)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(["--kernels", str(self.kernels), "--out", str(self.out), *arguments])
        return status, out.getvalue(), err.getvalue()

    def good(self, *arguments):
        status, out, err = self.codegen(*arguments)
        self.assertEqual(status, 0, err)
        return out

    def bad(self, *arguments):
        status, _, err = self.codegen(*arguments)
        self.assertEqual(status, 1)
        self.assertNotIn("Traceback", err)
        return err


class WithoutCompiler(CommandCase):
    def test_list_and_show(self):
        keys = self.good("list").splitlines()
        self.assertEqual(len(keys), 26)
        self.assertEqual(self.good("list", "axpy.f64"), "map2.axpy.f64.dense\n")
        self.assertIn("#define OP_add 1", self.good("show", "map2.add.u8.dense"))
        self.assertEqual(self.bad("show", "map2.add.u9.dense"), "[map2.add.u9.dense] not in the catalog\n")

    def test_emit_writes_the_tables_only(self):
        self.good("emit")
        self.assertEqual(
            sorted(path.name for path in self.out.iterdir()),
            ["bounds.md", "catalog.exs", "catalog.inc", "oracle.inc", "oracle_library.inc", "types.inc"],
        )

    def test_check_names_file_and_line(self):
        self.edit("catalog/map2.yaml", "nx: add", "nix: add")
        self.assertTrue(self.bad("check").startswith("kernels/catalog/map2.yaml:8: unknown field nix in op add"))

    def test_check_finds_a_missing_file_below_a_template(self):
        self.edit("map2.comp", "void main", '#include "gone.glsl"\nvoid main')
        self.assertRegex(self.bad("check"), r"^kernels/map2.comp:\d+: no file gone.glsl")


@needs_toolchain
class Building(CommandCase):
    def setUp(self):
        super().setUp()
        self.good("build")

    def rows(self):
        return pack.read_manifest((self.out / "manifest.tsv").read_text("ascii"))

    def test_a_rebuild_gives_the_same_bytes(self):
        self.good("build", "--check", "--no-cache")

    def test_a_difference_is_named(self):
        shard = self.out / "pack" / "map2.spv.zst"
        shard.write_bytes(shard.read_bytes()[:-1])
        (self.out / "stray.inc").write_text("")
        self.assertEqual(
            self.bad("build", "--check").splitlines(),
            [f"generated/{name}: a rebuild gives other bytes" for name in ("pack/map2.spv.zst", "stray.inc")],
        )
        self.good("build")
        self.assertFalse((self.out / "stray.inc").exists())
        self.good("build", "--check")

    def test_check_notices_a_stale_pack_without_compiling(self):
        self.good("check")
        self.edit("lib/half.glsl", "0.5", "0.25")
        self.assertIn("[map2.axpy.f32.dense] its source has changed", self.bad("check"))
        self.edit("lib/half.glsl", "0.25", "0.5")
        self.good("check")
        self.edit("catalog/map2.yaml", "  axpy:", "  axpyz:")
        errors = self.bad("check")
        self.assertIn("[map2.axpyz.f32.dense] not in the pack", errors)
        self.assertIn("[map2.axpy.f32.dense] in the pack, not in the catalog", errors)
        self.assertIn("generated/catalog.inc: not what the catalog gives", errors)

    def test_manifest(self):
        head, shards, rows = self.rows()
        text = (self.out / "manifest.tsv").read_text("ascii")
        body = text.split("\n", 3)[3]
        self.assertEqual(head["digest"], Toolbox().hash(body.encode("ascii")))
        self.assertEqual(list(rows), sorted(rows))
        self.assertEqual(len(rows), 26)
        row = rows["map2.equal.f64.dense"]
        self.assertEqual(
            (row["caps"], row["interface"], row["push"], row["local"]), ("float64,storage8", "address", "28", "-")
        )
        self.assertEqual(shards["map2"][1], (self.out / "pack" / "map2.spv.zst").stat().st_size)

    def test_identical_modules_are_stored_once(self):
        rows = self.rows()[2]
        self.assertNotEqual(rows["map2.add.f32.dense"]["offset"], rows["map2.add.f64.dense"]["offset"])
        self.edit("catalog/map2.yaml", "  equal:", '  plus: {types: [f32], expr: "a + b"}\n  equal:')
        self.good("build")
        rows = self.rows()[2]
        self.assertEqual(rows["map2.plus.f32.dense"]["offset"], rows["map2.add.f32.dense"]["offset"])

    def test_no_absolute_path_in_a_module(self):
        shard = Toolbox().decompress((self.out / "pack" / "map2.spv.zst").read_bytes())
        self.assertNotIn(str(self.folder).encode(), shard)
        self.assertNotIn(b"kernels/", shard)

    def contractible(self, key):
        """(float instructions that compute, those of them decorated NoContraction)"""
        text = self.good("disasm", key)
        computing, decorated = set(), set()
        for line in text.splitlines():
            words = line.split()
            if len(words) > 3 and words[2] in (
                "OpFAdd",
                "OpFSub",
                "OpFMul",
                "OpFDiv",
                "OpFNegate",
                "OpExtInst",
                "OpFOrdEqual",
            ):
                computing.add(words[0])
            if words[:1] == ["OpDecorate"] and words[2] == "NoContraction":
                decorated.add(words[1])
        return computing, decorated

    def loops(self, contract):
        """A template whose function is inlined twice and whose loop is unrolled by the optimizer."""
        self.edit(
            "map2.comp",
            "void main() {",
            "A_COMPUTE poly(A_COMPUTE x) {\n  A_COMPUTE sum = x;\n"
            "  [[unroll]] for (int i = 0; i < 4; ++i) sum = sum * x + sqrt(-sum);\n"
            "  return sum;\n}\nvoid main() {",
        )
        self.edit("map2.comp", "op(A_LOAD(push.a.at[i]), B_LOAD", "op(poly(A_LOAD(push.a.at[i])), poly(B_LOAD")
        self.edit("map2.comp", "push.b.at[j])));", "push.b.at[j]))));")
        self.map2(f"contract: {contract}", "ops:", "  add: {types: [f32, f64], expr: a + b}")
        self.good("build")

    def test_contraction_is_forbidden_on_every_float_instruction(self):
        self.loops("false")
        for key in ("map2.add.f32.dense", "map2.add.f64.dense"):
            computing, decorated = self.contractible(key)
            self.assertGreater(len(computing), 6)
            self.assertEqual(computing - decorated, set())

    def test_the_optimizer_does_no_float_algebra(self):
        self.map2("ops:", '  scale: {types: [f32], expr: "(a * 3.0) * 5.0 + (b - -b)"}')
        self.good("build")
        text = self.good("disasm", "map2.scale.f32.dense")
        operations = [line.split()[2] for line in text.splitlines() if " OpF" in line and "OpFunction" not in line]
        self.assertEqual(operations, ["OpFMul", "OpFMul", "OpFNegate", "OpFSub", "OpFAdd"])

    def test_the_optimizer_does_no_float_algebra_in_unrolled_loops(self):
        loop = "[[unroll]] for (int i = 0; i < 3; ++i) x = (x * 3.0) * 5.0;"
        self.write("lib/scale.glsl", f"float scaled(float x) {{ {loop} return x; }}\n")
        self.map2("ops:", "  scale: {types: [f32], expr: scaled(a), include: [scale.glsl]}")
        self.good("build")
        self.assertEqual(self.good("disasm", "map2.scale.f32.dense").count("OpFMul"), 6)

    def test_contraction_is_left_where_the_family_allows_it(self):
        self.loops("true")
        computing, decorated = self.contractible("map2.add.f32.dense")
        self.assertGreater(len(computing), 6)
        self.assertEqual(decorated, set())

    def test_storage8_needs_no_arithmetic_on_bytes(self):
        capabilities = [
            line.split()[1] for line in self.good("disasm", "map2.add.u8.dense").splitlines() if "OpCapability" in line
        ]
        self.assertEqual(sorted(capabilities), ["PhysicalStorageBufferAddresses", "Shader", "StorageBuffer8BitAccess"])

    def test_a_capability_that_caps_do_not_name_is_refused(self):
        self.edit(
            "map2.comp",
            "#ifdef ACCESS_scalar",
            "double d = double(i) * 0.5;\n  if (d == 3.0) return;\n#ifdef ACCESS_scalar",
        )
        self.assertEqual(
            self.bad("build"), "[map2.add.f32.dense] the module needs float64, which its caps do not name\n"
        )

    def test_push_constants_are_limited(self):
        self.edit("map2.comp", "uint count; }", "uint count; uint more[26]; }")
        self.assertEqual(
            self.bad("build"), "[map2.add.f32.dense] 132 bytes of push constants, at most 128 are allowed\n"
        )

    def test_descriptors_are_refused(self):
        self.edit(
            "map2.comp",
            "void main() {",
            "layout(set = 0, binding = 0) buffer D { uint d; } d;\nvoid main() {\n  d.d = 1;",
        )
        self.assertEqual(
            self.bad("build"), "[map2.add.f32.dense] buffers must come by address, the module has descriptors\n"
        )

    def test_errors_name_key_file_and_line(self):
        self.edit("map2.comp", "const uint j = i;", "const uint j = k;")
        errors = self.bad("build")
        line = (self.kernels / "map2.comp").read_text().splitlines().index("  const uint j = k;") + 1
        self.assertIn(f"[map2.add.f32.dense] ERROR: kernels/map2.comp:{line}: 'k' : undeclared identifier", errors)
        self.edit("map2.comp", "const uint j = k;", "const uint j = i;")
        self.edit("catalog/map2.yaml", '"a + b", nx', '"a + bee", nx')
        self.assertIn("[map2.add.f32.dense] ERROR: kernels/catalog/map2.yaml:add:1: 'bee'", self.bad("build"))

    def test_a_damaged_cache_is_compiled_anew(self):
        toolbox = Toolbox(self.folder / "cache")
        source = self.good("show", "map2.add.f32.dense")
        first = toolbox.compile([("map2.add.f32.dense", False, source)])["map2.add.f32.dense"]
        bytes_before = first.path.read_bytes()
        first.path.write_bytes(b"not SPIR-V at all")
        again = toolbox.compile([("map2.add.f32.dense", False, source)])["map2.add.f32.dense"]
        self.assertEqual(again, first)
        self.assertEqual(again.path.read_bytes(), bytes_before)

    def test_modules_validate(self):
        shard = Toolbox().decompress((self.out / "pack" / "map2.spv.zst").read_bytes())
        for key, row in self.rows()[2].items():
            module = shard[int(row["offset"]) : int(row["offset"]) + int(row["bytes"])]
            command = ["spirv-val", "--target-env", "vulkan1.2", "--scalar-block-layout", "-"]
            result = subprocess.run(command, input=module, capture_output=True, check=False)
            self.assertEqual(result.returncode, 0, f"{key}: {result.stderr.decode()}")

    def test_stats(self):
        self.assertRegex(self.good("stats"), r"all +26 +26 +\d+ +\d+")
