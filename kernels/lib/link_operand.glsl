// How an operand of one type comes and goes in a linked kernel.
#include "operands.glsl"

Z_COMPUTE[ELEMS] link_export_load_vector(const uvec2 address, const uint index) {
  const z_Vector v = z_load_vector(address, index);
  Z_COMPUTE x[ELEMS];
#define GET(k) x[k] = z_get(v, k);
  FOR_ELEMS(GET)
#undef GET
  return x;
}

void link_export_store_vector(const uvec2 address, const uint index, const Z_COMPUTE x[ELEMS]) {
  z_Vector v = z_zero();
#define PUT(k) z_put(v, k, x[k]);
  FOR_ELEMS(PUT)
#undef PUT
  z_store_vector(address, index, v);
}

Z_COMPUTE link_export_load_element(const uvec2 address, const uint index) { return z_load_element(address, index); }

void link_export_store_element(const uvec2 address, const uint index, const Z_COMPUTE x) {
  z_store_element(address, index, x);
}

Z_COMPUTE link_export_scalar(const uvec2 bits) { return z_from_bits(bits); }

void main() {}
