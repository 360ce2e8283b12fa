"""nxv snapshot: what is written verifies, and what is changed, lost or cut short is found."""

import unittest

from support import ROOT, Case


class Snapshot(Case):
    def written(self, *arguments):
        self.ok("snapshot", "write", "all.tsv", *arguments)
        return (self.folder / "all.tsv").read_text().splitlines(keepends=True)

    def verify(self, lines, *arguments):
        (self.folder / "changed.tsv").write_text("".join(lines))
        done = self.nxv("snapshot", "verify", "changed.tsv", *arguments)
        self.assertEqual(done.stderr, "")
        said = done.stdout.splitlines()
        counts = [int(word) for word in said[-1].split() if word.isdigit()]
        self.assertEqual(said[-1], "%d passed, %d failed, %d skipped" % tuple(counts))
        return done.returncode, counts, said

    def test_form(self):
        lines = self.written("--only", "reduce.sum.")
        self.assertEqual(lines[0], "# nxv snapshot 1\n")
        self.assertEqual([line.split()[1] for line in lines[1:4]], ["device", "driver", "pack"])
        of = {line.split("\t")[0]: line.split("\t")[1:] for line in lines[4:-1]}
        self.assertEqual(list(of), sorted(of))
        self.assertEqual(lines[-1], "# end %d\n" % len(of))
        # Loop bodies for both sorts of device give the same bits, and there is no other reason for two to agree.
        for key in of:
            # Long runs of narrow floats go through f32, at other lengths on either sort.
            narrow = key.split(".")[2] in ("bf16", "f16", "f8", "f8_e4m3fn")
            if key.endswith(".row") and not narrow:
                self.assertEqual(of[key], of[key.replace(".row", ".serial_row")], key)
        floats = [of[key][0] for key in of if key.startswith("reduce.sum.f") and ".serial" in key]
        self.assertEqual(len(set(floats)), len(floats))

    def test_other_keys_do_not_matter(self):
        alone = self.written("--only", "map2.add.f32.dense")
        self.assertIn(alone[4], self.written("--only", "map2.add"))
        recorded = (ROOT / "test" / "data" / "snapshot.tsv").read_text()
        self.assertIn(alone[4], recorded)

    def test_round_trip_and_every_difference(self):
        lines = self.written("--only", "f32.dense", "--all")
        only = ("--only", "f32.dense")
        status, counts, said = self.verify(lines, *only)
        self.assertEqual((status, counts[1], counts[2]), (0, 0, 0), said)
        index = {line.split("\t")[0]: at for at, line in enumerate(lines)}
        changed = list(lines)
        key, digest, subnormal = changed[index["map2.add.f32.dense"]].split("\t")
        changed[index[key]] = "\t".join([key, digest[::-1], subnormal])
        key, digest, subnormal = changed[index["map1.abs.f32.dense"]].split("\t")
        changed[index[key]] = "\t".join([key, digest, subnormal.rstrip("\n")[::-1] + "\n"])
        changed[index["map2.less.f32.dense"]] = changed[index["map2.less.f32.dense"]].replace("less", "gone")
        passed = counts[0]
        status, counts, said = self.verify(changed, *only)
        self.assertEqual((status, counts[1]), (1, 4), said)
        self.assertEqual(counts[0], passed - 4)
        self.assertTrue(any(line.startswith("differs: map2.add.f32.dense gives ") for line in said), said)
        self.assertTrue(any(line.startswith("differs for subnormals: map1.abs.f32.dense ") for line in said), said)
        self.assertIn("missing: map2.gone.f32.dense is recorded, but not in the pack", said)
        self.assertIn("new: map2.less.f32.dense is in the pack, but not recorded", said)

    def test_products_are_those_of_one_device(self):
        self.written("--only", "dot.dot.s32.")
        lines = self.written("--only", "dot.dot.s32.", "--all")
        self.assertEqual(len(lines), 4 + 6 + 1)
        self.assertEqual(self.verify(lines, "--only", "dot.dot.s32.", "--all")[1], [6, 0, 0])
        status, counts, said = self.verify(lines, "--only", "dot.dot.s32.")
        self.assertEqual((status, counts), (0, [0, 0, 6]))
        self.assertIn("skipped: dot gives the bits of one device; --all takes it in: 6", said)
        lines[1] = "# device another\n"
        status, counts, said = self.verify(lines, "--only", "dot.dot.s32.", "--all")
        self.assertEqual((status, counts), (0, [0, 0, 6]))
        self.assertIn("skipped: the bits of one device, recorded on another: 6", said)

    def test_damaged_files(self):
        lines = [
            "# nxv snapshot 1\n",
            "# device d\n",
            "# driver d\n",
            "# pack p\n",
            "map2.add.f32.dense\t%s\t-\n" % ("0" * 32),
            "# end 1\n",
        ]
        for kept, said in [(0, "is not a snapshot"), (3, "its pack"), (5, "is cut short"), (4, "is cut short")]:
            (self.folder / "cut.tsv").write_text("".join(lines[:kept]))
            self.assertIn(said, self.refused("snapshot", "verify", "cut.tsv"))
        (self.folder / "cut.tsv").write_text("".join(lines)[:-1])
        self.assertIn("cut.tsv is cut short", self.refused("snapshot", "verify", "cut.tsv"))
        (self.folder / "cut.tsv").write_text("".join(lines[:4]) + lines[4][:30] + "\n# end 1\n")
        self.assertIn("damaged at line 5", self.refused("snapshot", "verify", "cut.tsv"))
        self.assertIn("absent.tsv", self.refused("snapshot", "verify", "absent.tsv"))
        self.assertIn("cannot be written", self.refused("snapshot", "write", "no/such/folder.tsv"))


if __name__ == "__main__":
    unittest.main()
