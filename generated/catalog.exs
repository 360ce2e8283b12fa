# Written by python3 -m codegen from kernels/catalog. Do not edit.
%{
  types: [
    {:u8, :uint, 8},
    {:u32, :uint, 32},
    {:s32, :sint, 32},
    {:s64, :sint, 64},
    {:f32, :float, 32},
    {:f64, :float, 64}
  ],
  ops: [
    %{
      name: :abs,
      family: :map1,
      inputs: 1,
      nx: :abs,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "absolute value"
    },
    %{
      name: :acos,
      family: :map1,
      inputs: 1,
      nx: :acos,
      types: ["f64"],
      doc: "arc cosine"
    },
    %{
      name: :acosh,
      family: :map1,
      inputs: 1,
      nx: :acosh,
      types: ["f64"],
      doc: "area hyperbolic cosine"
    },
    %{
      name: :add,
      family: :map2,
      inputs: 2,
      nx: :add,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "sum"
    },
    %{
      name: :all,
      family: :reduce,
      inputs: 1,
      nx: :all,
      types: ["f32-u8", "f64-u8", "s32-u8", "s64-u8", "u32-u8", "u8"],
      doc: "1 if no element is zero"
    },
    %{
      name: :any,
      family: :reduce,
      inputs: 1,
      nx: :any,
      types: ["f32-u8", "f64-u8", "s32-u8", "s64-u8", "u32-u8", "u8"],
      doc: "1 if an element isn't zero"
    },
    %{
      name: :as_type,
      family: :cast,
      inputs: 1,
      nx: :as_type,
      types: ["f32-f64", "f32-s32", "f32-s64", "f32-u32", "f32-u8", "f64-f32", "f64-s32", "f64-s64", "f64-u32", "f64-u8", "s32-f32", "s32-f64", "s32-s64", "s32-u32", "s32-u8", "s64-f32", "s64-f64", "s64-s32", "s64-u32", "s64-u8", "u32-f32", "u32-f64", "u32-s32", "u32-s64", "u32-u8", "u8-f32", "u8-f64", "u8-s32", "u8-s64", "u8-u32"],
      doc: "conversion: floats truncate and saturate, integers wrap, numbers round to nearest even"
    },
    %{
      name: :asin,
      family: :map1,
      inputs: 1,
      nx: :asin,
      types: ["f64"],
      doc: "arc sine"
    },
    %{
      name: :asinh,
      family: :map1,
      inputs: 1,
      nx: :asinh,
      types: ["f64"],
      doc: "area hyperbolic sine"
    },
    %{
      name: :atan,
      family: :map1,
      inputs: 1,
      nx: :atan,
      types: ["f64"],
      doc: "arc tangent"
    },
    %{
      name: :atan2,
      family: :map2,
      inputs: 2,
      nx: :atan2,
      types: ["f64"],
      doc: "the angle of the point (b, a)"
    },
    %{
      name: :atanh,
      family: :map1,
      inputs: 1,
      nx: :atanh,
      types: ["f64"],
      doc: "area hyperbolic tangent"
    },
    %{
      name: :bitwise_and,
      family: :map2,
      inputs: 2,
      nx: :bitwise_and,
      types: ["s32", "s64", "u32", "u8"],
      doc: "bits set in both"
    },
    %{
      name: :bitwise_not,
      family: :map1,
      inputs: 1,
      nx: :bitwise_not,
      types: ["s32", "s64", "u32", "u8"],
      doc: "every bit inverted"
    },
    %{
      name: :bitwise_or,
      family: :map2,
      inputs: 2,
      nx: :bitwise_or,
      types: ["s32", "s64", "u32", "u8"],
      doc: "bits set in either"
    },
    %{
      name: :bitwise_xor,
      family: :map2,
      inputs: 2,
      nx: :bitwise_xor,
      types: ["s32", "s64", "u32", "u8"],
      doc: "bits set in one only"
    },
    %{
      name: :broadcast,
      family: :copy,
      inputs: 1,
      nx: :broadcast,
      types: [],
      doc: "repeats elements along new or stretched axes"
    },
    %{
      name: :cbrt,
      family: :map1,
      inputs: 1,
      nx: :cbrt,
      types: ["f64"],
      doc: "cube root"
    },
    %{
      name: :ceil,
      family: :map1,
      inputs: 1,
      nx: :ceil,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the least whole number at or above"
    },
    %{
      name: :clip,
      family: :map3,
      inputs: 3,
      nx: :clip,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a between b and c, c applied last"
    },
    %{
      name: :concatenate,
      family: :copy,
      inputs: 1,
      nx: :concatenate,
      types: [],
      doc: "tensors one after the other along an axis"
    },
    %{
      name: :constant,
      family: :fill,
      inputs: 0,
      nx: nil,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "one number in every element"
    },
    %{
      name: :cos,
      family: :map1,
      inputs: 1,
      nx: :cos,
      types: ["f64"],
      doc: "cosine"
    },
    %{
      name: :cosh,
      family: :map1,
      inputs: 1,
      nx: :cosh,
      types: ["f64"],
      doc: "hyperbolic cosine"
    },
    %{
      name: :count_leading_zeros,
      family: :map1,
      inputs: 1,
      nx: :count_leading_zeros,
      types: ["s32", "s64", "u32", "u8"],
      doc: "zero bits above the highest one"
    },
    %{
      name: :divide,
      family: :map2,
      inputs: 2,
      nx: :divide,
      types: ["f32", "f64"],
      doc: "quotient, correctly rounded"
    },
    %{
      name: :dot,
      family: :dot,
      inputs: 2,
      nx: :dot,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the sum of products over the contracted axes"
    },
    %{
      name: :equal,
      family: :map2,
      inputs: 2,
      nx: :equal,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a = b"
    },
    %{
      name: :erf,
      family: :map1,
      inputs: 1,
      nx: :erf,
      types: ["f64"],
      doc: "error function"
    },
    %{
      name: :erf_inv,
      family: :map1,
      inputs: 1,
      nx: :erf_inv,
      types: ["f64"],
      doc: "inverse of the error function"
    },
    %{
      name: :erfc,
      family: :map1,
      inputs: 1,
      nx: :erfc,
      types: ["f64"],
      doc: "1 - erf(a)"
    },
    %{
      name: :exp,
      family: :map1,
      inputs: 1,
      nx: :exp,
      types: ["f64"],
      doc: "e to the a-th"
    },
    %{
      name: :expm1,
      family: :map1,
      inputs: 1,
      nx: :expm1,
      types: ["f64"],
      doc: "e to the a-th, less 1"
    },
    %{
      name: :eye,
      family: :fill,
      inputs: 0,
      nx: :eye,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "ones on the diagonal of the last two axes"
    },
    %{
      name: :floor,
      family: :map1,
      inputs: 1,
      nx: :floor,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the greatest whole number at or below"
    },
    %{
      name: :frame,
      family: :link,
      inputs: 0,
      nx: nil,
      types: ["b32"],
      doc: "the entry point: which vectors an invocation computes, and where the operands are"
    },
    %{
      name: :greater,
      family: :map2,
      inputs: 2,
      nx: :greater,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a > b"
    },
    %{
      name: :greater_equal,
      family: :map2,
      inputs: 2,
      nx: :greater_equal,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a ≥ b"
    },
    %{
      name: :identity,
      family: :map1,
      inputs: 1,
      nx: nil,
      types: ["b32", "b64", "b8"],
      doc: "the operand itself"
    },
    %{
      name: :iota,
      family: :fill,
      inputs: 0,
      nx: :iota,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "counters along an axis or over all elements"
    },
    %{
      name: :is_infinity,
      family: :map1,
      inputs: 1,
      nx: :is_infinity,
      types: ["f32", "f64"],
      doc: "1 for both infinities"
    },
    %{
      name: :is_nan,
      family: :map1,
      inputs: 1,
      nx: :is_nan,
      types: ["f32", "f64"],
      doc: "1 for every NaN"
    },
    %{
      name: :left_shift,
      family: :map2,
      inputs: 2,
      nx: :left_shift,
      types: ["s32", "s64", "u32", "u8"],
      doc: "a · 2^b; 0 for amounts past the width"
    },
    %{
      name: :less,
      family: :map2,
      inputs: 2,
      nx: :less,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a < b"
    },
    %{
      name: :less_equal,
      family: :map2,
      inputs: 2,
      nx: :less_equal,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a ≤ b"
    },
    %{
      name: :log,
      family: :map1,
      inputs: 1,
      nx: :log,
      types: ["f64"],
      doc: "natural logarithm"
    },
    %{
      name: :log1p,
      family: :map1,
      inputs: 1,
      nx: :log1p,
      types: ["f64"],
      doc: "logarithm of 1 + a"
    },
    %{
      name: :logical,
      family: :map1,
      inputs: 1,
      nx: nil,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "1 where the operand isn't zero, NaN included"
    },
    %{
      name: :logical_and,
      family: :map2,
      inputs: 2,
      nx: :logical_and,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "1 where neither is zero"
    },
    %{
      name: :logical_not,
      family: :map1,
      inputs: 1,
      nx: :logical_not,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "1 where the operand is zero"
    },
    %{
      name: :logical_or,
      family: :map2,
      inputs: 2,
      nx: :logical_or,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "1 where not both are zero"
    },
    %{
      name: :logical_xor,
      family: :map2,
      inputs: 2,
      nx: :logical_xor,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "1 where one only is zero"
    },
    %{
      name: :max,
      family: :map2,
      inputs: 2,
      nx: :max,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the greater one; NaN where one is, -0 below +0"
    },
    %{
      name: :min,
      family: :map2,
      inputs: 2,
      nx: :min,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the lesser one; NaN where one is, -0 below +0"
    },
    %{
      name: :move,
      family: :copy,
      inputs: 1,
      nx: nil,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "the kernels behind the operations of this family"
    },
    %{
      name: :multiply,
      family: :map2,
      inputs: 2,
      nx: :multiply,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "product"
    },
    %{
      name: :negate,
      family: :map1,
      inputs: 1,
      nx: :negate,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "0 - a, with the sign of floats inverted"
    },
    %{
      name: :not_equal,
      family: :map2,
      inputs: 2,
      nx: :not_equal,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "a ≠ b"
    },
    %{
      name: :operand,
      family: :link,
      inputs: 0,
      nx: nil,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "loads and stores of one type, a vector or an element at a time"
    },
    %{
      name: :pad,
      family: :copy,
      inputs: 1,
      nx: :pad,
      types: [],
      doc: "a value before, after and between elements; negative amounts crop"
    },
    %{
      name: :population_count,
      family: :map1,
      inputs: 1,
      nx: :population_count,
      types: ["s32", "s64", "u32", "u8"],
      doc: "bits that are set"
    },
    %{
      name: :pow,
      family: :map2,
      inputs: 2,
      nx: :pow,
      types: ["s32", "s64", "u32", "u8"],
      doc: "a to the b-th, wrapping; negative exponents give 0, or ±1 for bases ±1"
    },
    %{
      name: :product,
      family: :reduce,
      inputs: 1,
      nx: :product,
      types: ["f32", "f64", "s32", "s64", "u32", "u8", "u8-u32"],
      doc: "the product"
    },
    %{
      name: :put_slice,
      family: :copy,
      inputs: 1,
      nx: :put_slice,
      types: [],
      doc: "a tensor with a box replaced; starts are clamped, and may be tensors"
    },
    %{
      name: :quotient,
      family: :map2,
      inputs: 2,
      nx: :quotient,
      types: ["s32", "s64", "u32", "u8"],
      doc: "a / b towards zero; -1 for b = 0"
    },
    %{
      name: :reduce_max,
      family: :reduce,
      inputs: 1,
      nx: :reduce_max,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the largest; NaN where there is one"
    },
    %{
      name: :reduce_min,
      family: :reduce,
      inputs: 1,
      nx: :reduce_min,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the smallest; NaN where there is one"
    },
    %{
      name: :remainder,
      family: :map2,
      inputs: 2,
      nx: :remainder,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "what the division leaves, exact, with the sign of a; a for integers by 0"
    },
    %{
      name: :reverse,
      family: :copy,
      inputs: 1,
      nx: :reverse,
      types: [],
      doc: "turns axes round"
    },
    %{
      name: :right_shift,
      family: :map2,
      inputs: 2,
      nx: :right_shift,
      types: ["s32", "s64", "u32", "u8"],
      doc: "⌊a / 2^b⌋; 0 or -1 for amounts past the width"
    },
    %{
      name: :round,
      family: :map1,
      inputs: 1,
      nx: :round,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "the nearest whole number, halves away from zero"
    },
    %{
      name: :rsqrt,
      family: :map1,
      inputs: 1,
      nx: :rsqrt,
      types: ["f64"],
      doc: "1 / √a"
    },
    %{
      name: :select,
      family: :map3,
      inputs: 3,
      nx: :select,
      types: ["b32", "b64", "b8"],
      doc: "b where a isn't zero, else c"
    },
    %{
      name: :sigmoid,
      family: :map1,
      inputs: 1,
      nx: :sigmoid,
      types: ["f64"],
      doc: "1 / (1 + exp(-a))"
    },
    %{
      name: :sign,
      family: :map1,
      inputs: 1,
      nx: :sign,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "-1, 0 or 1; zeros and NaN stay"
    },
    %{
      name: :sin,
      family: :map1,
      inputs: 1,
      nx: :sin,
      types: ["f64"],
      doc: "sine"
    },
    %{
      name: :sinh,
      family: :map1,
      inputs: 1,
      nx: :sinh,
      types: ["f64"],
      doc: "hyperbolic sine"
    },
    %{
      name: :slice,
      family: :copy,
      inputs: 1,
      nx: :slice,
      types: [],
      doc: "a box with strides; starts are clamped, and may be tensors"
    },
    %{
      name: :sqrt,
      family: :map1,
      inputs: 1,
      nx: :sqrt,
      types: ["f32", "f64"],
      doc: "square root, correctly rounded"
    },
    %{
      name: :stack,
      family: :copy,
      inputs: 1,
      nx: :stack,
      types: [],
      doc: "tensors side by side along a new axis"
    },
    %{
      name: :subtract,
      family: :map2,
      inputs: 2,
      nx: :subtract,
      types: ["f32", "f64", "s32", "s64", "u32", "u8"],
      doc: "difference"
    },
    %{
      name: :sum,
      family: :reduce,
      inputs: 1,
      nx: :sum,
      types: ["f32", "f64", "s32", "s64", "u32", "u8", "u8-u32"],
      doc: "the sum"
    },
    %{
      name: :tan,
      family: :map1,
      inputs: 1,
      nx: :tan,
      types: ["f64"],
      doc: "tangent"
    },
    %{
      name: :tanh,
      family: :map1,
      inputs: 1,
      nx: :tanh,
      types: ["f64"],
      doc: "hyperbolic tangent"
    },
    %{
      name: :transpose,
      family: :copy,
      inputs: 1,
      nx: :transpose,
      types: [],
      doc: "permutes the axes"
    }
  ]
}
