// How one operand of a map is fetched. Included once an operand, with
//   V_NAME(x), V_COMPUTE  as in vector.glsl     V_ADDRESS  its push constant     V_MODE  its mode (map_body.glsl)
//   V_OFFSET(offsets)     its part of the offsets

#ifndef PLACE
#define PLACE 1
#ifdef ACCESS_dense
#define Place uint
uint place_of(uint v) { return v; }
uint place_of_element(uint i) { return i; }
#elif defined(ACCESS_scalar)
#define Place uint
uint place_of(uint v) { return v; }
uint place_of_element(uint i) { return i; }
#elif defined(ACCESS_inner)
struct Place { uint vector, row, column; };
Place place_of(uint v) {
  uint row = divide_by(v, push.magic, push.shift);
  return Place(v, row, v - row * push.columns);
}
#else
struct Place { uint first; uvec3 offsets; };
Place place_of(uint v) { return Place(v * ELEMS, offsets_of(v * ELEMS)); }
Place place_of_element(uint i) { return Place(i, offsets_of(i)); }
#endif
#endif

V_NAME(Vector) V_NAME(fetch)(Place place) {
#ifdef ACCESS_dense
  return V_NAME(load_vector)(V_ADDRESS, place);
#elif defined(ACCESS_scalar)
  if (V_MODE == 1) return V_NAME(splat)(V_NAME(from_bits)(V_ADDRESS));
  if (V_MODE == 2) return V_NAME(splat)(V_NAME(load_element)(V_ADDRESS, 0));
  return V_NAME(load_vector)(V_ADDRESS, place);
#elif defined(ACCESS_inner)
  if (V_MODE == 1) return V_NAME(splat)(V_NAME(from_bits)(V_ADDRESS));
  if (V_MODE == 2) return V_NAME(splat)(V_NAME(load_element)(V_ADDRESS, 0));
  if (V_MODE == 3) return V_NAME(load_vector)(V_ADDRESS, place.column);
  if (V_MODE == 4) return V_NAME(splat)(V_NAME(load_element)(V_ADDRESS, place.row));
  return V_NAME(load_vector)(V_ADDRESS, place.vector);
#else
  if (V_MODE == 1) return V_NAME(splat)(V_NAME(from_bits)(V_ADDRESS));
  if (V_MODE == 5) return V_NAME(load_vector)(V_ADDRESS, V_OFFSET(place.offsets) / ELEMS);
  if (V_MODE == 6) return V_NAME(splat)(V_NAME(load_element)(V_ADDRESS, V_OFFSET(place.offsets)));
  V_NAME(Vector) v = V_NAME(zero)();
#define GATHER(k) V_NAME(put)(v, k, V_NAME(load_element)(V_ADDRESS, V_OFFSET(offsets_of(place.first + k))));
  FOR_ELEMS(GATHER)
#undef GATHER
  return v;
#endif
}

#ifdef ACCESS_dense
V_COMPUTE V_NAME(fetch_element)(Place i) { return V_NAME(load_element)(V_ADDRESS, i); }
#elif defined(ACCESS_scalar)
V_COMPUTE V_NAME(fetch_element)(Place i) {
  if (V_MODE == 1) return V_NAME(from_bits)(V_ADDRESS);
  return V_NAME(load_element)(V_ADDRESS, V_MODE == 2 ? 0 : i);
}
#elif defined(ACCESS_strided)
V_COMPUTE V_NAME(fetch_element)(Place place) {
  if (V_MODE == 1) return V_NAME(from_bits)(V_ADDRESS);
  return V_NAME(load_element)(V_ADDRESS, V_OFFSET(place.offsets));
}
#endif

#undef V_NAME
#undef V_COMPUTE
#undef V_ADDRESS
#undef V_MODE
#undef V_OFFSET
