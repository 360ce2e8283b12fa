// Folds over windows: z[o] is the left fold, in row-major order of the window, over the elements of a at
// o · stride + k · dilation − low along each axis; what lies outside a is left out.
//
// An invocation computes one element of z, or 4 neighbours along an innermost axis without a window (kVectors). Very large windows
// take several dispatches, which hand the accumulators on in `partial`: a driver may leave long loops early.

#if defined(OP_window_sum)
#define OP_sum 1
#elif defined(OP_window_product)
#define OP_product 1
#elif defined(OP_window_max)
#define OP_reduce_max 1
#endif
#include "index.glsl"
#include "window_axes.glsl"
#include "reduce_quad.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 3) const uint kVectors = 0;

#if Z_BITS == 128 || (Z_BITS == 64 && !defined(Z_COMPLEX))
#define ACC_ALIGN 8
#else
#define ACC_ALIGN 4
#endif
layout(buffer_reference, scalar, buffer_reference_align = ACC_ALIGN) buffer Accumulators { Acc v[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z, partial;
  Words axes;
  uint count;               // invocations
  uint row_begin, row_end;  // of the window; the k of its innermost axis are a row
  uint k_begin, k_end;
  uint resumes, suspends;   // 1: starts from `partial`; leaves its accumulators there
};

// Nx's windows start from +0, so that sums of −0 alone are +0.
#if defined(OP_sum)
const Acc kStart = Acc(0);
#else
const Acc kStart = kIdentity;
#endif

Quad load(uint at) {
  if (kVectors != 0u) return take_vector(a_load_vector(a, at / 4));
  Quad q = identity_quad();
  q.x = take_at(a, at);
  return q;
}

Quad combine_used(Quad p, Quad q) {
  if (kVectors != 0u) return combine_quads(p, q);
  p.x = combine(p.x, q.x);
  return p;
}

Quad started(uint i) {
  Quad q = Quad(kStart, kStart, kStart, kStart);
  if (resumes == 0u) return q;
  Accumulators memory = Accumulators(partial);
  if (kVectors == 0u) {
    q.x = memory.v[i];
    return q;
  }
  return Quad(memory.v[4 * i], memory.v[4 * i + 1], memory.v[4 * i + 2], memory.v[4 * i + 3]);
}

void suspend(uint i, Quad q) {
  Accumulators memory = Accumulators(partial);
  if (kVectors == 0u) {
    memory.v[i] = q.x;
    return;
  }
  memory.v[4 * i] = q.x;
  memory.v[4 * i + 1] = q.y;
  memory.v[4 * i + 2] = q.z;
  memory.v[4 * i + 3] = q.w;
}

void main() {
  uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;

  int origin[kAxes];
  uint at = 0;
  uint rest = kVectors != 0u ? 4 * i : i;
  [[unroll]] for (uint d = 0; d < kAxes; d++) {
    uint o = next_index(axes, d, rest);
    at += o * axes.v[d * kWords + kStep];
    origin[d] = int(o * axes.v[d * kWords + kStride] - axes.v[d * kWords + kLow]);
    if (has_window(d)) at -= axes.v[d * kWords + kLow] * axes.v[d * kWords + kElements];
  }

  const uint last = innermost_window();
  uvec2 inside = inside_of(axes, last, origin[last]);
  inside = uvec2(max(inside.x, k_begin), min(inside.y, k_end));
  const uint step = axes.v[last * kWords + kReach];

  Quad q = started(i);
  for (uint r = row_begin; r < row_end; r++) {
    uint row = at;
    bool live = true;
    uint rest = r;
    [[unroll]] for (uint d = last + 1; d < kAxes; d++) {
      if (!has_window(d)) continue;
      uint k = next_of_window(axes, d, rest);
      uint p = uint(origin[d]) + k * axes.v[d * kWords + kDilation];
      live = live && p < axes.v[d * kWords + kExtent];
      row += k * axes.v[d * kWords + kReach];
    }
    if (!live) continue;
    for (uint k = inside.x; k < inside.y; k++) q = combine_used(q, load(row + k * step));
  }

  if (suspends != 0u) {
    suspend(i, q);
  } else if (kVectors != 0u) {
    z_Vector v = z_zero();
    z_put(v, 0, result(q.x));
    z_put(v, 1, result(q.y));
    z_put(v, 2, result(q.z));
    z_put(v, 3, result(q.w));
    z_store_vector(z, i, v);
  } else {
    z_store_element(z, i, result(q.x));
  }
}
