// The entry point of a linked kernel over n elements. Constants: 0 workgroup size, 1 vectors an invocation.
#include "index.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kVectors = 1;

// Addresses, or the bits of scalars.
layout(push_constant, scalar) uniform Push {
  uvec2 operands[15];
  uint n;
} push;

uvec2 link_export_operand(const uint k) { return push.operands[k]; }

// What the linker writes: the vectors first, first + step … (kVectors of them), one vector, one element.
void link_body_vectors(const uint first, const uint step) {}
void link_body_vector(const uint index) {}
void link_body_element(const uint index) {}

void main() {
  const uint group = linear_group(), step = gl_WorkGroupSize.x, lane = gl_LocalInvocationID.x;
  const uint vectors = push.n / ELEMS;
  const uint first = group * step * kVectors + lane;
  if (first + (kVectors - 1) * step < vectors) {
    link_body_vectors(first, step);
  } else {
    for (uint k = 0; k < kVectors; ++k) {
      if (first + k * step < vectors) link_body_vector(first + k * step);
    }
  }
  if (group == 0 && lane < push.n % ELEMS) link_body_element(vectors * ELEMS + lane);
}
