#pragma once
// The product of complex numbers by the plain formula: a reduction does without what complex.glsl does for parts that overflow or
// become subnormal on the way.
#ifdef Z_COMPLEX
Z_COMPUTE multiply_complex(Z_COMPUTE a, Z_COMPUTE b) { return Z_COMPUTE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
#endif
