"""script/check_includes must fail on each kind of wrong include, and only then."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "script" / "check_includes"


def load():
    loader = importlib.machinery.SourceFileLoader("check_includes", str(SCRIPT))
    spec = importlib.util.spec_from_loader("check_includes", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


GOOD = {
    "runtime/core/a.h": "#pragma once\n",
    "runtime/core/a.cc": '#include "runtime/core/a.h"\n#include <vector>\n#include <zstd.h>\n',
    "runtime/ops/b.h": '#include "runtime/core/a.h"\n',
    "nif/c.cc": '#include <erl_nif.h>\n#include "runtime/ops/b.h"\n',
    "kernels/map1.comp": '#include "index.glsl"\n',
    "kernels/lib/index.glsl": "// nothing\n",
    "codegen/d.py": "import pathlib\n",
}


class CheckIncludes(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return load().check(root)[0]

    def assert_one(self, files, text):
        problems = self.check({**GOOD, **files})
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(text, problems[0])

    def test_a_right_tree_has_no_problem(self):
        self.assertEqual(self.check(GOOD), [])

    def test_core_may_not_include_ops(self):
        self.assert_one(
            {"runtime/core/x.cc": '\n#include "runtime/ops/b.h"\n'},
            "runtime/core/x.cc:2: runtime/core may not include runtime/ops/b.h",
        )

    def test_ops_may_not_include_nif(self):
        self.assert_one({"nif/n.h": "", "runtime/ops/x.cc": '#include "nif/n.h"\n'}, "may not include nif/n.h")

    def test_kernels_may_not_include_the_runtime(self):
        self.assert_one(
            {"kernels/x.comp": '#include "../runtime/core/a.h"\n'}, "kernels may not include runtime/core/a.h"
        )

    def test_an_include_relative_to_the_file_is_refused(self):
        self.assert_one({"runtime/core/x.cc": '#include "a.h"\n'}, "no file a.h")

    def test_only_the_nif_knows_erlang(self):
        self.assert_one({"runtime/core/x.cc": "#include <erl_nif.h>\n"}, "erl_nif.h belongs to nif")

    def test_codegen_may_not_import_generated(self):
        self.assert_one({"codegen/x.py": "from generated import index\n"}, "codegen may not import generated")


if __name__ == "__main__":
    unittest.main()
