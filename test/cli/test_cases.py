"""nxv cases: counting, comparing, both formats, skips; nxv bench's output."""

import json
import os
import pty
import struct
import subprocess

from support import NXV, Case


def tensor(type, shape, values):
    return {"type": type, "shape": list(shape), "values": values}


def in_hex(type, shape, values):
    format = {"f32": "f", "s32": "i", "u8": "B"}[type]
    data = b"".join(struct.pack("<" + format, v) for v in values)
    return {"type": type, "shape": list(shape), "hex": data.hex()}


def case(op, inputs, output, tol=None, opts=None, **more):
    entry = {"id": "t-" + op, "op": op, "opts": opts or {}, "inputs": inputs, "output": [output]}
    return {**entry, "tol": tol or {"kind": "exact", "value": 0}, **more}


class Cases(Case):
    def replay(self, *cases, arguments=()):
        lines = [json.dumps({**c, "id": "%s-%d" % (c["id"], i)}) + "\n" for i, c in enumerate(cases)]
        (self.folder / "cases.jsonl").write_text("".join(lines))
        done = self.nxv("cases", "cases.jsonl", *arguments)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        counts = [int(word) for word in lines[-1].split() if word.isdigit()]
        self.assertEqual(lines[-1], "%d passed, %d failed, %d skipped" % tuple(counts))
        self.assertEqual(done.returncode, 1 if counts[1] else 0)
        return counts, lines[:-1]

    def test_both_formats(self):
        hexadecimal = case(
            "add", [in_hex("f32", [2], [1, 2]), in_hex("f32", [], [0.5])], in_hex("f32", [2], [1.5, 2.5])
        )
        values = case(
            "negate", [tensor("f32", [3], [0.0, "NaN", "Infinity"])], tensor("f32", [3], [0, "NaN", "-Infinity"])
        )
        gen = {"type": "s32", "shape": [2, 100], "gen": {"kind": "iota", "start": 1, "step": 1}}
        made = case("sum", [gen], tensor("s32", [2], [5050, 15050]), opts={"axes": [-1]})
        steps = [{"op": "transpose", "opts": {"axes": [1, 0]}}, {"op": "add", "opts": {}, "extra": [1]}]
        inputs = [tensor("s32", [2, 2], [1, 2, 3, 4]), tensor("s32", [], [10])]
        chain = case("chain", inputs, tensor("s32", [2, 2], [11, 13, 12, 14]), opts={"steps": steps})
        self.assertEqual(self.replay(hexadecimal, values, made, chain)[0], [4, 0, 0])

    def test_failures_are_named(self):
        wrong = case("add", [in_hex("s32", [2], [1, 2]), in_hex("s32", [2], [1, 1])], in_hex("s32", [2], [2, 4]))
        counts, lines = self.replay(wrong)
        self.assertEqual(counts, [0, 1, 0])
        self.assertEqual(lines, ["failed: t-add-0 (add): element [1] is 3, wanted 4 (1 of 2 differ)"])

    def test_every_tolerance_can_fail(self):
        one = in_hex("f32", [1], [1.0])
        near = {"type": "f32", "shape": [1], "hex": "0200803f"}  # two steps above
        zero = [in_hex("f32", [1], [0.0])]
        for tol, good in [
            ({"kind": "exact", "value": 0}, False),
            ({"kind": "ulp", "value": 1}, False),
            ({"kind": "ulp", "value": 2}, True),
            ({"kind": "rel", "value": 1e-7}, False),
            ({"kind": "rel", "value": 1e-6}, True),
            ({"kind": "rel", "value": 0, "abs": 1e-6}, True),
        ]:
            counts, _ = self.replay(case("add", [near, *zero], one, tol))
            self.assertEqual(counts, [1, 0, 0] if good else [0, 1, 0], tol)

    def test_signs_of_zero(self):
        minus = [tensor("f32", [1], [-0.0])]
        keep = {"kind": "exact", "value": 0, "zero_sign": True}
        self.assertEqual(self.replay(case("abs", minus, tensor("f32", [1], [-0.0])))[0], [1, 0, 0])
        self.assertEqual(self.replay(case("abs", minus, tensor("f32", [1], [-0.0]), keep))[0], [0, 1, 0])
        self.assertEqual(
            self.replay(case("abs", [in_hex("f32", [1], [-0.0])], in_hex("f32", [1], [-0.0])))[0], [0, 1, 0]
        )

    def test_skips_are_counted(self):
        unknown = case("frobnicate", [], in_hex("u8", [1], [1]))
        strange = {**tensor("u8", [1], [1]), "type": "u3"}
        untyped = case("add", [strange, strange], strange)
        wraps = case(
            "as_type",
            [tensor("f32", [1], [3e9])],
            tensor("s32", [1], [0]),
            opts={"type": "s32"},
            tags=["float_to_int_out_of_range"],
        )
        counts, lines = self.replay(unknown, unknown, untyped, wraps)
        self.assertEqual(counts, [0, 0, 4])
        self.assertIn("skipped: op frobnicate not in the catalog: 2", lines)
        self.assertIn("skipped: type u3 not in the catalog: 1", lines)
        self.assertIn("skipped: tagged float_to_int_out_of_range: 1", lines)

    def test_filter_and_verbose(self):
        good = case("add", [in_hex("s32", [1], [1]), in_hex("s32", [1], [1])], in_hex("s32", [1], [2]))
        counts, lines = self.replay(good, {**good, "op": "multiply"}, arguments=("--filter", "^add$", "--verbose"))
        self.assertEqual((counts, lines), ([1, 0, 0], ["passed: t-add-0"]))

    def test_wrong_shape_of_the_output(self):
        wrong = case("reshape", [in_hex("s32", [2], [1, 2])], in_hex("s32", [1, 3], [1, 2, 3]), opts={"shape": [1, 2]})
        self.assertEqual(self.replay(wrong)[0], [0, 1, 0])

    def test_bad_files(self):
        for text, said in [
            ("{", "bad.jsonl:1"),
            ("[]\n", "bad.jsonl:1"),
            ('{"id": "x", "op": "add"}\n', "x is not a case"),
        ]:
            (self.folder / "bad.jsonl").write_text(text)
            self.assertIn(said, self.refused("cases", "bad.jsonl"))
        self.assertIn("absent.jsonl", self.refused("cases", "absent.jsonl"))
        (self.folder / "bad.jsonl").write_text("")
        self.assertIn("--filter", self.refused("cases", "bad.jsonl", "--filter", "("))

    def test_progress_on_a_terminal(self):
        good = case("add", [in_hex("s32", [1], [1]), in_hex("s32", [1], [1])], in_hex("s32", [1], [2]))
        (self.folder / "cases.jsonl").write_text(json.dumps(good) + "\n")
        ours, theirs = pty.openpty()
        done = subprocess.run([NXV, "cases", "cases.jsonl"], cwd=self.folder, stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        shown = os.read(ours, 1000)
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"\r0 of 1 cases", shown)


class Bench(Case):
    def test_rates(self):
        report = json.loads(self.ok("bench", r"^add\.f32$", "--size", "2^16", "--json"))
        self.assertEqual([row["name"] for row in report["rates"]], ["copy.f32", "add.f32"])
        for row in report["rates"]:
            self.assertEqual(row["elements"], 2**16)
            self.assertGreater(row["gigabytes_per_second"], 0)
        self.assertIn("add.f32 ", self.ok("bench", r"^add\.f32$", "--size", "2^16"))

    def test_refusals(self):
        self.assertIn("--size", self.refused("bench", "--size", "1000"))
        self.assertIn("regular expression", self.refused("bench", "("))
