// z[i] = a[i] + b[i] for n units: vec4 (access vector) or floats (access scalar).
//
// Constants: 0 workgroup size, 1 units an invocation, 2 where they lie: 0 side by side, 1 a workgroup apart;
// 3 order: 0 one after another, 1 all loads before the first store; 4 whether the last workgroup may be partial.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kUnits = 1;
layout(constant_id = 2) const uint kApart = 0;
layout(constant_id = 3) const uint kTogether = 0;
layout(constant_id = 4) const uint kChecked = 0;

#ifdef ACCESS_vector
#define UNIT vec4
layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer In { UNIT v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer Out { UNIT v[]; };
#else
#define UNIT float
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer In { UNIT v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Out { UNIT v[]; };
#endif

layout(push_constant, scalar) uniform Push {
  In a, b;
  Out z;
  uint n;
};

void main() {
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint step = kApart == 1 ? gl_WorkGroupSize.x : 1;
  uint first = group * gl_WorkGroupSize.x * kUnits + gl_LocalInvocationID.x * (kApart == 1 ? 1 : kUnits);
  if (kChecked == 1 && first + (kUnits - 1) * step >= n) return;
  if (kTogether == 1) {
    UNIT x[16], y[16];
    for (uint i = 0; i < kUnits; ++i) x[i] = a.v[first + i * step];
    for (uint i = 0; i < kUnits; ++i) y[i] = b.v[first + i * step];
    for (uint i = 0; i < kUnits; ++i) z.v[first + i * step] = x[i] + y[i];
  } else {
    for (uint i = 0; i < kUnits; ++i) z.v[first + i * step] = a.v[first + i * step] + b.v[first + i * step];
  }
}
