"""nxv devices and nxv pack."""

import json
import shutil
import time

from support import ROOT, Case


class Devices(Case):
    def test_json(self):
        devices = json.loads(self.ok("devices", "--json"))
        self.assertGreater(len(devices), 0)
        for index, device in enumerate(devices):
            self.assertEqual(device["index"], index)
            self.assertRegex(device["uuid"], r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
            self.assertGreater(device["memory_bytes"], 0)
            for key in ("name", "driver", "vulkan", "features", "cannot_keep", "usable"):
                self.assertIn(key, device)

    def test_text(self):
        seconds = []
        for _ in range(3):
            start = time.monotonic()
            text = self.ok("devices")
            seconds.append(time.monotonic() - start)
        for label in ("driver", "UUID", "memory", "features", "cannot keep"):
            self.assertIn(label, text)
        self.assertLess(min(seconds), 0.5)

    def test_each_way_to_name_one(self):
        device = json.loads(self.ok("devices", "--json"))[0]
        self.write("a.npy", "<f4", (2,), [1.0, 2.0])
        for name in (str(device["index"]), device["name"], device["uuid"], device["name"][:6].lower()):
            self.ok("run", "negate", "--in", "a.npy", "--out", "out.npy", "--device", name)
            self.assertEqual(self.result()[2], [-1.0, -2.0])


class Pack(Case):
    def test_lists(self):
        summary = json.loads(self.ok("pack", "--json"))
        entries = json.loads(self.ok("pack", "list", "--json"))
        self.assertEqual(summary["variants"], len(entries))
        self.assertLessEqual(summary["modules"], len(entries))
        self.assertRegex(summary["digest"], "^[0-9a-f]{32}$")
        self.assertIn("glslang", summary["toolchain"])
        self.assertLess(summary["compressed_bytes"], summary["bytes"])
        lines = self.ok("pack", "list").splitlines()
        self.assertEqual(len(lines), len(entries) + 1)
        added = json.loads(self.ok("pack", "list", "map2.add.f64.dense", "--json"))
        self.assertEqual([(e["key"], e["caps"]) for e in added], [("map2.add.f64.dense", ["float64"])])
        ops = {op["op"]: op for op in json.loads(self.ok("pack", "ops", "--json"))}
        self.assertEqual(ops["add"]["family"], "map2")
        self.assertIn("digest", self.ok("pack"))

    def copy(self):
        shutil.copytree(ROOT / "generated", self.folder / "copy")
        self.write("a.npy", "<f4", (2,), [1.0, 2.0])
        return self.folder / "copy"

    def run_with(self, folder):
        return ("run", "negate", "--in", "a.npy", "--out", "out.npy"), {"NXV_PACK": str(folder)}

    def test_another_folder(self):
        arguments, env = self.run_with(self.copy())
        self.ok(*arguments, env=env)
        self.assertEqual(json.loads(self.ok("pack", "--json", env=env))["origin"], env["NXV_PACK"])

    def test_damaged_shard(self):
        folder = self.copy()
        shard = folder / "pack" / "map1.spv.zst"
        whole = shard.read_bytes()
        for damaged in (whole[: len(whole) // 2], whole[:1000] + b"\x55" * (len(whole) - 1000), b""):
            shard.write_bytes(damaged)
            arguments, env = self.run_with(folder)
            self.assertRegex(self.refused(*arguments, env=env), "map1|pack")

    def test_damaged_manifest(self):
        folder = self.copy()
        manifest = folder / "manifest.tsv"
        whole = manifest.read_bytes()
        for damaged in (b"", whole[: len(whole) // 2], whole.replace(b"\t", b" "), b"\xff" + whole[1:]):
            manifest.write_bytes(damaged)
            arguments, env = self.run_with(folder)
            self.refused(*arguments, env=env)

    def test_no_such_folder(self):
        self.copy()
        arguments, env = self.run_with(self.folder / "nowhere")
        self.assertIn("nowhere", self.refused(*arguments, env=env))
