// The arithmetic of COMPLEX, pairs of NUMBER; included by complex.glsl once a type.

COMPLEX negate_complex(COMPLEX a) { return COMPLEX(negate_bits(a.x), negate_bits(a.y)); }
COMPLEX conjugate(COMPLEX a) { return COMPLEX(a.x, negate_bits(a.y)); }
bool nonzero(COMPLEX a) { return nonzero(a.x) || nonzero(a.y); }
bool nan_bits(COMPLEX a) { return nan_bits(a.x) || nan_bits(a.y); }
bool infinity_bits(COMPLEX a) { return infinity_bits(a.x) || infinity_bits(a.y); }
bool finite(COMPLEX a) { return !nan_bits(a) && !infinity_bits(a); }
bool equal_complex(COMPLEX a, COMPLEX b) {
  return equal_to(a.x, b.x) && equal_to(a.y, b.y);
}

int exponent_of(COMPLEX a) { return exponent_of(at_least_as_large(a.x, a.y) ? a.x : a.y); }
COMPLEX scaled(COMPLEX a, int k) { return COMPLEX(scaled(a.x, k), scaled(a.y, k)); }
bool between_powers(COMPLEX a, int low, int high) {
  return between_powers(a.x, low, high) && between_powers(a.y, low, high);
}

NUMBER product(NUMBER a, NUMBER b) {
  const NUMBER p = a * b;
  return negligible(p) ? with_sign(NUMBER(0), p) : p;
}

// ±1 for a finite number, zeros stay.
NUMBER sign_only(NUMBER x) { return nan_bits(x) || infinity_bits(x) || !nonzero(x) ? x : with_sign(NUMBER(1), x); }
// ±1 for an infinity, else a zero of the number's sign.
NUMBER infinite_only(NUMBER x) { return with_sign(infinity_bits(x) ? NUMBER(1) : NUMBER(0), x); }
#define INFINITE NUMBER(uintBitsToFloat(kInfinityBits))
#define NOT_A_NUMBER NUMBER(uintBitsToFloat(kNanBits))
// A finite number with its larger part in [1, 2) and no part so small that products of it vanish.
COMPLEX leading(COMPLEX a) {
  if (!nonzero(a)) return a;
  const COMPLEX z = scaled(a, -exponent_of(a));
  const NUMBER least = NUMBER(8.67361737988403547e-19);  // 2^-60
  return COMPLEX(nonzero(a.x) && !at_least_as_large(z.x, least) ? with_sign(least, a.x) : z.x,
                 nonzero(a.y) && !at_least_as_large(z.y, least) ? with_sign(least, a.y) : z.y);
}

COMPLEX signs_only(COMPLEX a) { return COMPLEX(sign_only(a.x), sign_only(a.y)); }

// Where a points beside an infinity.
COMPLEX direction_of(COMPLEX a) {
  if (infinity_bits(a)) return COMPLEX(infinite_only(a.x), infinite_only(a.y));
  if (!nan_bits(a)) return leading(a);
  return COMPLEX(nan_bits(a.x) ? with_sign(NUMBER(0), a.x) : sign_only(a.x),
                 nan_bits(a.y) ? with_sign(NUMBER(0), a.y) : sign_only(a.y));
}

COMPLEX multiply_plainly(COMPLEX a, COMPLEX b) { return COMPLEX(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

COMPLEX multiply_unusual(COMPLEX a, COMPLEX b) {
  if (finite(a) && finite(b)) {
    const int p = exponent_of(a), q = exponent_of(b);
    a = scaled(a, ROOM - p);
    b = scaled(b, -q);
    return scaled(COMPLEX(product(a.x, b.x) - product(a.y, b.y), product(a.x, b.y) + product(a.y, b.x)), p + q - ROOM);
  }
  const COMPLEX z = multiply_plainly(signs_only(a), signs_only(b));
  if (!(nan_bits(z.x) && nan_bits(z.y)) || !(infinity_bits(a) || infinity_bits(b))) return z;
  const COMPLEX direction = multiply_plainly(direction_of(a), direction_of(b));
  return COMPLEX(INFINITE * direction.x, INFINITE * direction.y);
}

COMPLEX multiply_complex(COMPLEX a, COMPLEX b) {
  const bool usual =
      between_powers(a, LEAST_FACTOR, LARGEST_FACTOR) && between_powers(b, LEAST_FACTOR, LARGEST_FACTOR);
  if (usual || (!nonzero(a) && finite(b)) || (!nonzero(b) && finite(a))) return multiply_plainly(a, b);
  return multiply_unusual(a, b);
}

COMPLEX divide_unusual(COMPLEX a, COMPLEX b) {
  if (!nonzero(b)) {
    const NUMBER huge = with_sign(INFINITE, b.x);
    const COMPLEX signs = signs_only(a);
    return COMPLEX(huge * signs.x, huge * signs.y);
  }
  if (infinity_bits(a) && finite(b)) {
    a = direction_of(a);
    b = leading(b);
    return COMPLEX(INFINITE * (a.x * b.x + a.y * b.y), INFINITE * (a.y * b.x - a.x * b.y));
  }
  if (infinity_bits(b) && finite(a)) {
    a = leading(a);
    b = direction_of(b);
    return COMPLEX(with_sign(NUMBER(0), a.x * b.x + a.y * b.y), with_sign(NUMBER(0), a.y * b.x - a.x * b.y));
  }
  if (!finite(a) || !finite(b)) return COMPLEX(NOT_A_NUMBER, NOT_A_NUMBER);
  const int p = nonzero(a) ? exponent_of(a) : 0, q = exponent_of(b);
  a = scaled(a, ROOM - p);
  b = scaled(b, -q);
  const NUMBER length = product(b.x, b.x) + product(b.y, b.y);
  return scaled(COMPLEX(divide(product(a.x, b.x) + product(a.y, b.y), length),
                        divide(product(a.y, b.x) - product(a.x, b.y), length)),
                p - q - ROOM);
}

COMPLEX divide_complex(COMPLEX a, COMPLEX b) {
  if (nonzero(b) && between_powers(a, -QUOTIENT_RANGE, QUOTIENT_RANGE) && between_powers(b, -QUOTIENT_RANGE, QUOTIENT_RANGE)) {
    const NUMBER length = b.x * b.x + b.y * b.y;
    return COMPLEX(divide(a.x * b.x + a.y * b.y, length), divide(a.y * b.x - a.x * b.y, length));
  }
  return divide_unusual(a, b);
}

// The magnitude.
NUMBER abs_complex(COMPLEX a) {
  if (infinity_bits(a)) return INFINITE;
  if (nan_bits(a)) return NOT_A_NUMBER;
  if (!nonzero(a)) return NUMBER(0);
  const int p = exponent_of(a);
  a = scaled(a, -p);
  return scaled(square_root(product(a.x, a.x) + product(a.y, a.y)), p);
}

#undef INFINITE
#undef NOT_A_NUMBER
