// One operand as vectors of ELEMS elements and as single elements. Included once an operand, with
//   V_NAME(x)  a name of its own         V_STORAGE, V_COMPUTE, V_BITS  its types
//   V_LOAD(x)  storage → compute         V_STORE(x)  compute → storage
//   V_DECODE(x), V_ENCODE(x)             for narrow floats: bits → compute and back
//   V_IS_FLOAT, V_IS_SINT                its kind, 0 or 1
// Memory is moved in words, so that every vector is one or more loads of up to 128 bits.

#if ELEMS * V_BITS == 32
#define V_RAW uint
#define V_CHUNKS 1
#define V_ALIGN 4
#define V_WORD(v, i) (v).raw[0]
#elif ELEMS * V_BITS == 64
#define V_RAW uvec2
#define V_CHUNKS 1
#define V_ALIGN 8
#define V_WORD(v, i) (v).raw[0][i]
#else
#define V_RAW uvec4
#define V_CHUNKS (ELEMS * V_BITS / 128)
#define V_ALIGN 16
#define V_WORD(v, i) (v).raw[(i) / 4][(i) % 4]
#endif

layout(buffer_reference, scalar, buffer_reference_align = V_ALIGN) buffer V_NAME(Vectors) { V_RAW raw[]; };
layout(buffer_reference, scalar, buffer_reference_align = V_BITS / 8) buffer V_NAME(Elements) { V_STORAGE at[]; };

struct V_NAME(Vector) { V_RAW raw[V_CHUNKS]; };

V_NAME(Vector) V_NAME(load_vector)(uvec2 address, uint index) {
  V_NAME(Vectors) memory = V_NAME(Vectors)(address);
  V_NAME(Vector) v;
  v.raw[0] = memory.raw[index * V_CHUNKS];
#if ELEMS * V_BITS >= 256
  v.raw[1] = memory.raw[index * V_CHUNKS + 1];
#endif
#if ELEMS * V_BITS >= 512
  v.raw[2] = memory.raw[index * V_CHUNKS + 2];
  v.raw[3] = memory.raw[index * V_CHUNKS + 3];
#endif
  return v;
}

void V_NAME(store_vector)(uvec2 address, uint index, V_NAME(Vector) v) {
  V_NAME(Vectors) memory = V_NAME(Vectors)(address);
  memory.raw[index * V_CHUNKS] = v.raw[0];
#if ELEMS * V_BITS >= 256
  memory.raw[index * V_CHUNKS + 1] = v.raw[1];
#endif
#if ELEMS * V_BITS >= 512
  memory.raw[index * V_CHUNKS + 2] = v.raw[2];
  memory.raw[index * V_CHUNKS + 3] = v.raw[3];
#endif
}

V_COMPUTE V_NAME(load_element)(uvec2 address, uint index) { return V_LOAD(V_NAME(Elements)(address).at[index]); }

void V_NAME(store_element)(uvec2 address, uint index, V_COMPUTE x) {
  V_NAME(Elements)(address).at[index] = V_STORE(x);
}

