"""The pack: generated/manifest.tsv and generated/pack/SHARD.spv.zst. runtime/core/pack.cc reads it.

manifest.tsv, tab-separated lines:

    nx_vulkan-pack  1                                   the format's version
    toolchain       TEXT
    digest          32 hex digits                       XXH3-128 of all that follows this line
    shard           NAME  unpacked bytes  packed bytes  one a shard, sorted
    KEY  SHARD  OFFSET  BYTES  CAPS  INTERFACE  PUSH  LOCAL  SOURCE HASH  SPIR-V HASH    one a variant, sorted by key

CAPS is `-` or names joined by commas, LOCAL is `-` where specialization constants give the workgroup size, else XxYxZ.
"""

from codegen.toolbox import digest

FORMAT = 1
PUSH_LIMIT = 128
FIELDS = ("key", "shard", "offset", "bytes", "caps", "interface", "push", "local", "source_hash", "spirv_hash")


class PackError(Exception):
    """A module that the pack cannot take."""


def source_hash(contract, source):
    return digest(str(int(contract)), source)


def check_module(variant, module):
    """Raises where the module breaks the kernel interface or needs what its caps do not say."""
    key = variant.key
    if module.push_bytes > PUSH_LIMIT:
        raise PackError(f"[{key}] {module.push_bytes} bytes of push constants, at most {PUSH_LIMIT} are allowed")
    missing = [name for name in module.capabilities if name not in variant.caps]
    if missing:
        raise PackError(f"[{key}] the module needs {', '.join(missing)}, which its caps do not name")
    if module.interface != "address":
        raise PackError(f"[{key}] buffers must come by address, the module has descriptors")


def assemble(variants, sources, modules, toolbox):
    """Path below generated/ → bytes. Identical modules of a family are stored once."""
    shards, rows = {}, []
    for variant in variants:
        module = modules[variant.key]
        check_module(variant, module)
        data = module.path.read_bytes()
        shard, places = shards.setdefault(variant.family.name, (bytearray(), {}))
        if data not in places:
            places[data] = len(shard)
            shard += data
        caps = ",".join(variant.caps) or "-"
        source = source_hash(variant.family.contract, sources[variant.key])
        row = (variant.key, variant.family.name, places[data], len(data), caps, module.interface, module.push_bytes)
        rows.append((*row, module.local, source, module.spirv_hash))
    files, body = {}, ""
    for name in sorted(shards):
        raw = bytes(shards[name][0])
        packed = toolbox.compress(raw)
        files[f"pack/{name}.spv.zst"] = packed
        body += f"shard\t{name}\t{len(raw)}\t{len(packed)}\n"
    body += "".join("\t".join(map(str, row)) + "\n" for row in rows)
    head = f"nx_vulkan-pack\t{FORMAT}\ntoolchain\t{toolbox.version}\ndigest\t{toolbox.hash(body.encode('ascii'))}\n"
    files["manifest.tsv"] = (head + body).encode("ascii")
    return files


def read_manifest(text):
    """(head: name → value, shards: name → (bytes, packed bytes), rows: key → dict of FIELDS)."""
    head, shards, rows = {}, {}, {}
    for line in text.splitlines():
        parts = line.split("\t")
        if len(parts) == 2:
            head[parts[0]] = parts[1]
        elif parts[0] == "shard":
            shards[parts[1]] = (int(parts[2]), int(parts[3]))
        else:
            rows[parts[0]] = dict(zip(FIELDS, parts, strict=True))
    return head, shards, rows
