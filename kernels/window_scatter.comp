// Access pick: z[o] is the index of the last largest (or smallest) element of window o, counted over all of a; ~0 where that lies in
// the padding, which holds the initial value. Elements are compared in row-major order, each with the best so far, NaN never better.
// Access collect: z[i] is the initial value, then the values of a whose windows picked element i, added in row-major order.
//
// Many elements a window, or windows an element, take several dispatches (window.comp says why): pick goes on from z, collect from
// `partial`.

#include "index.glsl"
#include "window_axes.glsl"
#undef ELEMS
#define ELEMS 4
#include "operands.glsl"

layout(local_size_x_id = 0) in;

const uint kNowhere = 0xffffffffu;

#if defined(ACCESS_pick)

layout(push_constant, scalar) uniform Push {
  uvec2 a, z, initial;
  Words axes;
  uint count, first;  // windows
  uint row_begin, row_end, k_begin, k_end;
  uint resumes;
};

bool wins(A_COMPUTE x, A_COMPUTE best) {
#if defined(A_FLOAT) && defined(OP_window_scatter_max)
  return less_or_equal(best, x);
#elif defined(A_FLOAT)
  return less_or_equal(x, best);
#elif defined(OP_window_scatter_max)
  return x >= best;
#else
  return x <= best;
#endif
}

void main() {
  uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;

  const uint last = innermost_window();
  const uint extent = axes.v[last * kWords + kExtent], dilation = axes.v[last * kWords + kDilation];
  const uint step = axes.v[last * kWords + kReach];
  int origin[kAxes];
  uint at = 0;
  bool begins_inside = true;
  uint rest = first + i;
  [[unroll]] for (uint d = 0; d < kAxes; d++) {
    uint o = next_index(axes, d, rest);
    origin[d] = int(o * axes.v[d * kWords + kStride] - axes.v[d * kWords + kLow]);
    at += uint(origin[d]) * axes.v[d * kWords + kElements];
    begins_inside = begins_inside && uint(origin[d]) < axes.v[d * kWords + kExtent];
  }

  const A_COMPUTE outside = a_load_element(initial, 0);
  uint picked = begins_inside ? at : kNowhere;
  if (resumes != 0u) picked = z_load_element(z, i);
  A_COMPUTE best = outside;
  if (picked != kNowhere) best = a_load_element(a, picked);

  for (uint r = row_begin; r < row_end; r++) {
    uint row = at;
    bool live = true;
    uint rest = r;
    [[unroll]] for (uint d = last + 1; d < kAxes; d++) {
      if (!has_window(d)) continue;
      uint k = next_of_window(axes, d, rest);
      live = live && uint(origin[d]) + k * axes.v[d * kWords + kDilation] < axes.v[d * kWords + kExtent];
      row += k * axes.v[d * kWords + kReach];
    }
    for (uint k = k_begin; k < k_end; k++) {
      bool inside = live && uint(origin[last]) + k * dilation < extent;
      A_COMPUTE x = outside;
      if (inside) x = a_load_element(a, row + k * step);
      if (wins(x, best)) {
        best = x;
        picked = inside ? row + k * step : kNowhere;
      }
    }
  }
  z_store_element(z, i, picked);
}

#else

#define Acc Z_COMPUTE
#if Z_BITS == 64
#define ACC_ALIGN 8
#else
#define ACC_ALIGN 4
#endif
layout(buffer_reference, scalar, buffer_reference_align = ACC_ALIGN) buffer Accumulators { Acc v[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z, initial;
  Words picks;
  uvec2 partial;
  Words axes;
  uint count, first;  // elements
  uint begin, end;    // of the windows over an element
  uint resumes, suspends;
};

void main() {
  uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;

  uint counts[kAxes], scales[kAxes];  // windows over the element along an axis, and from one to the next
  uint base = 0, scale = 1, total = 1;
  uint rest = first + i;
  [[unroll]] for (uint d = 0; d < kAxes; d++) {
    const uint w = d * kWords, out_count = axes.v[w + kOut];
    uint q = divide_by(rest, axes.v[w + kExtentMagic], axes.v[w + kExtentShift]);
    uint x = rest - q * axes.v[w + kExtent];
    rest = q;
    scales[d] = scale;
    counts[d] = 1;
    if (has_window(d)) {
      int reach = int(x + axes.v[w + kLow]), from = reach - int(axes.v[w + kWindow]) + 1;
      x = from > 0 ? divide_by(uint(from) + axes.v[w + kStride] - 1, axes.v[w + kStrideMagic], axes.v[w + kStrideShift]) : 0u;
      uint past = reach < 0 ? 0u : divide_by(uint(reach), axes.v[w + kStrideMagic], axes.v[w + kStrideShift]) + 1;
      past = min(past, out_count);
      counts[d] = past > x ? past - x : 0u;
    }
    base += x * scale;
    scale *= out_count;
    total *= counts[d];
  }

  Acc sum = a_load_element(initial, 0);
  if (resumes != 0u) sum = Accumulators(partial).v[i];
  uint stop = min(end, total);
  for (uint t = begin; t < stop; t++) {
    uint at = base, rest = t;
    [[unroll]] for (uint d = 0; d < kAxes; d++) {
      if (!has_window(d)) continue;
      uint q = rest / counts[d];
      at += (rest - q * counts[d]) * scales[d];
      rest = q;
    }
    if (picks.v[at] == first + i) sum = sum + a_load_element(a, at);
  }
  if (suspends != 0u) {
    Accumulators(partial).v[i] = sum;
  } else {
    z_store_element(z, i, sum);
  }
}

#endif
