"""nxv verify: what it tries, how it reports, and what it refuses."""

import json
import os
import pty
import re
import subprocess

from support import NXV, Case


class Verify(Case):
    def test_report(self):
        lines = self.ok("verify", "add", "sqrt", "--samples", "5000").splitlines()
        self.assertEqual(lines[1].split(), ["op", "arguments", "max", "ULP", "bound", "right"])
        rows = {line.split()[0]: line.split()[1:] for line in lines[2:] if re.match(r"(add|sqrt)\.", line)}
        floats = ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"]
        numbers = floats + ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"]
        complexes = [] if any("built without MPC" in line for line in lines) else ["c128", "c64"]
        types = {"add": numbers + complexes, "sqrt": floats + complexes}
        self.assertEqual(sorted(rows), sorted(f"{op}.{t}" for op in types for t in types[op]))
        self.assertEqual(rows["add.u8"], ["65536", "(all)", "0", "0", "all"])
        self.assertEqual(rows["sqrt.f32"][1:], ["(some)", "0", "0", "all"])
        self.assertGreater(int(rows["sqrt.f32"][0]), 5000)
        self.assertTrue(any(line.startswith("this device cannot keep: ") for line in lines))
        judged = 2 * len(complexes)
        self.assertEqual(lines[-1], f"{20 + judged} passed, 0 failed, {4 - judged} skipped")

    def test_json(self):
        report = json.loads(self.ok("verify", "negate", "--samples", "1000", "--json"))
        self.assertEqual((report["passed"], report["failed"]), (14, 0))
        self.assertEqual(list(report["skipped"].values()), [2])  # complex types
        row = next(row for row in report["rows"] if row["types"] == "f32")
        self.assertEqual(row["op"], "negate")
        self.assertEqual((row["max_ulp"], row["bound_ulp"], row["past_the_bound"]), (0, 0, 0))
        self.assertEqual(row["correctly_rounded"] + row["flushed"], row["arguments"])

    def test_refusals(self):
        self.assertIn('did you mean "add"', self.refused("verify", "ad"))
        self.assertIn("no elementwise op", self.refused("verify", "sum"))
        for bad in (("--samples", "0"), ("--samples", "5", "--exhaustive")):
            self.assertEqual(self.nxv("verify", "add", *bad).returncode, 2)

    def test_progress_on_a_terminal(self):
        ours, theirs = pty.openpty()
        done = subprocess.run([NXV, "verify", "floor", "--samples", "100"], stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        shown = os.read(ours, 10000)
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(shown, rb"\r0 of \d+ arguments: floor.f32")
