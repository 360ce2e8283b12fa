#pragma once
// A workgroup's tile, kItems elements an invocation: in blocks (slot kItems · thread + j) while it is sorted, in stripes
// (slot kThreads · j + thread) when it meets memory. All of it goes through one array of words, 16 KiB of 256 invocations.

const uint kItems = 16;
const uint kThreads = gl_WorkGroupSize.x;  // a power of two from 32 on
const uint kTile = kThreads * kItems;

shared uint stage[kTile];
#if defined(ACCESS_scatter)
shared uint starts[kDigits];  // where a digit's elements go, less their first slot
#endif

#define thread gl_LocalInvocationID.x
Key item[kItems];
uint index[kItems];
uint target[kItems];  // the slot that an item goes to

// Words of a block, and counters that are summed by eights, lie so that neighbours meet no bank twice.
uint slot_place(uint slot) { return slot ^ ((slot >> 5) & 15u); }
uint counter_place(uint i) { return i ^ ((i >> 5) & 7u); }

#define MOVE(word)                                                                                                  \
  [[unroll]] for (uint j = 0; j < kItems; j++) stage[slot_place(target[j])] = word;                                 \
  barrier();                                                                                                        \
  [[unroll]] for (uint j = 0; j < kItems; j++) word = stage[slot_place(striped ? j * kThreads + thread : thread * kItems + j)]; \
  barrier();

// Items go to their targets.
void exchange(bool striped) {
#if A_BITS == 64
  MOVE(item[j].x)
  MOVE(item[j].y)
#else
  MOVE(item[j])
#endif
  if (kIndices != 0u) {
    MOVE(index[j])
  }
}

// Targets of the items, in blocks, by 4 bits of their keys; slots from `count` on stay last. Counters of digit d of an invocation
// lie in half d / 8 of word kThreads · (d % 8) + thread, so that their sums in this order, first of the low halves, are the targets.
void rank_items(uint from, uint count) {
  uint digit[kItems];
  [[unroll]] for (uint w = 0; w < 8; w++) stage[counter_place(w * kThreads + thread)] = 0u;
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    digit[j] = thread * kItems + j < count ? key_bits(item[j], from, 15u) : 15u;
    const uint at = counter_place((digit[j] & 7u) * kThreads + thread), half_shift = (digit[j] >> 3) * 16;
    const uint before = stage[at];
    target[j] = (before >> half_shift) & 0xffffu;
    stage[at] = before + (1u << half_shift);
  }
  barrier();
  const uint partials = 8 * kThreads, totals = 9 * kThreads;
  uint sum = 0;
  [[unroll]] for (uint k = 0; k < 8; k++) sum += stage[counter_place(thread * 8 + k)];
  stage[partials + thread] = sum;
  barrier();
  uint before = 0, all = 0;
  for (uint t = thread & ~15u; t < thread; t++) before += stage[partials + t];
  if (thread % 16 == 15) stage[totals + thread / 16] = before + sum;
  barrier();
  for (uint g = 0; g < kThreads / 16; g++) {
    const uint total = stage[totals + g];
    if (g < thread / 16) before += total;
    all += total;
  }
  before += all << 16;
  [[unroll]] for (uint k = 0; k < 8; k++) {
    const uint at = counter_place(thread * 8 + k), mine = stage[at];
    stage[at] = before;
    before += mine;
  }
  barrier();
  [[unroll]] for (uint j = 0; j < kItems; j++) {
    const uint at = counter_place((digit[j] & 7u) * kThreads + thread);
    target[j] += (stage[at] >> ((digit[j] >> 3) * 16)) & 0xffffu;
  }
  barrier();
}
