// Writes tensors that are made of nothing.
//
// constant: n elements of one bit pattern. Keyed by width.
// iota: counters; element i of the dispatch is (counter + i) without an axis, ((first + i) / inner) % size along one.
// eye: ones where the last two indices are equal, by bit pattern. Keyed by width.
// The output's address is a multiple of 16 (constant, iota). An invocation writes one 128-bit vector, or ELEMS elements of iota.

#include "index.glsl"

layout(local_size_x_id = 0) in;

#if defined(OP_iota)

#include "operands.glsl"

// Constant 1: 1 for a counter along an axis.
layout(constant_id = 1) const uint kAlongAxis = 0;

layout(push_constant, scalar) uniform Push {
  uvec2 z;
  uint n;
  uint counter_low, counter_high;  // of element 0; along an axis: the flat index of element 0 in the first word
  uint inner_magic, inner_shift;
  uint size, size_magic, size_shift;
};

// The counter as the output's type: exact where it fits, else wrapped or rounded once.
#if defined(Z_COMPLEX) && Z_BITS == 64
Z_COMPUTE counted(uint low, uint high) { return Z_COMPUTE(rounded(uvec2(low, high)), 0.0); }
#elif defined(Z_COMPLEX)
Z_COMPUTE counted(uint low, uint high) { return Z_COMPUTE(double(high) * 4294967296.0lf + double(low), 0.0lf); }
#elif defined(Z_FLOAT) && Z_BITS == 64
Z_COMPUTE counted(uint low, uint high) { return double(high) * 4294967296.0lf + double(low); }
#elif defined(Z_FLOAT)
Z_COMPUTE counted(uint low, uint high) { return rounded(uvec2(low, high)); }
#elif Z_BITS == 64
Z_COMPUTE counted(uint low, uint high) { return Z_COMPUTE((uint64_t(high) << 32) | uint64_t(low)); }
#else
Z_COMPUTE counted(uint low, uint high) { return Z_COMPUTE(low); }
#endif

Z_COMPUTE element(uint i) {
  if (kAlongAxis == 0u) {
    uint carry;
    uint low = uaddCarry(counter_low, i, carry);
    return counted(low, counter_high + carry);
  }
  uint outer = divide_by(counter_low + i, inner_magic, inner_shift);
  uint along = outer - divide_by(outer, size_magic, size_shift) * size;
  return counted(along, 0u);
}

void main() {
  uint i = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * ELEMS;
  if (i >= n) return;
  if (i + ELEMS <= n) {
    z_Vector v = z_zero();
    [[unroll]] for (uint k = 0; k < ELEMS; k++) z_put(v, k, element(i + k));
    z_store_vector(z, i / ELEMS, v);
  } else {
    for (; i < n; i++) z_store_element(z, i, element(i));
  }
}

#else

layout(buffer_reference, scalar, buffer_reference_align = Z_BITS / 8) writeonly buffer ZElements { Z_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer ZVectors { uvec4 v[]; };

layout(push_constant, scalar) uniform Push {
  ZVectors z;
  uint n;           // elements
  uint first_row;   // eye: of all rows of all matrices, modulo rows
  uvec4 pattern;    // one element's bits, repeated
  uint columns, columns_magic, columns_shift;
  uint rows, rows_magic, rows_shift;
};

const uint kPerVector = 128 / Z_BITS;

#if Z_BITS == 128
#define ELEMENT(p) (p)
#elif Z_BITS == 64
#define ELEMENT(p) (p).xy
#else
#define ELEMENT(p) Z_STORE((p).x)
#endif

#if defined(OP_eye)
bool is_one(uint i) {
  uint row = divide_by(i, columns_magic, columns_shift);
  uint column = i - row * columns;
  row += first_row;
  row -= divide_by(row, rows_magic, rows_shift) * rows;
  return row == column;
}

void main() {
  uint i = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * kPerVector;
  if (i >= n) return;
  for (uint k = 0; k < kPerVector && i + k < n; k++)
    ZElements(z).v[i + k] = ELEMENT(is_one(i + k) ? pattern : uvec4(0));
}
#else
void main() {
  uint i = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  uint vectors = n / kPerVector;
  if (i < vectors) {
    z.v[i] = pattern;
  } else if (i == vectors) {
    for (uint e = vectors * kPerVector; e < n; e++) ZElements(z).v[e] = ELEMENT(pattern);
  }
}
#endif

#endif
