"""How large the committed pack may be: packed bytes a family, and all of them. Raise a budget knowingly."""

import unittest

from codegen import pack
from codegen.toolbox import ROOT

KIB = 1024
BUDGETS = {
    "arg": 48 * KIB,
    "cast": 900 * KIB,
    "conv": 64 * KIB,
    "copy": 32 * KIB,
    "dot": 400 * KIB,
    "fill": 64 * KIB,
    "indexed": 160 * KIB,
    "link": 32 * KIB,
    "map1": 3600 * KIB,
    "map2": 2600 * KIB,
    "map3": 320 * KIB,
    "packed": 8 * KIB,
    "reduce": 2400 * KIB,
    "scan": 320 * KIB,
    "sort": 200 * KIB,
    "window": 96 * KIB,
    "window_scatter": 40 * KIB,
}
TOTAL = 12 * KIB * KIB


class Budget(unittest.TestCase):
    def setUp(self):
        text = (ROOT / "generated" / "manifest.tsv").read_text("ascii")
        _, self.shards, self.rows = pack.read_manifest(text)

    def test_each_family_keeps_to_its_budget(self):
        self.assertEqual(sorted(self.shards), sorted(BUDGETS))
        for family, (_, packed) in self.shards.items():
            self.assertLessEqual(packed, BUDGETS[family], family)

    def test_all_families_fit(self):
        self.assertLess(sum(packed for _, packed in self.shards.values()), TOTAL)

    def test_identical_modules_are_stored_once(self):
        for family in self.shards:
            mine = [row for row in self.rows.values() if row["shard"] == family]
            self.assertEqual(
                len({row["offset"] for row in mine}), len({(row["spirv_hash"], row["bytes"]) for row in mine}), family
            )


if __name__ == "__main__":
    unittest.main()
