// z[j] = the sum, in any order, of the units of a that invocation j takes: vec4 (access vector) or floats (access scalar).
//
// Constants: 0 workgroup size, 1 accumulators, 2 where an invocation's units lie: 0 side by side, 1 all invocations apart.
// `each`, the units an invocation takes, is a multiple of the accumulators.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kSums = 1;
layout(constant_id = 2) const uint kApart = 0;

#ifdef ACCESS_vector
#define UNIT vec4
#define WHOLE(u) ((u.x + u.y) + (u.z + u.w))
layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer In { UNIT v[]; };
#else
#define UNIT float
#define WHOLE(u) (u)
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer In { UNIT v[]; };
#endif
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Out { float v[]; };

layout(push_constant, scalar) uniform Push {
  In a;
  Out z;
  uint each;
};

void main() {
  uint j = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint step = kApart == 1 ? gl_NumWorkGroups.x * gl_WorkGroupSize.x : 1;
  uint at = kApart == 1 ? j : j * each;
  UNIT sums[8];
  for (uint s = 0; s < kSums; ++s) sums[s] = UNIT(0.0);
  for (uint i = 0; i < each; i += kSums) {
    for (uint s = 0; s < kSums; ++s) sums[s] += a.v[at + s * step];
    at += kSums * step;
  }
  UNIT total = sums[0];
  for (uint s = 1; s < kSums; ++s) total += sums[s];
  z.v[j] = WHOLE(total);
}
