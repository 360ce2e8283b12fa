layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kRank = 1;

layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) writeonly buffer ZElements { A_STORAGE v[]; };

// Innermost first. Strides wrap modulo 2^32, a_origin makes the sums right.
struct Dim {
  uint size;
  uint magic, shift;
  uint a_stride, z_stride;
};

layout(push_constant, scalar) uniform Push {
  AElements a;
  ZElements z;
  uint n, a_origin;
  Dim dims[5];
};

void main() {
  uint i = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  if (i >= n) return;
  uint from = a_origin, to = 0;
  for (uint d = 0; d + 1 < kRank; d++) {
    uint q = divide_by(i, dims[d].magic, dims[d].shift);
    uint r = i - q * dims[d].size;
    from += r * dims[d].a_stride;
    to += r * dims[d].z_stride;
    i = q;
  }
  from += i * dims[kRank - 1].a_stride;
  to += i * dims[kRank - 1].z_stride;
  z.v[to] = Z_STORE(A_LOAD(a.v[from]));
}
