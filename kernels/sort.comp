// Stable sorts of rows of n elements, along with their places in the row where asked. Elements move as they are; their keys are made
// anew each time (order_bits.glsl).
//
// Access rank: short rows. An invocation counts for one element how many come before it.
// Access block: rows of up to kTile elements, a workgroup each, 4 bits of the key a round (sort_tile.glsl).
// Longer rows take passes of 8 bits of the key, from the lowest: count, a scan over counts[row][digit][tile], scatter.
// Access count: counts of one tile a workgroup. Access scatter: sorts the tile by the digit, then writes what is now together.
// Access serial_count, serial_scatter: the same for CPU devices, an invocation a tile, without barriers.

#include "index.glsl"
#include "operands.glsl"
#include "order_bits.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kDescending = 0;
layout(constant_id = 2) const uint kIndices = 0;  // 1: writes places, those of elements in the row; 2: reads and writes them
layout(constant_id = 3) const uint kValues = 1;   // 1: writes elements

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z, from_indices, to_indices;
  uvec2 counts;  // scatter: their inclusive scan over each row
  uint n;
  uint tiles, tiles_magic, tiles_shift;  // of a row; rank: n again
  uint units;       // rows · tiles; rank: elements
  uint first_unit;  // of this dispatch
  uint shift;       // of the digit
};

const uint kDigits = 256;

Key sort_key(Key bits) { return kDescending != 0u ? reversed(key_of(bits)) : key_of(bits); }

// The bits of the key from `from` on.
uint key_bits(Key bits, uint from, uint mask) {
#if A_BITS == 64
  const Key key = sort_key(bits);
  return ((from < 32u ? key.x : key.y) >> (from % 32u)) & mask;
#else
  return (sort_key(bits) >> from) & mask;
#endif
}

uint digit_of(Key bits) { return key_bits(bits, shift, kDigits - 1); }

uint index_of(uint at, uint place) { return kIndices == 2u ? Words(from_indices).at[at] : place; }

void put(uint at, Key bits, uint index) {
  if (kValues != 0u) z_store_element(z, at, bits);
  if (kIndices != 0u) Words(to_indices).at[at] = index;
}

#if defined(ACCESS_rank)

void main() {
  const uint unit = first_unit + linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (unit >= units) return;
  const uint begin = divide_by(unit, tiles_magic, tiles_shift) * n, place = unit - begin;
  const Key bits = a_load_element(a, unit), key = sort_key(bits);
  uint before = 0;
  for (uint i = 0; i < n; i++) {
    const Key other = sort_key(a_load_element(a, begin + i));
    if (below(other, key) || (other == key && i < place)) before++;
  }
  put(begin + before, bits, index_of(unit, place));
}

#elif defined(ACCESS_serial_count) || defined(ACCESS_serial_scatter)

layout(constant_id = 4) const uint kTile = 4096;

void main() {
  const uint unit = first_unit + linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (unit >= units) return;
  const uint row = divide_by(unit, tiles_magic, tiles_shift), tile = unit - row * tiles;
  const uint begin = tile * kTile, count = min(kTile, n - begin), first = row * n + begin;
  const uint mine = row * kDigits * tiles + tile;  // the count of digit 0
#if defined(ACCESS_serial_count)
  for (uint d = 0; d < kDigits; d++) Words(counts).at[mine + d * tiles] = 0u;
  for (uint i = 0; i < count; i++) Words(counts).at[mine + digit_of(a_load_element(a, first + i)) * tiles]++;
#else
  for (uint i = count; i > 0; i--) {
    const Key bits = a_load_element(a, first + i - 1);
    const uint at = mine + digit_of(bits) * tiles, to = Words(counts).at[at] - 1;
    Words(counts).at[at] = to;
    put(row * n + to, bits, index_of(first + i - 1, begin + i - 1));
  }
#endif
}

#else

#include "sort_tile.glsl"

void main() {
  const uint unit = first_unit + linear_group();
  if (unit >= units) return;
  const uint row = divide_by(unit, tiles_magic, tiles_shift), tile = unit - row * tiles;
  const uint begin = tile * kTile, count = min(kTile, n - begin), first = row * n + begin;
#if defined(ACCESS_count)
  for (uint d = thread; d < kDigits; d += kThreads) stage[d] = 0u;
  barrier();
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    const uint slot = j * kThreads + thread;
    if (slot >= count) continue;
    const uint digit = digit_of(a_load_element(a, first + slot));
    atomicAdd(stage[digit], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
  }
  barrier();
  for (uint d = thread; d < kDigits; d += kThreads) Words(counts).at[(row * kDigits + d) * tiles + tile] = stage[d];
#else
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    const uint slot = j * kThreads + thread, at = first + min(slot, count - 1);
    item[j] = a_load_element(a, at);
    if (kIndices != 0u) index[j] = index_of(at, begin + slot);
    target[j] = slot;
  }
  exchange(false);
#if defined(ACCESS_block)
  for (uint from = 0; from < A_BITS; from += 4) {
    rank_items(from, count);
    exchange(from + 4 == A_BITS);
  }
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    const uint slot = j * kThreads + thread;
    if (slot < count) put(first + slot, item[j], index[j]);
  }
#else
  for (uint from = 0; from < 8; from += 4) {
    rank_items(shift + from, count);
    exchange(from == 4);
  }
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    target[j] = digit_of(item[j]);
    stage[j * kThreads + thread] = target[j];
  }
  barrier();
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    const uint slot = j * kThreads + thread;
    if (slot >= count || (slot > 0 && stage[slot - 1] == target[j])) continue;
    const uint place = target[j] * tiles + tile;  // the first of its digit
    starts[target[j]] = (place == 0u ? 0u : Words(counts).at[row * kDigits * tiles + place - 1]) - slot;
  }
  barrier();
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    const uint slot = j * kThreads + thread;
    if (slot < count) put(row * n + starts[target[j]] + slot, item[j], index[j]);
  }
#endif
#endif
}

#endif
