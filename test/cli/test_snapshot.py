"""nxv snapshot: what is written verifies, and what is changed, lost or cut short is found."""

import unittest

from support import Case


class Snapshot(Case):
    @classmethod
    def setUpClass(cls):
        # A run takes every kernel of the pack: one file serves all tests.
        cls.text = None

    def written(self):
        if Snapshot.text is None:
            self.ok("snapshot", "write", "all.tsv", "--all")
            Snapshot.text = (self.folder / "all.tsv").read_text()
        return Snapshot.text.splitlines(keepends=True)

    def verify(self, lines, *arguments):
        (self.folder / "changed.tsv").write_text("".join(lines))
        done = self.nxv("snapshot", "verify", "changed.tsv", *arguments)
        self.assertEqual(done.stderr, "")
        said = done.stdout.splitlines()
        counts = [int(word) for word in said[-1].split() if word.isdigit()]
        self.assertEqual(said[-1], "%d passed, %d failed, %d skipped" % tuple(counts))
        return done.returncode, counts, said

    def test_form(self):
        lines = self.written()
        self.assertEqual(lines[0], "# nxv snapshot 1\n")
        self.assertEqual([line.split()[1] for line in lines[1:4]], ["device", "driver", "pack"])
        keys = [line.split("\t")[0] for line in lines[4:-1]]
        self.assertEqual(keys, sorted(keys))
        self.assertEqual(lines[-1], "# end %d\n" % len(keys))
        digests = [line.split("\t")[1] for line in lines[4:-1]]
        self.assertGreater(len(set(digests)), len(digests) * 3 // 4)
        # Loop bodies for both sorts of device give the same bits.
        of = dict(zip(keys, digests))
        for key in keys:
            if key.startswith("reduce.") and key.endswith(".row"):
                self.assertEqual(of[key], of[key.replace(".row", ".serial_row")], key)

    def test_round_trip_and_every_difference(self):
        lines = self.written()
        status, counts, said = self.verify(lines, "--all")
        self.assertEqual((status, counts[1], counts[2]), (0, 0, 0), said)
        index = {line.split("\t")[0]: at for at, line in enumerate(lines)}
        changed = list(lines)
        key, digest, subnormal = changed[index["map2.add.f32.dense"]].split("\t")
        changed[index[key]] = "\t".join([key, digest[::-1], subnormal])
        key, digest, subnormal = changed[index["map1.abs.f32.dense"]].split("\t")
        changed[index[key]] = "\t".join([key, digest, subnormal.rstrip("\n")[::-1] + "\n"])
        changed[index["map2.add.s32.dense"]] = changed[index["map2.add.s32.dense"]].replace("add.s32", "add.q32")
        passed = counts[0]
        status, counts, said = self.verify(changed)
        self.assertEqual((status, counts[1]), (1, 4), said)
        self.assertLess(counts[0], passed)
        self.assertTrue(any(line.startswith("differs: map2.add.f32.dense gives ") for line in said), said)
        self.assertTrue(any(line.startswith("differs for subnormals: map1.abs.f32.dense ") for line in said), said)
        self.assertIn("missing: map2.add.q32.dense is recorded, but not in the pack", said)
        self.assertIn("new: map2.add.s32.dense is in the pack, but not recorded", said)
        self.assertIn("skipped: dot gives the bits of one device; --all takes it in: 36", said)

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
