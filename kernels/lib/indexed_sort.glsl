// One digit of a stable sort of slots, with the numbers of their updates. Counters are counters[digit][tile].
// index_tally: counts a tile's digits. index_rank: places each element behind those of smaller digits (bases[digit]), of earlier tiles
// (counters, summed up) and those before it in its tile.
// Access group: a workgroup of 256 a tile. Access serial: an invocation a tile, without barriers; index_rank uses up its counters.
// Constants: 0 workgroup size, 1 elements of a tile, 2 whether the numbers of the updates are still those of the slots.
#include "index.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kTile = 4096;
layout(constant_id = 2) const uint kFirst = 0;

const uint kDigits = 256;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Numbers { uint v[]; };

layout(push_constant, scalar) uniform Push {
  Numbers counters, bases, slots, order, slots_to, order_to;
  uint n, shift, tiles;  // slots, where the digit begins, tiles of all of them
  uint first, end;       // tiles of this dispatch
};

uint digit_of(uint slot) { return (slot >> shift) & (kDigits - 1u); }

void place(uint i, uint slot, uint to) {
  slots_to.v[to] = slot;
  order_to.v[to] = kFirst != 0u ? i : order.v[i];
}

#if defined(ACCESS_group)
const uint kThreads = 256, kMaskWords = kThreads / 32;

#if defined(OP_index_tally)
shared uint counts[kDigits];

void main() {
  const uint tile = first + linear_group(), me = gl_LocalInvocationID.x;
  if (tile >= end) return;
  counts[me] = 0;
  barrier();
  for (uint i = tile * kTile + me; i < min(n, (tile + 1) * kTile); i += kThreads) atomicAdd(counts[digit_of(slots.v[i])], 1u);
  barrier();
  counters.v[me * tiles + tile] = counts[me];
}
#else
// Which invocations hold a digit, a bit each; and where the next of it goes.
shared uint masks[kDigits * kMaskWords];
shared uint next[kDigits];

void main() {
  const uint tile = first + linear_group(), me = gl_LocalInvocationID.x;
  if (tile >= end) return;
  next[me] = bases.v[me] + counters.v[me * tiles + tile];
  [[unroll]] for (uint w = 0; w < kMaskWords; w++) masks[me + w * kThreads] = 0;
  barrier();
  const uint my_word = me / 32u, my_bit = me % 32u;
  for (uint round = 0; round < kTile / kThreads; round++) {
    const uint i = tile * kTile + round * kThreads + me;
    const bool present = i < n;
    const uint slot = present ? slots.v[i] : 0u, digit = digit_of(slot);
    if (present) atomicOr(masks[digit * kMaskWords + my_word], 1u << my_bit);
    barrier();
    uint before = 0, of_digit = 0;
    if (present) {
      [[unroll]] for (uint w = 0; w < kMaskWords; w++) {
        const uint count = bitCount(masks[digit * kMaskWords + w]);
        of_digit += count;
        if (w < my_word) before += count;
      }
      before += bitCount(masks[digit * kMaskWords + my_word] & ((1u << my_bit) - 1u));
      place(i, slot, next[digit] + before);
    }
    barrier();
    if (present && before == 0u) {
      next[digit] += of_digit;
      [[unroll]] for (uint w = 0; w < kMaskWords; w++) masks[digit * kMaskWords + w] = 0;
    }
    barrier();
  }
}
#endif

#else
void main() {
  const uint tile = first + linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (tile >= end) return;
  const uint last = min(n, (tile + 1) * kTile);
#if defined(OP_index_tally)
  for (uint digit = 0; digit < kDigits; digit++) counters.v[digit * tiles + tile] = 0;
  for (uint i = tile * kTile; i < last; i++) counters.v[digit_of(slots.v[i]) * tiles + tile] += 1;
#else
  for (uint i = tile * kTile; i < last; i++) {
    const uint slot = slots.v[i], digit = digit_of(slot);
    const uint rank = counters.v[digit * tiles + tile];
    counters.v[digit * tiles + tile] = rank + 1;
    place(i, slot, bases.v[digit] + rank);
  }
#endif
}
#endif
