#if defined(ACCESS_tile)
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kEdge = 32;
layout(constant_id = 2) const uint kVector = 1;
#else
layout(local_size_x_id = 0) in;
const uint kEdge = 4;
#endif
layout(constant_id = 3) const uint kBatchDims = 0;

// What a vector access moves, and how its elements come in and out of it. Elements sit in shared memory as A_COMPUTE.
#if A_BITS == 8
#define PACK uint
#define PACK_ELEMENTS 4
A_COMPUTE unpack(PACK p, uint k) { return (p >> (8u * k)) & 0xffu; }
PACK pack(A_COMPUTE e[PACK_ELEMENTS]) { return e[0] | (e[1] << 8) | (e[2] << 16) | (e[3] << 24); }
#elif A_BITS == 16
#define PACK uvec2
#define PACK_ELEMENTS 4
A_COMPUTE unpack(PACK p, uint k) { return (p[k >> 1] >> (16u * (k & 1u))) & 0xffffu; }
PACK pack(A_COMPUTE e[PACK_ELEMENTS]) { return uvec2(e[0] | (e[1] << 16), e[2] | (e[3] << 16)); }
#elif A_BITS == 32
#define PACK uvec4
#define PACK_ELEMENTS 4
A_COMPUTE unpack(PACK p, uint k) { return p[k]; }
PACK pack(A_COMPUTE e[PACK_ELEMENTS]) { return uvec4(e[0], e[1], e[2], e[3]); }
#elif A_BITS == 64
#define PACK uvec4
#define PACK_ELEMENTS 2
A_COMPUTE unpack(PACK p, uint k) { return k == 0u ? p.xy : p.zw; }
PACK pack(A_COMPUTE e[PACK_ELEMENTS]) { return uvec4(e[0], e[1]); }
#else
#define PACK uvec4
#define PACK_ELEMENTS 1
A_COMPUTE unpack(PACK p, uint k) { return p; }
PACK pack(A_COMPUTE e[PACK_ELEMENTS]) { return e[0]; }
#endif

layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) writeonly buffer ZElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS * PACK_ELEMENTS / 8) readonly buffer APacks { PACK v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS * PACK_ELEMENTS / 8) writeonly buffer ZPacks { PACK v[]; };

struct Batch {
  uint size;
  uint magic, shift;
  uint a_stride, z_stride;
};

layout(push_constant, scalar) uniform Push {
  AElements a;
  ZElements z;
  uint rows, columns;      // r < rows runs along the input's rows, c < columns along the output's
  uint a_step, z_step;     // a[c·a_step + r], z[r·z_step + c]
  uint tiles_r, tiles_c;   // tiles along r and c
  uint magic_r, shift_r, magic_c, shift_c;
  uint tiles;              // of all batches
  Batch batch[2];          // the fastest first
};

// Where tile t begins: r, c and the batch's offsets into a and z.
void locate(uint t, out uint r, out uint c, out uint a_base, out uint z_base) {
  uint q = divide_by(t, magic_c, shift_c);
  c = (t - q * tiles_c) * kEdge;
  t = q;
  q = divide_by(t, magic_r, shift_r);
  r = (t - q * tiles_r) * kEdge;
  a_base = 0;
  z_base = 0;
  for (uint d = 0; d < kBatchDims; d++) {
    uint b = q;
    if (d + 1 < kBatchDims) {
      q = divide_by(b, batch[d].magic, batch[d].shift);
      b -= q * batch[d].size;
    }
    a_base += b * batch[d].a_stride;
    z_base += b * batch[d].z_stride;
  }
}

#if defined(ACCESS_tile)

const uint kPitch = kEdge + 1;
shared A_COMPUTE tile[kEdge * kPitch];  // tile[c][r]

void main() {
  uint r0, c0, a_base, z_base;
  uint t = linear_group();
  if (t >= tiles) return;
  locate(t, r0, c0, a_base, z_base);

  // Lines of kEdge elements, kVector of them an invocation.
  uint per_line = kEdge / kVector;
  uint x = (gl_LocalInvocationID.x % per_line) * kVector;
  uint y0 = gl_LocalInvocationID.x / per_line;
  uint lines = gl_WorkGroupSize.x / per_line;
  bool inner = r0 + kEdge <= rows && c0 + kEdge <= columns;

  for (uint y = y0; y < kEdge; y += lines) {
    if (inner || (c0 + y < columns && r0 + x < rows)) {
      uint from = a_base + (c0 + y) * a_step + r0 + x;
      if (kVector == 1u) {
tile[y * kPitch + x] = A_LOAD(a.v[from]);
      } else {
        PACK p = APacks(a).v[from / PACK_ELEMENTS];
        for (uint k = 0; k < PACK_ELEMENTS; k++) tile[y * kPitch + x + k] = unpack(p, k);
      }
    }
  }
  barrier();
  for (uint y = y0; y < kEdge; y += lines) {
    if (inner || (r0 + y < rows && c0 + x < columns)) {
      uint to = z_base + (r0 + y) * z_step + c0 + x;
      if (kVector == 1u) {
        z.v[to] = Z_STORE(tile[x * kPitch + y]);
      } else {
        A_COMPUTE e[PACK_ELEMENTS];
        for (uint k = 0; k < PACK_ELEMENTS; k++) e[k] = tile[(x + k) * kPitch + y];
        ZPacks(z).v[to / PACK_ELEMENTS] = pack(e);
      }
    }
  }
}

#else

void main() {
  uint r0, c0, a_base, z_base;
  uint t = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  if (t >= tiles) return;
  locate(t, r0, c0, a_base, z_base);
  uint r1 = min(r0 + kEdge, rows), c1 = min(c0 + kEdge, columns);
  for (uint r = r0; r < r1; r++) {
    for (uint c = c0; c < c1; c++) z.v[z_base + r * z_step + c] = Z_STORE(A_LOAD(a.v[a_base + c * a_step + r]));
  }
}

#endif
