layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kVectors = 1;

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer AVectors { uvec4 v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer ZVectors { uvec4 v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) writeonly buffer ZElements { A_STORAGE v[]; };

layout(push_constant, scalar) uniform Push {
  AVectors a;
  ZVectors z;
  uint n;  // elements
};

const uint kPerVector = 128 / A_BITS;

void main() {
  uint vectors = n / kPerVector;
  uint first = linear_group() * gl_WorkGroupSize.x * kVectors;
  uint i = first + gl_LocalInvocationID.x;
  if (first + gl_WorkGroupSize.x * kVectors <= vectors) {
    uvec4 v[kVectors];
    for (uint k = 0; k < kVectors; k++) v[k] = a.v[i + k * gl_WorkGroupSize.x];
    for (uint k = 0; k < kVectors; k++) z.v[i + k * gl_WorkGroupSize.x] = v[k];
    return;
  }
  for (uint k = 0; k < kVectors; k++, i += gl_WorkGroupSize.x) {
    if (i < vectors) {
      z.v[i] = a.v[i];
    } else if (i == vectors) {
      for (uint e = vectors * kPerVector; e < n; e++) ZElements(z).v[e] = Z_STORE(A_LOAD(AElements(a).v[e]));
    }
  }
}
