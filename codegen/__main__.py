"""python3 -m codegen check | emit | build | list [PART] | show KEY | disasm KEY | stats"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from codegen import catalog, emit, expand, glsl, pack
from codegen.source import CatalogError, CatalogErrors
from codegen.toolbox import ROOT, ToolError, Toolbox


SHOWN_PROBLEMS = 20


class UsageError(Exception):
    """One sentence to the caller."""


class Project:
    """A kernels folder, loaded and expanded."""

    def __init__(self, kernels):
        self.kernels = Path(kernels)
        self.table, self.families = catalog.load(self.kernels)
        self.variants = expand.expand(self.families)
        self.files = glsl.Sources(self.kernels)

    def sources(self):
        return {variant.key: glsl.generate(variant, self.files) for variant in self.variants}

    def tables(self):
        return emit.tables(self.table, self.families, self.variants, self.files)

    def variant(self, key):
        for variant in self.variants:
            if variant.key == key:
                return variant
        raise UsageError(f"[{key}] not in the catalog")


def check(options):
    project = Project(options.kernels)
    sources = project.sources()
    problems = stale(project, sources, options.out)
    for problem in problems[:SHOWN_PROBLEMS]:
        print(problem, file=sys.stderr)
    if len(problems) > SHOWN_PROBLEMS:
        print(f"… and {len(problems) - SHOWN_PROBLEMS} more", file=sys.stderr)
    print(f"{len(project.families)} families, {len(project.variants)} variants")
    return 1 if problems else 0


def stale(project, sources, out):
    """What of a committed generated/ no longer follows from kernels/; found without a compiler."""
    manifest = out / "manifest.tsv"
    if not manifest.is_file():
        return [f"{out.name}/manifest.tsv: no such file; run python3 -m codegen build"]
    problems = []
    for path, data in project.tables().items():
        if not (out / path).is_file() or (out / path).read_bytes() != data:
            problems.append(f"{out.name}/{path}: not what the catalog gives; run python3 -m codegen build")
    rows = pack.read_manifest(manifest.read_text("ascii"))[2]
    for variant in project.variants:
        row = rows.pop(variant.key, None)
        if row is None:
            problems.append(f"[{variant.key}] not in the pack; run python3 -m codegen build")
        elif row["source_hash"] != pack.source_hash(variant.family.contract, sources[variant.key]):
            problems.append(f"[{variant.key}] its source has changed; run python3 -m codegen build")
    problems += [f"[{key}] in the pack, not in the catalog; run python3 -m codegen build" for key in rows]
    return problems


def write(files, out):
    """Brings `out` to exactly these files; untouched where they are the same."""
    for path, data in files.items():
        target = out / path
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def build_files(project, cache):
    started = time.monotonic()
    toolbox = Toolbox(cache)
    sources = project.sources()
    jobs = [(variant.key, variant.family.contract, sources[variant.key]) for variant in project.variants]
    modules = toolbox.compile(jobs)
    files = {**project.tables(), **pack.assemble(project.variants, sources, modules, toolbox)}
    packed = sum(len(data) for path, data in files.items() if path.startswith("pack/"))
    print(f"{len(jobs)} variants, {packed} bytes packed, {time.monotonic() - started:.1f} s, {toolbox.version}")
    return files


def differences(files, out):
    """The paths whose bytes in `out` are not those of `files`."""
    found = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()} if out.is_dir() else set()
    same = {path for path in found & set(files) if (out / path).read_bytes() == files[path]}
    return sorted((found | set(files)) - same)


def build(options):
    project = Project(options.kernels)
    with tempfile.TemporaryDirectory() as scratch:
        files = build_files(project, scratch if options.no_cache else None)
    if options.check:
        wrong = differences(files, options.out)
        for path in wrong:
            print(f"{options.out.name}/{path}: a rebuild gives other bytes", file=sys.stderr)
        return 1 if wrong else 0
    write(files, options.out)
    for path in differences(files, options.out):
        (options.out / path).unlink()
    return 0


def emit_tables(options):
    write(Project(options.kernels).tables(), options.out)
    return 0


def list_keys(options):
    for variant in Project(options.kernels).variants:
        if options.filter in variant.key:
            print(variant.key)
    return 0


def show(options):
    project = Project(options.kernels)
    print(glsl.generate(project.variant(options.key), project.files), end="")
    return 0


def disasm(options):
    rows = pack.read_manifest((options.out / "manifest.tsv").read_text("ascii"))[2]
    if options.key not in rows:
        raise UsageError(f"[{options.key}] not in the pack")
    row = rows[options.key]
    shard = Toolbox().decompress((options.out / f"pack/{row['shard']}.spv.zst").read_bytes())
    module = shard[int(row["offset"]) : int(row["offset"]) + int(row["bytes"])]
    result = subprocess.run(["spirv-dis", "--no-color"], input=module, stdout=subprocess.PIPE, check=False)
    sys.stdout.write(result.stdout.decode("utf-8"))
    return result.returncode


def stats(options):
    _, shards, rows = pack.read_manifest((options.out / "manifest.tsv").read_text("ascii"))
    table = [("family", "variants", "modules", "bytes", "packed")]
    for name, (raw, packed) in shards.items():
        mine = [row for row in rows.values() if row["shard"] == name]
        table.append((name, len(mine), len({row["offset"] for row in mine}), raw, packed))
    table.append(("all", *(sum(row[column] for row in table[1:]) for column in range(1, 5))))
    for row in table:
        print(f"{row[0]:<12}" + "".join(f"{item:>12}" for item in row[1:]))
    return 0


def parse(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m codegen", description=__doc__)
    parser.add_argument("--kernels", type=Path, default=ROOT / "kernels", help="the folder of templates and catalogs")
    parser.add_argument("--out", type=Path, default=ROOT / "generated", help="the folder that is written")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, function, text):
        added = commands.add_parser(name, help=text)
        added.set_defaults(function=function)
        return added

    command("check", check, "checks the catalogs, and that generated/ follows from them; needs no compiler")
    command("emit", emit_tables, "writes the tables for C++ and Elixir; needs no compiler")
    builder = command("build", build, "compiles and writes all of generated/")
    builder.add_argument("--check", action="store_true", help="rebuilds and compares with generated/ byte for byte")
    builder.add_argument("--no-cache", action="store_true", help="compiles everything anew")
    lister = command("list", list_keys, "prints the keys")
    lister.add_argument("filter", nargs="?", default="", help="a part of the key")
    command("show", show, "prints the GLSL of a key").add_argument("key")
    command("disasm", disasm, "prints the SPIR-V of a key of the pack").add_argument("key")
    command("stats", stats, "prints variants and bytes a family")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    try:
        return options.function(options)
    except (CatalogError, CatalogErrors, UsageError, ToolError, pack.PackError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
