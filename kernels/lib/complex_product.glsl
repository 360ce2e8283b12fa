#pragma once
// The product of complex numbers by the plain formula: a reduction does without what complex.glsl does for parts that overflow or
// become subnormal on the way. Ones, which fill the ends of the tree, change nothing: 0 · ∞ and signs of zero would show, and drivers
// fold products with constants in their own ways.
#ifdef Z_COMPLEX
Z_COMPUTE multiply_complex(Z_COMPUTE a, Z_COMPUTE b) {
  const Z_COMPUTE one = Z_COMPUTE(1, 0);
  if (a == one) return b;
  if (b == one) return a;
  return Z_COMPUTE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
#endif
