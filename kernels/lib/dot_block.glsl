layout(constant_id = 1) const uint kTileM = 64;  // multiples of 4
layout(constant_id = 2) const uint kTileN = 64;
layout(constant_id = 3) const uint kTileK = 16;  // a multiple of 8
layout(constant_id = 4) const uint kRegM = 4;    // multiples of 4; (kTileM / kRegM) · (kTileN / kRegN) invocations
layout(constant_id = 5) const uint kRegN = 4;
layout(constant_id = 6) const uint kLanesM = 8;   // of kField invocations side by side
layout(constant_id = 7) const uint kField = 32;   // a divisor of the workgroup's size; kTileN is a multiple of kRegN · kField / kLanesM
layout(constant_id = 8) const uint kBand = 8;     // tiles along m that share b while it is in the cache
layout(constant_id = 9) const uint kAlongM = 0;   // quads of a lie along m, else along k
layout(constant_id = 10) const uint kAlongN = 1;  // quads of b lie along n, else along k
layout(constant_id = 11) const uint kVectorA = 1;  // every quad of a is one vector in memory, wholly inside or outside
layout(constant_id = 12) const uint kVectorB = 1;
layout(constant_id = 13) const uint kVectorZ = 1;
layout(constant_id = 14) const uint kWhole = 0;  // m, n and the k of every split are multiples of the tile

const uint kThreads = kTileM / kRegM * (kTileN / kRegN);
const uint kPitchM = kTileM + 4, kPitchN = kTileN + 4;
const uint kQuadsA = kTileM * kTileK / 4 / kThreads, kQuadsB = kTileN * kTileK / 4 / kThreads;
const uint kLanesN = kField / kLanesM;
const uint kFieldsN = kTileN / (kRegN * kLanesN);

#if defined(Z_COMPLEX)
#define QUADS Acc
#elif defined(Z_FLOAT) && Z_BITS == 64
#define QUADS dvec4
#elif defined(Z_FLOAT)
#define QUADS vec4
#elif defined(Z_SINT) && Z_BITS == 64
#define QUADS i64vec4
#elif defined(Z_SINT)
#define QUADS ivec4
#elif Z_BITS == 64
#define QUADS u64vec4
#else
#define QUADS uvec4
#endif

// Two of each: one is filled while the other is read.
#if defined(Z_COMPLEX)
shared Acc a_tile[2 * kTileK * kPitchM];
shared Acc b_tile[2 * kTileK * kPitchN];
#define ELEMENT(tile, at) tile[at]
#define PUT_QUAD(tile, at, x, y, z, w) tile[at] = x, tile[at + 1] = y, tile[at + 2] = z, tile[at + 3] = w
#define GET_QUAD(to, i, tile, at) to[i] = tile[at], to[i + 1] = tile[at + 1], to[i + 2] = tile[at + 2], to[i + 3] = tile[at + 3]
#else
shared QUADS a_tile[2 * kTileK * kPitchM / 4];
shared QUADS b_tile[2 * kTileK * kPitchN / 4];
#define ELEMENT(tile, at) tile[(at) / 4][(at) % 4]
#define PUT_QUAD(tile, at, x, y, z, w) tile[(at) / 4] = QUADS(x, y, z, w)
#define GET_QUAD(to, i, tile, at) \
  QUADS q##to = tile[(at) / 4];   \
  to[i] = q##to.x, to[i + 1] = q##to.y, to[i + 2] = q##to.z, to[i + 3] = q##to.w
#endif

// Where quad e of a tile lies. Along k two quads go side by side, so that the stores into shared memory miss no bank.
uvec2 place_of(uint e, uint tile, bool along_k) {
  if (along_k) return uvec2(e / 2 % tile, (e / (2 * tile) * 2 + e % 2) * 4);
  return uvec2(e % (tile / 4) * 4, e / (tile / 4));
}

a_Vector load_a(Job job, uint row, uint at_k) {
  const uint at = job.a_first + row * a_m + at_k * a_k;
  const bool inside = kWhole != 0u || (row < m && at_k < job.k_end);
  if (kVectorA != 0u) {
    if (inside) return a_load_vector(a, at / 4);
    return a_zero();
  }
  a_Vector v = a_zero();
  const uint left = inside ? (kAlongM != 0u ? m - row : job.k_end - at_k) : 0u, step = kAlongM != 0u ? a_m : a_k;
  if (left > 0u) a_put(v, 0, a_load_element(a, at));
  if (left > 1u) a_put(v, 1, a_load_element(a, at + step));
  if (left > 2u) a_put(v, 2, a_load_element(a, at + 2 * step));
  if (left > 3u) a_put(v, 3, a_load_element(a, at + 3 * step));
  return v;
}

b_Vector load_b(Job job, uint column, uint at_k) {
  const uint at = job.b_first + column * b_n + at_k * b_k;
  const bool inside = kWhole != 0u || (column < n && at_k < job.k_end);
  if (kVectorB != 0u) {
    if (inside) return b_load_vector(b, at / 4);
    return b_zero();
  }
  b_Vector v = b_zero();
  const uint left = inside ? (kAlongN != 0u ? n - column : job.k_end - at_k) : 0u, step = kAlongN != 0u ? b_n : b_k;
  if (left > 0u) b_put(v, 0, b_load_element(b, at));
  if (left > 1u) b_put(v, 1, b_load_element(b, at + step));
  if (left > 2u) b_put(v, 2, b_load_element(b, at + 2 * step));
  if (left > 3u) b_put(v, 3, b_load_element(b, at + 3 * step));
  return v;
}

