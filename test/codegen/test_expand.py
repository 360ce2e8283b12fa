"""Keys, types, capabilities and vector widths of variants, and the GLSL written for them."""

import random

from codegen import catalog, emit, expand, glsl
from codegen.__main__ import Project
from codegen.source import CatalogError
from test.codegen.support import KernelsCase


class Expansion(KernelsCase):
    def test_keys_are_sorted_and_complete(self):
        keys = [variant.key for variant in expand.expand(catalog.load(self.kernels)[1])]
        self.assertEqual(keys, sorted(keys))
        self.assertIn("map2.add.f32.dense", keys)
        self.assertIn("map2.add.f32.scalar", keys)
        self.assertIn("map2.axpy.f64.dense", keys)
        self.assertNotIn("map2.axpy.f64.scalar", keys)

    def test_order_of_families_and_ops_does_not_matter(self):
        families = catalog.load(self.kernels)[1]
        keys = [variant.key for variant in expand.expand(families)]
        lines = (self.kernels / "catalog/map2.yaml").read_text().splitlines()
        head, ops = lines[: lines.index("ops:") + 1], lines[lines.index("ops:") + 1 :]
        random.Random(7).shuffle(ops)
        self.write("catalog/map2.yaml", "\n".join(head + ops) + "\n")
        self.assertEqual([variant.key for variant in expand.expand(catalog.load(self.kernels)[1])], keys)

    def test_types_of_operands(self):
        self.map2(
            "ops:",
            "  plain: {types: [f32], expr: a}",
            "  named: {types: [f32], out: u8, expr: a}",
            "  by_type: {types: [u8, f32], out: {int: u32, float: f64}, expr: a}",
            "  pair: {types: [f32-s32], expr: a}",
            "  whole: {types: [f32-s32-f64], expr: a}",
            "  fixed: {types: [b32], operands: [u8, t], expr: b}",
        )
        shapes = {
            key: tuple(dtype.name for dtype in (*variant.signature.inputs, variant.signature.out))
            for key, variant in self.variants().items()
        }
        self.assertEqual(
            shapes,
            {
                "map2.plain.f32.dense": ("f32", "f32", "f32"),
                "map2.named.f32.dense": ("f32", "f32", "u8"),
                "map2.by_type.u8.dense": ("u8", "u8", "u32"),
                "map2.by_type.f32.dense": ("f32", "f32", "f64"),
                "map2.pair.f32-s32.dense": ("f32", "f32", "s32"),
                "map2.whole.f32-s32-f64.dense": ("f32", "s32", "f64"),
                "map2.fixed.b32.dense": ("u8", "b32", "b32"),
            },
        )

    def test_the_narrower_selector_wins(self):
        self.map2(
            "ops:",
            "  f:",
            "    types: [u8, s32, s64, f32, f64, f32-s32, f32-u8, b32]",
            "    expr: {int: i, sint: s, s64: long, float: f, f64: d, float-int: fi, f32-u8: fu, bits: bits}",
        )
        found = {key.split(".")[2]: variant.expr for key, variant in self.variants().items()}
        self.assertEqual(
            found,
            {
                "u8": "i",
                "s32": "s",
                "s64": "long",
                "f32": "f",
                "f64": "d",
                "f32-s32": "fi",
                "f32-u8": "fu",
                "b32": "bits",
            },
        )

    def test_sums_and_products_of_sets(self):
        self.map2(
            "sets: {ints: [s32, u8], floats: [bf16, f32]}",
            "ops:",
            "  f: {types: ints+floats, expr: {int: i, float: f}}",
            "  g: {types: ints-floats, expr: a}",
            "  h: {types: ints-ints, expr: a}",
        )
        found = {key[5:-6]: variant.expr for key, variant in self.variants().items()}
        self.assertEqual(
            found,
            {
                "f.bf16": "f",
                "f.f32": "f",
                "f.s32": "i",
                "f.u8": "i",
                **{f"g.{pair}": "a" for pair in ("s32-bf16", "s32-f32", "u8-bf16", "u8-f32")},
                **{f"h.{pair}": "a" for pair in ("s32-u8", "u8-s32")},
            },
        )

    def test_elems(self):
        variants = self.variants()
        expected = {"add.f32": 4, "add.f64": 2, "add.u8": 16, "equal.f32": 4, "equal.f64": 4, "equal.u8": 16}
        for name, elems in expected.items():
            self.assertEqual(variants[f"map2.{name}.dense"].elems, elems, name)
        self.map2("ops:", "  move: {types: [b8, b64, b128], expr: a}")
        self.assertEqual([variant.elems for _, variant in sorted(self.variants().items())], [1, 2, 16])  # b128, b64, b8

    def test_caps(self):
        self.map2("ops:", "  f: {types: [f32, f64, s64], out: u8, expr: a, caps: {f32: [int64]}}")
        caps = {key: variant.caps for key, variant in self.variants().items()}
        self.assertEqual(caps["map2.f.f32.dense"], ("int64", "storage8"))
        self.assertEqual(caps["map2.f.f64.dense"], ("float64", "storage8"))
        self.assertEqual(caps["map2.f.s64.dense"], ("int64", "storage8"))

    def test_tables(self):
        texts = Project(self.kernels).tables()
        self.assertEqual(texts, Project(self.kernels).tables())
        self.assertIn(
            b'NXV_VARIANT("map2.equal.f64.dense", "equal", "f64", "dense", kCapFloat64 | kCapStorage8, 4, "u8")\n',
            texts["catalog.inc"],
        )
        self.assertIn(b'NXV_OP("map2", "add", 2, "add")\n', texts["catalog.inc"])
        self.assertIn(
            b'NXV_ORACLE("map2", "axpy", "f64", 2, (double, double), double, "finite", 0.5, a / 2 * b + a)\n',
            texts["oracle.inc"],
        )
        self.assertIn(
            b'NXV_ORACLE("map2", "add", "s32", 2, (int32_t, int32_t), int32_t, "", 0, a + b)\n', texts["oracle.inc"]
        )
        self.assertIn(b'NXV_TYPE(f64, float_, 64, kCapFloat64, "<f8")\n', texts["types.inc"])
        self.assertIn(b"name: :add,\n", texts["catalog.exs"])

    def test_strings_are_escaped(self):
        self.edit("catalog/map2.yaml", "doc: sum", "doc: 'the \"#{sum}\" \\ of'")
        table, families = catalog.load(self.kernels)
        self.assertIn('doc: "the \\"\\#{sum}\\" \\\\ of"', emit.catalog_exs(table, families))