// The element in the low bits of a word pair: what inline scalars carry.
#if V_BITS == 128 && V_IS_COMPLEX  // of a scalar only the real part is carried
#define V_FROM_BITS(lo, hi) dvec2(packDouble2x32(uvec2(lo, hi)), 0.0lf)
#define V_FROM_WORDS(words) dvec2(packDouble2x32((words).xy), packDouble2x32((words).zw))
#define V_TO_WORDS(x) uvec4(unpackDouble2x32((x).x), unpackDouble2x32((x).y))
#elif V_BITS == 128
#define V_FROM_BITS(lo, hi) uvec4(lo, hi, 0, 0)
#define V_FROM_WORDS(words) (words)
#define V_TO_WORDS(x) (x)
#elif V_BITS == 64 && V_IS_COMPLEX
#define V_FROM_BITS(lo, hi) uintBitsToFloat(uvec2(lo, hi))
#define V_TO_BITS(x) floatBitsToUint(x)
#elif V_BITS == 64 && V_IS_FLOAT
#define V_FROM_BITS(lo, hi) packDouble2x32(uvec2(lo, hi))
#define V_TO_BITS(x) unpackDouble2x32(x)
#elif V_BITS == 64 && V_IS_SINT
#define V_FROM_BITS(lo, hi) packInt2x32(ivec2(lo, hi))
#define V_TO_BITS(x) uvec2(unpackInt2x32(x))
#elif V_BITS == 64 && V_IS_UINT
#define V_FROM_BITS(lo, hi) packUint2x32(uvec2(lo, hi))
#define V_TO_BITS(x) unpackUint2x32(x)
#elif V_BITS == 64
#define V_FROM_BITS(lo, hi) uvec2(lo, hi)
#define V_TO_BITS(x) (x)
#elif V_BITS == 32 && V_IS_FLOAT
#define V_FROM_BITS(lo, hi) uintBitsToFloat(lo)
#define V_TO_BITS(x) floatBitsToUint(x)
#elif V_BITS == 32
#define V_FROM_BITS(lo, hi) V_COMPUTE(lo)
#define V_TO_BITS(x) uint(x)
#elif V_IS_FLOAT
#define V_FROM_BITS(lo, hi) V_DECODE((lo) & ((1u << V_BITS) - 1u))
#define V_TO_BITS(x) V_ENCODE(x)
#elif V_IS_SINT
#define V_FROM_BITS(lo, hi) bitfieldExtract(int(lo), 0, V_BITS)
#define V_TO_BITS(x) (uint(x) & ((1u << V_BITS) - 1u))
#else
#define V_FROM_BITS(lo, hi) ((lo) & ((1u << V_BITS) - 1u))
#define V_TO_BITS(x) (uint(x) & ((1u << V_BITS) - 1u))
#endif

V_COMPUTE V_NAME(from_bits)(uvec2 bits) { return V_FROM_BITS(bits.x, bits.y); }

V_COMPUTE V_NAME(get)(V_NAME(Vector) v, const uint i) {
#if V_BITS == 128
  return V_FROM_WORDS(v.raw[i]);
#elif V_BITS == 64
  return V_FROM_BITS(V_WORD(v, 2 * i), V_WORD(v, 2 * i + 1));
#elif V_BITS == 32
  return V_FROM_BITS(V_WORD(v, i), 0u);
#else
  return V_FROM_BITS(V_WORD(v, (i) * V_BITS / 32) >> ((i) * V_BITS % 32), 0u);
#endif
}

// Elements are put in ascending order into a vector that starts as zeros.
void V_NAME(put)(inout V_NAME(Vector) v, const uint i, V_COMPUTE x) {
#if V_BITS == 128
  v.raw[i] = V_TO_WORDS(x);
#elif V_BITS == 64
  uvec2 bits = V_TO_BITS(x);
  V_WORD(v, 2 * i) = bits.x;
  V_WORD(v, 2 * i + 1) = bits.y;
#elif V_BITS == 32
  V_WORD(v, i) = V_TO_BITS(x);
#else
  V_WORD(v, (i) * V_BITS / 32) |= V_TO_BITS(x) << ((i) * V_BITS % 32);
#endif
}

V_NAME(Vector) V_NAME(zero)() {
  V_NAME(Vector) v;
  v.raw[0] = V_RAW(0);
#if ELEMS * V_BITS >= 256
  v.raw[1] = V_RAW(0);
#endif
#if ELEMS * V_BITS >= 512
  v.raw[2] = V_RAW(0);
  v.raw[3] = V_RAW(0);
#endif
  return v;
}

V_NAME(Vector) V_NAME(splat)(V_COMPUTE x) {
  V_NAME(Vector) v = V_NAME(zero)();
#define PUT(k) V_NAME(put)(v, k, x);
  FOR_ELEMS(PUT)
#undef PUT
  return v;
}

#undef V_RAW
#undef V_CHUNKS
#undef V_ALIGN
#undef V_WORD
#undef V_FROM_BITS
#undef V_TO_BITS
#undef V_FROM_WORDS
#undef V_TO_WORDS
#undef V_NAME
#undef V_STORAGE
#undef V_COMPUTE
#undef V_BITS
#undef V_LOAD
#undef V_STORE
#undef V_DECODE
#undef V_ENCODE
#undef V_IS_FLOAT
#undef V_IS_SINT
#undef V_IS_UINT
#undef V_IS_COMPLEX
