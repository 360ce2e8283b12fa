"""The native half, codegen/compiler: built on demand with g++, cached by its sources, called as a program."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "codegen" / "compiler"
LIBRARIES = [
    *("-lglslang", "-lMachineIndependent", "-lGenericCodeGen", "-lOSDependent", "-lSPIRV"),
    *("-lglslang-default-resource-limits", "-lSPIRV-Tools-opt", "-lSPIRV-Tools", "-l:libzstd.a", "-lpthread"),
]
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror"]
PACKAGES = "g++ glslang-dev spirv-tools spirv-headers libzstd-dev libxxhash-dev"


class ToolError(Exception):
    """What the native half or its build said."""


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "nx_vulkan"


def digest(*parts):
    """32 hex digits over texts and bytes."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


@dataclass(frozen=True)
class Module:
    """What the compiler says of one variant."""

    spirv_hash: str
    bytes: int
    capabilities: tuple
    interface: str
    push_bytes: int
    local: str  # "64x1x1", or "-" where constants give it
    path: Path


def _sources():
    return sorted(path for path in SOURCES.iterdir() if path.suffix in (".cc", ".h"))


def _build(program):
    if not shutil.which("g++"):
        raise ToolError(f"no g++: building the pack needs {PACKAGES}")
    program.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=program.parent) as scratch:
        built = Path(scratch) / "nxv_compile"
        units = [str(path) for path in _sources() if path.suffix == ".cc"]
        command = ["g++", *FLAGS, f"-I{ROOT}", *units, "-o", str(built), *LIBRARIES]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise ToolError(f"the compile server does not build (it needs {PACKAGES}):\n{result.stderr}")
        os.replace(built, program)


class Toolbox:
    """Runs the native half."""

    def __init__(self, cache=None):
        self.cache = Path(cache) if cache else cache_folder() / "spirv"
        self.identity = digest(*(path.name for path in _sources()), *(path.read_bytes() for path in _sources()))
        self.program = cache_folder() / "compiler" / self._host() / "nxv_compile"
        if not self.program.is_file():
            _build(self.program)
        self.version = self._run("version").strip()

    def _host(self):
        """One program a root: sources, compiler and its libraries."""
        found = shutil.which("g++")
        version = (
            subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout if found else ""
        )
        return digest(self.identity, version, *LIBRARIES, *FLAGS)

    def _run(self, *arguments):
        result = subprocess.run([str(self.program), *map(str, arguments)], capture_output=True, text=True, check=False)
        if result.returncode:
            raise ToolError(result.stderr.strip())
        return result.stdout

    def compile(self, jobs):
        """jobs: (key, contract, source). Returns key → Module."""
        threads = os.cpu_count() or 1
        names = {}
        with tempfile.TemporaryDirectory() as scratch:
            jobs_path, results_path = Path(scratch) / "jobs", Path(scratch) / "results"
            with open(jobs_path, "wb") as file:
                for key, contract, source in jobs:
                    data = source.encode("utf-8")
                    names[key] = digest(self.version, self.identity, str(int(contract)), data)
                    file.write(f"{key}\t{names[key]}\t{int(contract)}\t{len(data)}\n".encode("ascii") + data + b"\n")
            self._run("compile", jobs_path, results_path, self.cache, threads)
            lines = results_path.read_text("ascii").splitlines()
        modules = {}
        for line in lines:
            key, spirv_hash, size, capabilities, interface, push_bytes, local = line.split("\t")
            modules[key] = Module(
                spirv_hash=spirv_hash,
                bytes=int(size),
                capabilities=() if capabilities == "-" else tuple(capabilities.split(",")),
                interface=interface,
                push_bytes=int(push_bytes),
                local=local,
                path=self.cache / f"{names[key]}.spv",
            )
        return modules

    def compress(self, data):
        kept = self.cache / f"{digest(self.version, data)}.zst"
        if not kept.is_file():
            packed = self._filter("compress", data)
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
                file.write(packed)
            os.replace(file.name, kept)
        return kept.read_bytes()

    def decompress(self, data):
        return self._filter("decompress", data)

    def _filter(self, command, data):
        with tempfile.TemporaryDirectory() as scratch:
            source, target = Path(scratch) / "in", Path(scratch) / "out"
            source.write_bytes(data)
            self._run(command, source, target)
            return target.read_bytes()

    def hash(self, data):
        """XXH3-128, as the runtime computes it."""
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "in"
            path.write_bytes(data)
            return self._run("hash", path).strip()