// Tiles in bands of kBand rows, column by column.
Job banded_job(uint index) {
  const uint each = tiles_m * tiles_n;
  const uint unit = index / each, tile = index - unit * each;
  const uint width = kBand * tiles_n, band = tile / width, within = tile - band * width;
  const uint rows = min(tiles_m - band * kBand, kBand), tile_n = within / rows;
  return job_at(unit, band * kBand + within - tile_n * rows, tile_n);
}

void main() {
  const uint local = gl_LocalInvocationID.x;
  const Job job = banded_job(linear_group());
  if (job.unit >= units) return;
  const uint m0 = job.tile_m * kTileM, n0 = job.tile_n * kTileN;
  const uint field = local / kField, lane = local % kField;
  const uint y = (field / kFieldsN * kLanesM) * kRegM + lane / kLanesN * 4;
  const uint x = (field % kFieldsN * kLanesN) * kRegN + lane % kLanesN * 4;

  Acc sums[kRegM * kRegN];
  [[unroll]] for (uint i = 0; i < kRegM * kRegN; i++) sums[i] = Acc(0);
  a_Vector next_a[kQuadsA];
  b_Vector next_b[kQuadsB];

  uint stage = 0;
  for (uint k0 = job.k_begin; ; k0 += kTileK) {
    const bool more = k0 < job.k_end;
    if (more) {
      [[unroll]] for (uint q = 0; q < kQuadsA; q++) {
        const uvec2 place = place_of(local + q * kThreads, kTileM, kAlongM == 0u);
        next_a[q] = load_a(job, m0 + place.x, k0 + place.y);
      }
      [[unroll]] for (uint q = 0; q < kQuadsB; q++) {
        const uvec2 place = place_of(local + q * kThreads, kTileN, kAlongN == 0u);
        next_b[q] = load_b(job, n0 + place.x, k0 + place.y);
      }
    }
    if (k0 != job.k_begin) {
      const uint a_stage = stage * kTileK * kPitchM + y, b_stage = stage * kTileK * kPitchN + x;
      [[unroll]] for (uint p = 0; p < kTileK; p++) {
        Acc a_line[kRegM], b_line[kRegN];
        [[unroll]] for (uint i = 0; i < kRegM; i += 4) { GET_QUAD(a_line, i, a_tile, a_stage + p * kPitchM + i * kLanesM); }
        [[unroll]] for (uint j = 0; j < kRegN; j += 4) { GET_QUAD(b_line, j, b_tile, b_stage + p * kPitchN + j * kLanesN); }
        [[unroll]] for (uint i = 0; i < kRegM; i++) {
          [[unroll]] for (uint j = 0; j < kRegN; j++) sums[i * kRegN + j] += times(a_line[i], b_line[j]);
        }
      }
      stage ^= 1;
    }
    if (!more) break;
    const uint a_to = stage * kTileK * kPitchM, b_to = stage * kTileK * kPitchN;
    [[unroll]] for (uint q = 0; q < kQuadsA; q++) {
      const uvec2 place = place_of(local + q * kThreads, kTileM, kAlongM == 0u);
      const uint to = a_to + place.y * kPitchM + place.x;
      const Acc v0 = Acc(a_get(next_a[q], 0)), v1 = Acc(a_get(next_a[q], 1)), v2 = Acc(a_get(next_a[q], 2)), v3 = Acc(a_get(next_a[q], 3));
      if (kAlongM != 0u) {
        PUT_QUAD(a_tile, to, v0, v1, v2, v3);
      } else {
        ELEMENT(a_tile, to) = v0, ELEMENT(a_tile, to + kPitchM) = v1, ELEMENT(a_tile, to + 2 * kPitchM) = v2, ELEMENT(a_tile, to + 3 * kPitchM) = v3;
      }
    }
    [[unroll]] for (uint q = 0; q < kQuadsB; q++) {
      const uvec2 place = place_of(local + q * kThreads, kTileN, kAlongN == 0u);
      const uint to = b_to + place.y * kPitchN + place.x;
      const Acc v0 = Acc(b_get(next_b[q], 0)), v1 = Acc(b_get(next_b[q], 1)), v2 = Acc(b_get(next_b[q], 2)), v3 = Acc(b_get(next_b[q], 3));
      if (kAlongN != 0u) {
        PUT_QUAD(b_tile, to, v0, v1, v2, v3);
      } else {
        ELEMENT(b_tile, to) = v0, ELEMENT(b_tile, to + kPitchN) = v1, ELEMENT(b_tile, to + 2 * kPitchN) = v2, ELEMENT(b_tile, to + 3 * kPitchN) = v3;
      }
    }
    barrier();
  }

  [[unroll]] for (uint i = 0; i < kRegM; i++) {
    const uint row = m0 + y + i / 4 * 4 * kLanesM + i % 4;
    if (kWhole == 0u && row >= m) continue;
    [[unroll]] for (uint j = 0; j < kRegN; j += 4) {
      const uint column = n0 + x + j * kLanesN, to = job.unit * z_unit + row * z_m + column;
      const uint from = i * kRegN + j;
      if (kVectorZ != 0u) {
        if (kWhole == 0u && column >= n) continue;
        z_Vector v = z_zero();
        z_put(v, 0, sums[from]), z_put(v, 1, sums[from + 1]), z_put(v, 2, sums[from + 2]), z_put(v, 3, sums[from + 3]);
        z_store_vector(z, to / 4, v);
      } else {
        [[unroll]] for (uint e = 0; e < 4; e++) {
          if (column + e < n) z_store_element(z, to + e, sums[from + e]);
        }
      }
    }
  }
}
