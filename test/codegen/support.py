"""A kernels folder of a test's own: the fixtures with the project's type table."""

import shutil
import tempfile
import unittest
from pathlib import Path

from codegen import catalog, expand
from codegen.source import CatalogErrors
from codegen.toolbox import ROOT

FIXTURES = ROOT / "test" / "codegen" / "fixtures" / "kernels"
HAS_TOOLCHAIN = Path("/usr/include/glslang/Public/ShaderLang.h").is_file() and shutil.which("g++") is not None
needs_toolchain = unittest.skipUnless(HAS_TOOLCHAIN, "no glslang-dev here: the reference toolchain is Debian 13's")


class KernelsCase(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="nxv_codegen_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.kernels = self.folder / "kernels"
        self.out = self.folder / "generated"
        shutil.copytree(FIXTURES, self.kernels)
        shutil.copy(ROOT / "kernels" / "catalog" / "dtypes.yaml", self.kernels / "catalog")

    def write(self, path, text):
        (self.kernels / path).write_text(text, "utf-8")

    def edit(self, path, old, new):
        text = (self.kernels / path).read_text("utf-8")
        self.assertIn(old, text)
        self.write(path, text.replace(old, new, 1))

    def map2(self, *lines):
        """Replaces map2.yaml by a family of these lines."""
        self.write("catalog/map2.yaml", "\n".join(("family: map2", "inputs: 2", "access: [dense]", *lines)) + "\n")

    def variants(self):
        return {variant.key: variant for variant in expand.expand(catalog.load(self.kernels)[1])}

    def errors(self):
        with self.assertRaises(CatalogErrors) as caught:
            catalog.load(self.kernels)
        return [str(error) for error in caught.exception.errors]