class Glsl(KernelsCase):
    def text(self, key):
        return glsl.generate(self.variants()[key], glsl.Sources(self.kernels))

    def test_prelude(self):
        text = self.text("map2.equal.f64.scalar")
        lines = text.splitlines()
        self.assertEqual(lines[0], "#version 460")
        for line in (
            "#extension GL_EXT_buffer_reference : require",
            "#extension GL_EXT_shader_8bit_storage : require",
            "#define FAMILY_map2 1",
            "#define OP_equal 1",
            "#define ACCESS_scalar 1",
            "#define INPUTS 2",
            "#define A_TYPE_f64 1",
            "#define B_FLOAT 1",
            "#define A_STORAGE double",
            "#define Z_TYPE_u8 1",
            "#define Z_COMPUTE uint",
            "#define Z_UINT 1",
            "#define Z_STORE(x) uint8_t(x)",
            "#define A_LOAD(x) (x)",
            "#define Z_BITS 8",
            "#define ELEMS 4",
            "Z_COMPUTE op(A_COMPUTE a, B_COMPUTE b) { return Z_COMPUTE(a == b); }",
        ):
            self.assertIn(line, lines)
        self.assertNotIn("C_TYPE", text)
        self.assertNotIn("int64", text)

    def test_narrow_floats_are_converted(self):
        self.map2("ops:", "  f: {types: [bf16], expr: a}")
        text = self.text("map2.f.bf16.dense")
        for line in (
            "#define A_FLOAT 1",
            "#define A_COMPUTE float",
            "#define A_LOAD(x) bf16_to_float(uint(x))",
            "#define A_DECODE(x) bf16_to_float(x)",
            "#define Z_STORE(x) uint16_t(float_to_bf16(x))",
            "#define Z_ENCODE(x) float_to_bf16(x)",
        ):
            self.assertIn(line, text.splitlines())

    def test_int64_only_where_it_is_a_capability(self):
        self.assertIn("explicit_arithmetic_types_int64", self.text("map2.add.s64.dense"))
        self.assertNotIn("int64", self.text("map2.add.f32.dense"))
        self.assertNotIn("explicit_arithmetic_types_int8", self.text("map2.add.u8.dense"))

    def test_defines_and_extensions(self):
        self.map2(
            "defines: {COMBINE: {int: a | b, float: a + b}, MARK: '1'}",
            "ops:",
            "  f: {types: [f32, s32], expr: a, defines: {MARK: '2'}, extensions: [GL_KHR_shader_subgroup_basic]}",
        )
        text = self.text("map2.f.s32.dense")
        self.assertIn("#define COMBINE a | b\n", text)
        self.assertIn("#define MARK 2\n", text)
        self.assertIn("#extension GL_KHR_shader_subgroup_basic : require\n", text)
        self.assertIn("#define COMBINE a + b\n", self.text("map2.f.f32.dense"))

    def test_includes_stand_in_place(self):
        self.write("lib/twice.glsl", "TWICE\n")
        self.write("lib/half.glsl", '#pragma once\nHALF\n#include "twice.glsl"\n')
        self.write("map2.comp", 'BEFORE\n#include "half.glsl"\n#include "twice.glsl"\nAFTER\n')
        text = self.text("map2.add.f32.dense")
        self.assertNotIn("#include", text)
        self.assertNotIn("pragma", text)
        self.assertEqual(text.count("HALF"), 1)  # named by the catalog and by the template
        self.assertEqual(text.count("TWICE"), 2)
        self.assertIn('#line 4 "kernels/map2.comp"\nAFTER\n', text)
        self.assertNotIn(str(self.folder), text)

    def test_missing_and_circular_includes(self):
        self.write("map2.comp", '\n#include "nowhere.glsl"\n')
        with self.assertRaisesRegex(CatalogError, "^kernels/map2.comp:2: no file nowhere.glsl"):
            self.text("map2.add.f32.dense")
        self.write("map2.comp", '#include "map2.comp"\n')
        with self.assertRaisesRegex(CatalogError, "^kernels/map2.comp:1: map2.comp includes itself"):
            self.text("map2.add.f32.dense")
