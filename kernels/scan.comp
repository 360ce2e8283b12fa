// Scans of a[outer][n][inner] over n, by one rule, a function of the place in the run only.
//
// A tile is 2,048 elements: 16 groups of 16 segments of 8. Folds go from left to right and begin with the identity. A result is the
// fold that begins with (carry ⊕ groups before) ⊕ segments before in its group, over the elements of its segment so far. The carry
// of a tile is the scan, by the same rule, of the totals of the tiles before it. Absent elements are the identity.
//
// Pass 1 (kTotals) leaves totals[outer][tiles][inner]; pass 2 reads there the scan of them, where there is more than one tile.
// Access row: inner is 1; kLanes invocations a tile, a segment each. Access serial: one invocation a tile of any column, no barrier.

#include "index.glsl"
#undef ELEMS
#define ELEMS 4
#include "operands.glsl"
#include "scan_op.glsl"

layout(local_size_x_id = 0) in;
#if defined(ACCESS_row)
layout(constant_id = 1) const uint kLanes = 256;  // a power of two; a run has at most 8 · kLanes elements, or kLanes is 256
#endif
layout(constant_id = 2) const uint kTotals = 0;
layout(constant_id = 3) const uint kReverse = 0;  // 1: runs begin at their end
layout(constant_id = 4) const uint kCarry = 0;    // 1: reads totals

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Totals { Acc at[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z, totals;
  uint n;
  uint inner, inner_magic, inner_shift;
  uint columns, columns_magic, columns_shift;  // outer · inner
  uint units;       // tiles · columns, the columns of a tile side by side
  uint first_unit;  // of this dispatch
  uint tiles;
  uint first;       // 1: totals begin with the tile before the first one
};

const uint kSegment = 8, kGroup = 16, kTile = 2048;

struct Place {
  bool live;
  uint tile, count;  // elements of the tile
  uint origin;        // of the run's first element
  uint outer, i;
};

Place place_of(uint unit) {
  Place p;
  p.live = unit < units;
  unit = min(unit, units - 1);
  p.tile = divide_by(unit, columns_magic, columns_shift);
  const uint column = unit - p.tile * columns;
  p.outer = divide_by(column, inner_magic, inner_shift);
  p.i = column - p.outer * inner;
  p.count = min(kTile, n - p.tile * kTile);
  p.origin = p.outer * n * inner + p.i;
  return p;
}

// Element e of the tile.
uint index_of(Place p, uint e) {
  const uint row = p.tile * kTile + e;
  return p.origin + (kReverse != 0u ? n - 1 - row : row) * inner;
}

uint total_index(Place p, uint tile) { return (p.outer * tiles + tile) * inner + p.i; }

Acc carry_of(Place p) {
  if (kCarry == 0u || p.tile + first == 0u) return identity();
  return Totals(totals).at[total_index(p, p.tile + first - 1)];
}

#if defined(ACCESS_serial)

void main() {
  const Place p = place_of(first_unit + linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  if (!p.live) return;
  const Acc carry = carry_of(p);
  Acc groups = identity(), segments = identity();
  for (uint begin = 0; begin < p.count; begin += kSegment) {
    if (begin % (kGroup * kSegment) == 0u && begin != 0u) {
      groups = combine(groups, segments);
      segments = identity();
    }
    Acc x[kSegment];
    [[unroll]] for (uint e = 0; e < kSegment; e++) x[e] = a_load_element(a, index_of(p, min(begin + e, p.count - 1)));
    Acc sum = identity();
    [[unroll]] for (uint e = 0; e < kSegment; e++) {
      if (begin + e < p.count) sum = combine(sum, x[e]);
    }
    if (kTotals == 0u) {
      Acc running = combine(combine(carry, groups), segments);
      [[unroll]] for (uint e = 0; e < kSegment; e++) {
        if (begin + e >= p.count) break;
        running = combine(running, x[e]);
        z_store_element(z, index_of(p, begin + e), running);
      }
    }
    segments = combine(segments, sum);
  }
  if (kTotals != 0u) Totals(totals).at[total_index(p, p.tile)] = combine(groups, segments);
}

#else

shared Acc stage[gl_WorkGroupSize.x * kSegment];

// The elements of a segment lie in the order of an exclusive or, so that neighbours meet no bank twice.
uint staged(uint segment, uint e) { return segment * kSegment + (e ^ (segment / 4 % kSegment)); }

void main() {
  const uint id = gl_LocalInvocationID.x, lane = id % kLanes, together = gl_WorkGroupSize.x / kLanes;
  const uint first_here = first_unit + linear_group() * together, span = kLanes * kSegment;
  const bool alone = kLanes == gl_WorkGroupSize.x;
  const Place mine = place_of(first_here + (alone ? 0u : id / kLanes));

  Acc x[kSegment];
  [[unroll]] for (uint k = 0; k < kSegment; k++) {
    const uint slot = k * gl_WorkGroupSize.x + id, e = alone ? slot : slot % span;
    Place p = mine;
    if (!alone) p = place_of(first_here + slot / span);
    x[k] = identity();
    if (p.live && e < p.count) x[k] = a_load_element(a, index_of(p, e));
  }
  [[unroll]] for (uint k = 0; k < kSegment; k++) {
    const uint slot = k * gl_WorkGroupSize.x + id;
    stage[staged(slot / kSegment, slot % kSegment)] = x[k];
  }
  barrier();
  Acc sum = identity();
  [[unroll]] for (uint e = 0; e < kSegment; e++) {
    x[e] = stage[staged(id, e)];
    sum = combine(sum, x[e]);
  }
  barrier();
  stage[id] = sum;
  barrier();
  const uint group = lane / kGroup;
  Acc segments = identity();
  for (uint s = id - lane % kGroup; s < id; s++) segments = combine(segments, stage[s]);
  if (lane % kGroup == kGroup - 1) stage[gl_WorkGroupSize.x + id / kGroup] = combine(segments, sum);
  barrier();
  Acc groups = identity();
  for (uint g = id / kGroup - group; g < id / kGroup; g++) groups = combine(groups, stage[gl_WorkGroupSize.x + g]);
  if (kTotals != 0u) {
    if (mine.live && lane == kLanes - 1) {
      Totals(totals).at[total_index(mine, mine.tile)] = combine(groups, combine(segments, sum));
    }
    return;
  }
  Acc running = combine(combine(carry_of(mine), groups), segments);
  barrier();
  [[unroll]] for (uint e = 0; e < kSegment; e++) {
    running = combine(running, x[e]);
    stage[staged(id, e)] = running;
  }
  barrier();
  [[unroll]] for (uint k = 0; k < kSegment; k++) {
    const uint slot = k * gl_WorkGroupSize.x + id, e = alone ? slot : slot % span;
    Place p = mine;
    if (!alone) p = place_of(first_here + slot / span);
    if (p.live && e < p.count) z_store_element(z, index_of(p, e), stage[staged(slot / kSegment, slot % kSegment)]);
  }
}

#endif
