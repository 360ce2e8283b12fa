"""The translation of the GLSL library to C++."""

import unittest

from codegen import catalog, emit, glsl, mirror
from test.codegen.support import KernelsCase


class OwnReference(KernelsCase):
    def test_a_ref_by_kind_leaves_the_other_types_to_the_library(self):
        self.write("lib/double.glsl", "float twice(float a) { return a + a; }\n")
        op = (
            "  twice: {types: [f32, s32], include: [double.glsl], "
            'expr: {float: twice(a), int: a * 2}, ref: {int: "a << 1"}}'
        )
        self.map2("ops:", op)
        families = catalog.load(self.kernels)[1]
        text = mirror.library(families, glsl.Sources(self.kernels))
        self.assertIn("float twice_f32(float a, float b) { return twice(a); }", text)
        self.assertNotIn("twice_s32", text)
        rows = emit.oracle_inc(families)
        self.assertIn("glsl::twice_f32(a, b))", rows)
        self.assertIn("a << 1)", rows)

    def test_an_op_without_files_needs_a_ref_for_every_type(self):
        self.map2("ops:", "  twice: {types: [f32, s32], expr: a + a, ref: {int: a + a}}")
        (error,) = self.errors()
        self.assertIn("ref says nothing for f32", error)


class Translate(unittest.TestCase):
    def test_literals_keep_their_type(self):
        self.assertEqual(mirror.translate(["a = 1.5 + 2e3 + .5 * x1.y;"]), "a = 1.5f + 2e3f + .5f * x1.y;\n")
        self.assertEqual(
            mirror.translate(["a = 1.5lf + 1e-3LF; b = 3u + 0x1fu + 7;"]), "a = 1.5 + 1e-3; b = 3u + 0x1fu + 7;\n"
        )

    def test_out_parameters_are_references(self):
        line = "void split(in float a, out float high, inout uvec2 low) {"
        self.assertEqual(mirror.translate([line]), "void split(float a, float& high, uvec2& low) {\n")

    def test_array_constructors_are_braces(self):
        lines = ["const float kTable[2] = float[2](", "  (1.0),  // one", "  2.0);"]
        self.assertEqual(mirror.translate(lines), "const float kTable[2] = {\n  (1.0f),\n  2.0f};\n")

    def test_conditions_stay_and_lines_go(self):
        lines = ['#line 1 "x"', "#ifdef HAS_DOUBLE", "double f(double x);", "#endif"]
        self.assertEqual(mirror.translate(lines), "#ifdef HAS_DOUBLE\ndouble f(double x);\n#endif\n")


if __name__ == "__main__":
    unittest.main()
