"""The translation of the GLSL library to C++."""

import unittest

from codegen import mirror


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
