"""What is wrong with a catalog is said with file and line."""

from test.codegen.support import KernelsCase

HERE = "kernels/catalog/map2.yaml"


class SchemaErrors(KernelsCase):
    def test_the_fixtures_are_good(self):
        self.assertEqual(len(self.variants()), 26)

    def one_error(self, lines, expected):
        self.map2(*lines)
        self.assertEqual(self.errors(), [expected])

    def test_duplicate_key(self):
        self.one_error(
            ["ops:", "  add: {types: [f32], expr: a + b}", "  add: {types: [f32], expr: a - b}"],
            f"{HERE}:6: duplicate key add",
        )

    def test_unknown_family_field(self):
        self.map2("accesses: [dense]", "ops: {add: {types: [f32], expr: a}}")
        self.assertIn(f"{HERE}:4: unknown field accesses in the family", self.errors()[0])

    def test_unknown_op_field(self):
        self.map2("ops:", "  add:", "    types: [f32]", "    exprs: a + b")
        self.assertIn(f"{HERE}:7: unknown field exprs in op add", self.errors()[0])

    def test_unknown_type(self):
        self.map2("ops:", "  add: {types: [f32, f31], expr: a}")
        self.assertIn(f"{HERE}:5: unknown type f31; known are u2, ", self.errors()[0])

    def test_unknown_type_of_out(self):
        self.map2("ops:", "  add: {types: [f32], out: f31, expr: a}")
        self.assertIn(f"{HERE}:5: unknown type f31", self.errors()[0])

    def test_unknown_set(self):
        self.one_error(["ops:", "  add: {types: numeric, expr: a}"], f"{HERE}:5: unknown set numeric; known are none")

    def test_unused_set(self):
        self.one_error(
            ["sets:", "  floats: [f32]", "ops:", "  add: {types: [f32], expr: a}"], f"{HERE}:5: unused set floats"
        )

    def test_type_twice(self):
        self.one_error(["ops:", "  add: {types: [f32, f32], expr: a}"], f"{HERE}:5: f32 stands twice in types")

    def test_missing_types(self):
        self.one_error(["ops:", "  add: {expr: a}"], f"{HERE}:5: op add lacks the field types")

    def test_missing_inputs(self):
        self.write("catalog/map2.yaml", "family: map2\naccess: [dense]\nops: {add: {types: [f32]}}\n")
        self.assertEqual(self.errors(), [f"{HERE}:1: the family lacks the field inputs"])

    def test_unknown_access(self):
        self.one_error(
            ["ops:", "  add: {types: [f32], expr: a, access: [dense, zigzag]}"],
            f"{HERE}:5: unknown access zigzag; the family has dense",
        )

    def test_missing_include(self):
        self.one_error(
            ["ops:", "  add: {types: [f32], expr: a, include: [nowhere.glsl]}"],
            f"{HERE}:5: no file kernels/lib/nowhere.glsl",
        )

    def test_missing_template(self):
        self.write("catalog/map9.yaml", "family: map9\ninputs: 1\naccess: [dense]\nops: {a: {types: [f32]}}\n")
        self.assertEqual(self.errors(), ["kernels/catalog/map9.yaml:1: no template kernels/map9.comp"])

    def test_family_in_another_file(self):
        self.write("catalog/map9.yaml", "family: map2\ninputs: 1\naccess: [dense]\nops: {a: {types: [f32]}}\n")
        self.assertIn("kernels/catalog/map9.yaml:1: family map2 stands in map9.yaml", self.errors())

    def test_unknown_capability(self):
        self.map2("ops:", "  add: {types: [f32], expr: a, caps: [warp]}")
        self.assertIn(f"{HERE}:5: unknown capability warp; known are ", self.errors()[0])

    def test_map_with_a_hole(self):
        self.one_error(
            ["ops:", "  add: {types: [f32, s32], expr: {float: a}}"], f"{HERE}:5: op add: expr says nothing for s32"
        )

    def test_map_key_nobody_takes(self):
        self.one_error(
            ["ops:", "  add:", "    types: [f32]", "    expr:", "      float: a", "      sint: b"],
            f"{HERE}:9: op add: no variant takes expr of sint",
        )

    def test_map_key_that_is_no_type(self):
        self.one_error(
            ["ops:", "  add: {types: [f32], expr: {floaty: a}}"], f"{HERE}:5: neither a type nor a kind: floaty"
        )

    def test_wrong_count_of_types(self):
        self.edit("catalog/map2.yaml", "inputs: 2", "inputs: 3")
        self.edit("catalog/map2.yaml", "[f32, f64], expr", "[f32-f64-f32], expr")
        self.assertEqual(self.errors(), [f"{HERE}:10: op axpy: f32-f64-f32 names 3 types, the family has 3 inputs"])

    def test_wrong_count_of_operands(self):
        self.one_error(
            ["ops:", "  add: {types: [f32], expr: a, operands: [u8, t, t]}"],
            f"{HERE}:5: op add: operands must list 2 types",
        )

    def test_out_named_twice(self):
        self.one_error(
            ["ops:", "  add: {types: [f32-s32], out: u8, expr: a}"],
            f"{HERE}:5: op add: f32-s32 names its output already",
        )

    def test_bad_names(self):
        self.one_error(["ops:", "  Add: {types: [f32], expr: a}"], f"{HERE}:5: not a name for an op: Add")

    def test_bad_ulp(self):
        self.one_error(["ops:", "  add: {types: [f32], expr: a, ulp: few}"], f"{HERE}:5: ulp must be a number")

    def test_ref_without_expr(self):
        self.one_error(["ops:", "  add: {types: [f32], ref: a}"], f"{HERE}:5: op add has a ref but no expr")

    def test_bad_contract(self):
        self.one_error(["contract: yes", "ops: {add: {types: [f32]}}"], f"{HERE}:4: contract must be true or false")

    def test_not_yaml(self):
        self.map2("ops: {add: [", "  oh")
        self.assertRegex(self.errors()[0], f"^{HERE}:[67]: not YAML: ")

    def test_empty_file(self):
        self.write("catalog/map2.yaml", "")
        self.assertEqual(self.errors(), [f"{HERE}:1: the file is empty"])

    def test_an_op_in_two_families(self):
        self.write("map1.comp", "void main() {}\n")
        self.write(
            "catalog/map1.yaml", "family: map1\ninputs: 1\naccess: [dense]\nops:\n  add: {types: [f32], expr: a}\n"
        )
        self.assertEqual(self.errors(), [f"{HERE}:8: op add stands in kernels/catalog/map1.yaml:5 already"])

    def test_all_ops_are_looked_at(self):
        self.map2("ops:", "  one: {types: [f31], expr: a}", "  two: {types: [f30], expr: a}")
        self.assertEqual([error.split(";")[0] for error in self.errors()],
                         [f"{HERE}:5: unknown type f31", f"{HERE}:6: unknown type f30"])  # fmt: skip

    def test_type_table(self):
        self.edit("catalog/dtypes.yaml", "kind: float, bits: 64", "kind: flat, bits: 64")
        self.assertRegex(self.errors()[0], r"^kernels/catalog/dtypes.yaml:\d+: unknown kind flat; known are ")

    def test_a_narrow_float_has_both_conversions(self):
        self.edit("catalog/dtypes.yaml", "encode: float_to_f16(x), ", "")
        self.assertRegex(
            self.errors()[0], r"^kernels/catalog/dtypes.yaml:\d+: type f16 needs decode and encode, or load"
        )

    def test_sums_and_products_of_unknown_sets(self):
        for types in ("ints+floats", "ints-floats", "ints-ints-ints"):
            self.map2("sets: {ints: [s32, u8]}", "ops:", f"  f: {{types: {types}, expr: a}}")
            self.assertEqual(self.errors()[0].split(";")[0].split("set ")[0], f"{HERE}:6: unknown ", types)

    def test_type_table_duplicate(self):
        self.edit("catalog/dtypes.yaml", "  f64:", "  f32:")
        self.assertRegex(self.errors()[0], r"^kernels/catalog/dtypes.yaml:\d+: duplicate key f32")

    def test_an_op_of_another_ones_kernels(self):
        self.map2("ops:", "  move: {types: [f32]}", "  slice: {kernel: move, nx: slice}")
        self.assertEqual(list(self.variants()), ["map2.move.f32.dense"])
        self.map2("ops:", "  move: {types: [f32]}", "  slice: {kernel: moves}")
        self.assertEqual(self.errors(), [f"{HERE}:6: op slice: moves is no op of the family with variants of its own"])
        self.map2("ops:", "  move: {types: [f32]}", "  slice: {kernel: move, types: [f32]}")
        self.assertIn(f"{HERE}:6: unknown field types in op slice", self.errors()[0])
