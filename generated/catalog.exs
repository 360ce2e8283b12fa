# Written by python3 -m codegen from kernels/catalog. Do not edit.
%{
  types: [
    {:u2, :uint, 2},
    {:u4, :uint, 4},
    {:s2, :sint, 2},
    {:s4, :sint, 4},
    {:u8, :uint, 8},
    {:u16, :uint, 16},
    {:u32, :uint, 32},
    {:u64, :uint, 64},
    {:s8, :sint, 8},
    {:s16, :sint, 16},
    {:s32, :sint, 32},
    {:s64, :sint, 64},
    {:f8, :float, 8},
    {:f8_e4m3fn, :float, 8},
    {:bf16, :bfloat, 16},
    {:f16, :float, 16},
    {:f32, :float, 32},
    {:f64, :float, 64},
    {:c64, :complex, 64},
    {:c128, :complex, 128}
  ],
  ops: [
    %{
      name: :abs,
      family: :map1,
      inputs: 1,
      nx: :abs,
      types: ["bf16", "c128-f64", "c64-f32", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "absolute value"
    },
    %{
      name: :acos,
      family: :map1,
      inputs: 1,
      nx: :acos,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "arc cosine"
    },
    %{
      name: :acosh,
      family: :map1,
      inputs: 1,
      nx: :acosh,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "area hyperbolic cosine"
    },
    %{
      name: :add,
      family: :map2,
      inputs: 2,
      nx: :add,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "sum"
    },
    %{
      name: :all,
      family: :reduce,
      inputs: 1,
      nx: :all,
      types: ["bf16-u8", "c128-u8", "c64-u8", "f16-u8", "f32-u8", "f64-u8", "f8-u8", "f8_e4m3fn-u8", "s16-u8", "s32-u8", "s64-u8", "s8-u8", "u16-u8", "u32-u8", "u64-u8", "u8"],
      doc: "1 if no element is zero"
    },
    %{
      name: :any,
      family: :reduce,
      inputs: 1,
      nx: :any,
      types: ["bf16-u8", "c128-u8", "c64-u8", "f16-u8", "f32-u8", "f64-u8", "f8-u8", "f8_e4m3fn-u8", "s16-u8", "s32-u8", "s64-u8", "s8-u8", "u16-u8", "u32-u8", "u64-u8", "u8"],
      doc: "1 if an element isn't zero"
    },
    %{
      name: :argmax,
      family: :arg,
      inputs: 1,
      nx: :argmax,
      types: [],
      doc: "the index of the largest element; of the first NaN where there is one"
    },
    %{
      name: :argmin,
      family: :arg,
      inputs: 1,
      nx: :argmin,
      types: [],
      doc: "the index of the smallest element; of the first NaN where there is one"
    },
    %{
      name: :argsort,
      family: :sort,
      inputs: 1,
      nx: :argsort,
      types: [],
      doc: "where the elements are that come first, second and so on"
    },
    %{
      name: :as_type,
      family: :cast,
      inputs: 1,
      nx: :as_type,
      types: ["bf16-c128", "bf16-c64", "bf16-f16", "bf16-f32", "bf16-f64", "bf16-f8", "bf16-f8_e4m3fn", "bf16-s16", "bf16-s32", "bf16-s64", "bf16-s8", "bf16-u16", "bf16-u32", "bf16-u64", "bf16-u8", "c128-bf16", "c128-c64", "c128-f16", "c128-f32", "c128-f64", "c128-f8", "c128-f8_e4m3fn", "c128-s16", "c128-s32", "c128-s64", "c128-s8", "c128-u16", "c128-u32", "c128-u64", "c128-u8", "c64-bf16", "c64-c128", "c64-f16", "c64-f32", "c64-f64", "c64-f8", "c64-f8_e4m3fn", "c64-s16", "c64-s32", "c64-s64", "c64-s8", "c64-u16", "c64-u32", "c64-u64", "c64-u8", "f16-bf16", "f16-c128", "f16-c64", "f16-f32", "f16-f64", "f16-f8", "f16-f8_e4m3fn", "f16-s16", "f16-s32", "f16-s64", "f16-s8", "f16-u16", "f16-u32", "f16-u64", "f16-u8", "f32-bf16", "f32-c128", "f32-c64", "f32-f16", "f32-f64", "f32-f8", "f32-f8_e4m3fn", "f32-s16", "f32-s32", "f32-s64", "f32-s8", "f32-u16", "f32-u32", "f32-u64", "f32-u8", "f64-bf16", "f64-c128", "f64-c64", "f64-f16", "f64-f32", "f64-f8", "f64-f8_e4m3fn", "f64-s16", "f64-s32", "f64-s64", "f64-s8", "f64-u16", "f64-u32", "f64-u64", "f64-u8", "f8-bf16", "f8-c128", "f8-c64", "f8-f16", "f8-f32", "f8-f64", "f8-f8_e4m3fn", "f8-s16", "f8-s32", "f8-s64", "f8-s8", "f8-u16", "f8-u32", "f8-u64", "f8-u8", "f8_e4m3fn-bf16", "f8_e4m3fn-c128", "f8_e4m3fn-c64", "f8_e4m3fn-f16", "f8_e4m3fn-f32", "f8_e4m3fn-f64", "f8_e4m3fn-f8", "f8_e4m3fn-s16", "f8_e4m3fn-s32", "f8_e4m3fn-s64", "f8_e4m3fn-s8", "f8_e4m3fn-u16", "f8_e4m3fn-u32", "f8_e4m3fn-u64", "f8_e4m3fn-u8", "s16-bf16", "s16-c128", "s16-c64", "s16-f16", "s16-f32", "s16-f64", "s16-f8", "s16-f8_e4m3fn", "s16-s32", "s16-s64", "s16-s8", "s16-u16", "s16-u32", "s16-u64", "s16-u8", "s32-bf16", "s32-c128", "s32-c64", "s32-f16", "s32-f32", "s32-f64", "s32-f8", "s32-f8_e4m3fn", "s32-s16", "s32-s64", "s32-s8", "s32-u16", "s32-u32", "s32-u64", "s32-u8", "s64-bf16", "s64-c128", "s64-c64", "s64-f16", "s64-f32", "s64-f64", "s64-f8", "s64-f8_e4m3fn", "s64-s16", "s64-s32", "s64-s8", "s64-u16", "s64-u32", "s64-u64", "s64-u8", "s8-bf16", "s8-c128", "s8-c64", "s8-f16", "s8-f32", "s8-f64", "s8-f8", "s8-f8_e4m3fn", "s8-s16", "s8-s32", "s8-s64", "s8-u16", "s8-u32", "s8-u64", "s8-u8", "u16-bf16", "u16-c128", "u16-c64", "u16-f16", "u16-f32", "u16-f64", "u16-f8", "u16-f8_e4m3fn", "u16-s16", "u16-s32", "u16-s64", "u16-s8", "u16-u32", "u16-u64", "u16-u8", "u32-bf16", "u32-c128", "u32-c64", "u32-f16", "u32-f32", "u32-f64", "u32-f8", "u32-f8_e4m3fn", "u32-s16", "u32-s32", "u32-s64", "u32-s8", "u32-u16", "u32-u64", "u32-u8", "u64-bf16", "u64-c128", "u64-c64", "u64-f16", "u64-f32", "u64-f64", "u64-f8", "u64-f8_e4m3fn", "u64-s16", "u64-s32", "u64-s64", "u64-s8", "u64-u16", "u64-u32", "u64-u8", "u8-bf16", "u8-c128", "u8-c64", "u8-f16", "u8-f32", "u8-f64", "u8-f8", "u8-f8_e4m3fn", "u8-s16", "u8-s32", "u8-s64", "u8-s8", "u8-u16", "u8-u32", "u8-u64"],
      doc: "conversion: floats truncate and saturate, integers wrap, numbers round to nearest even"
    },
    %{
      name: :asin,
      family: :map1,
      inputs: 1,
      nx: :asin,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "arc sine"
    },
    %{
      name: :asinh,
      family: :map1,
      inputs: 1,
      nx: :asinh,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "area hyperbolic sine"
    },
    %{
      name: :atan,
      family: :map1,
      inputs: 1,
      nx: :atan,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "arc tangent"
    },
    %{
      name: :atan2,
      family: :map2,
      inputs: 2,
      nx: :atan2,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "the angle of the point (b, a)"
    },
    %{
      name: :atanh,
      family: :map1,
      inputs: 1,
      nx: :atanh,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "area hyperbolic tangent"
    },
    %{
      name: :bitcast,
      family: :copy,
      inputs: 1,
      nx: :bitcast,
      types: [],
      doc: "the same bits as another type of the same width"
    },
    %{
      name: :bitwise_and,
      family: :map2,
      inputs: 2,
      nx: :bitwise_and,
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "bits set in both"
    },
    %{
      name: :bitwise_not,
      family: :map1,
      inputs: 1,
      nx: :bitwise_not,
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "every bit inverted"
    },
    %{
      name: :bitwise_or,
      family: :map2,
      inputs: 2,
      nx: :bitwise_or,
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "bits set in either"
    },
    %{
      name: :bitwise_xor,
      family: :map2,
      inputs: 2,
      nx: :bitwise_xor,
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
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
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "cube root"
    },
    %{
      name: :ceil,
      family: :map1,
      inputs: 1,
      nx: :ceil,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the least whole number at or above"
    },
    %{
      name: :clip,
      family: :map3,
      inputs: 3,
      nx: :clip,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
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
      name: :conjugate,
      family: :map1,
      inputs: 1,
      nx: :conjugate,
      types: ["c128", "c64"],
      doc: "x - y·i for x + y·i"
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
      name: :conv,
      family: :conv,
      inputs: 2,
      nx: :conv,
      types: ["bf16", "bf16-f32", "c128", "c64", "f16", "f16-f32", "f32", "f64", "f8", "f8-f32", "f8_e4m3fn", "f8_e4m3fn-f32"],
      doc: "products of a kernel with the input under it, added up over its positions and channels"
    },
    %{
      name: :cos,
      family: :map1,
      inputs: 1,
      nx: :cos,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "cosine"
    },
    %{
      name: :cosh,
      family: :map1,
      inputs: 1,
      nx: :cosh,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "hyperbolic cosine"
    },
    %{
      name: :count_leading_zeros,
      family: :map1,
      inputs: 1,
      nx: :count_leading_zeros,
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "zero bits above the highest one"
    },
    %{
      name: :cumulative_max,
      family: :scan,
      inputs: 1,
      nx: :cumulative_max,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the largest so far; NaN from the first one on"
    },
    %{
      name: :cumulative_min,
      family: :scan,
      inputs: 1,
      nx: :cumulative_min,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the smallest so far; NaN from the first one on"
    },
    %{
      name: :cumulative_product,
      family: :scan,
      inputs: 1,
      nx: :cumulative_product,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "running products"
    },
    %{
      name: :cumulative_sum,
      family: :scan,
      inputs: 1,
      nx: :cumulative_sum,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "running sums"
    },
    %{
      name: :digamma,
      family: :map1,
      inputs: 1,
      nx: nil,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "Γ'(a) / Γ(a); below 0 the steps are those of its largest term"
    },
    %{
      name: :divide,
      family: :map2,
      inputs: 2,
      nx: :divide,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "quotient, correctly rounded; of complex numbers within the bound"
    },
    %{
      name: :dot,
      family: :dot,
      inputs: 2,
      nx: :dot,
      types: ["bf16", "bf16-f32", "c128", "c64", "f16", "f16-f32", "f32", "f64", "f8", "f8-f32", "f8_e4m3fn", "f8_e4m3fn-f32", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the sum of products over the contracted axes"
    },
    %{
      name: :equal,
      family: :map2,
      inputs: 2,
      nx: :equal,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a = b"
    },
    %{
      name: :erf,
      family: :map1,
      inputs: 1,
      nx: :erf,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "error function"
    },
    %{
      name: :erf_inv,
      family: :map1,
      inputs: 1,
      nx: :erf_inv,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "inverse of the error function"
    },
    %{
      name: :erfc,
      family: :map1,
      inputs: 1,
      nx: :erfc,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "1 - erf(a)"
    },
    %{
      name: :exp,
      family: :map1,
      inputs: 1,
      nx: :exp,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "e to the a-th"
    },
    %{
      name: :expm1,
      family: :map1,
      inputs: 1,
      nx: :expm1,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "e to the a-th, less 1"
    },
    %{
      name: :extremum,
      family: :arg,
      inputs: 1,
      nx: nil,
      types: ["b16-b32", "b32", "b64-b32", "b8-b32"],
      doc: "the kernels behind the operations of this family"
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
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
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
      name: :gather,
      family: :indexed,
      inputs: 1,
      nx: :gather,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "the slices that the last axis of indices names"
    },
    %{
      name: :greater,
      family: :map2,
      inputs: 2,
      nx: :greater,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a > b"
    },
    %{
      name: :greater_equal,
      family: :map2,
      inputs: 2,
      nx: :greater_equal,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a ≥ b"
    },
    %{
      name: :identity,
      family: :map1,
      inputs: 1,
      nx: nil,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "the operand itself"
    },
    %{
      name: :imag,
      family: :map1,
      inputs: 1,
      nx: :imag,
      types: ["c128-f64", "c64-f32"],
      doc: "the imaginary part"
    },
    %{
      name: :index_claims,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: ["b32"],
      doc: "the last update of each slice"
    },
    %{
      name: :index_rank,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: ["b32"],
      doc: "sorting: by a digit, equal ones in their order"
    },
    %{
      name: :index_scan,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: ["b32"],
      doc: "sorting: running sums of counters"
    },
    %{
      name: :index_slots,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: ["b32"],
      doc: "where updates go: the number of the slice, and its place"
    },
    %{
      name: :index_sum,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: ["b32", "b64"],
      doc: "indexed_add of integers that atomics can add, in any order"
    },
    %{
      name: :index_tally,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: ["b32"],
      doc: "sorting: how often each digit stands in a tile"
    },
    %{
      name: :indexed_add,
      family: :indexed,
      inputs: 1,
      nx: :indexed_add,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s8", "u16", "u8"],
      doc: "slices plus updates, added one by one in the order of their indices"
    },
    %{
      name: :indexed_put,
      family: :indexed,
      inputs: 1,
      nx: :indexed_put,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "slices replaced by updates; of several for one the last counts"
    },
    %{
      name: :iota,
      family: :fill,
      inputs: 0,
      nx: :iota,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "counters along an axis or over all elements"
    },
    %{
      name: :is_infinity,
      family: :map1,
      inputs: 1,
      nx: :is_infinity,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "1 for both infinities"
    },
    %{
      name: :is_nan,
      family: :map1,
      inputs: 1,
      nx: :is_nan,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "1 for every NaN"
    },
    %{
      name: :left_shift,
      family: :map2,
      inputs: 2,
      nx: :left_shift,
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a · 2^b; 0 for amounts past the width"
    },
    %{
      name: :less,
      family: :map2,
      inputs: 2,
      nx: :less,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a < b"
    },
    %{
      name: :less_equal,
      family: :map2,
      inputs: 2,
      nx: :less_equal,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a ≤ b"
    },
    %{
      name: :lgamma,
      family: :map1,
      inputs: 1,
      nx: nil,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "log |Γ(a)|; below 0 the steps are those of its largest term"
    },
    %{
      name: :log,
      family: :map1,
      inputs: 1,
      nx: :log,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "natural logarithm"
    },
    %{
      name: :log1p,
      family: :map1,
      inputs: 1,
      nx: :log1p,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "logarithm of 1 + a"
    },
    %{
      name: :logical,
      family: :map1,
      inputs: 1,
      nx: nil,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "1 where the operand isn't zero, NaN included"
    },
    %{
      name: :logical_and,
      family: :map2,
      inputs: 2,
      nx: :logical_and,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "1 where neither is zero"
    },
    %{
      name: :logical_not,
      family: :map1,
      inputs: 1,
      nx: :logical_not,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "1 where the operand is zero"
    },
    %{
      name: :logical_or,
      family: :map2,
      inputs: 2,
      nx: :logical_or,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "1 where not both are zero"
    },
    %{
      name: :logical_xor,
      family: :map2,
      inputs: 2,
      nx: :logical_xor,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "1 where one only is zero"
    },
    %{
      name: :max,
      family: :map2,
      inputs: 2,
      nx: :max,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the greater one; NaN where one is, -0 below +0"
    },
    %{
      name: :min,
      family: :map2,
      inputs: 2,
      nx: :min,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
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
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "product"
    },
    %{
      name: :negate,
      family: :map1,
      inputs: 1,
      nx: :negate,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "0 - a, with the sign of floats inverted"
    },
    %{
      name: :not_equal,
      family: :map2,
      inputs: 2,
      nx: :not_equal,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a ≠ b"
    },
    %{
      name: :operand,
      family: :link,
      inputs: 0,
      nx: nil,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "loads and stores of one type, a vector or an element at a time"
    },
    %{
      name: :order,
      family: :sort,
      inputs: 1,
      nx: nil,
      types: ["b16", "b32", "b64", "b8"],
      doc: "the kernels behind the operations of this family"
    },
    %{
      name: :pack,
      family: :packed,
      inputs: 1,
      nx: nil,
      types: ["b8"],
      doc: "the low bits of bytes side by side"
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
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "bits that are set"
    },
    %{
      name: :pow,
      family: :map2,
      inputs: 2,
      nx: :pow,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a to the b-th; integers wrap, and negative exponents give 0, or ±1 for bases ±1; of complex numbers in steps of 1 + |b · log a|"
    },
    %{
      name: :product,
      family: :reduce,
      inputs: 1,
      nx: :product,
      types: ["bf16", "bf16-f32", "c128", "c64", "f16", "f16-f32", "f32", "f64", "f8", "f8-f32", "f8_e4m3fn", "f8_e4m3fn-f32", "s16-s32", "s32", "s64", "s8-s32", "u16-u32", "u32", "u64-s64", "u8-u32"],
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
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "a / b towards zero; -1 for b = 0"
    },
    %{
      name: :real,
      family: :map1,
      inputs: 1,
      nx: :real,
      types: ["c128-f64", "c64-f32"],
      doc: "the real part"
    },
    %{
      name: :reduce_max,
      family: :reduce,
      inputs: 1,
      nx: :reduce_max,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the largest; NaN where there is one"
    },
    %{
      name: :reduce_min,
      family: :reduce,
      inputs: 1,
      nx: :reduce_min,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the smallest; NaN where there is one"
    },
    %{
      name: :remainder,
      family: :map2,
      inputs: 2,
      nx: :remainder,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
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
      types: ["s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "⌊a / 2^b⌋; 0 or -1 for amounts past the width"
    },
    %{
      name: :round,
      family: :map1,
      inputs: 1,
      nx: :round,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the nearest whole number, halves away from zero"
    },
    %{
      name: :rsqrt,
      family: :map1,
      inputs: 1,
      nx: :rsqrt,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "1 / √a"
    },
    %{
      name: :select,
      family: :map3,
      inputs: 3,
      nx: :select,
      types: ["b128", "b16", "b32", "b64", "b8"],
      doc: "b where a isn't zero, else c"
    },
    %{
      name: :sigmoid,
      family: :map1,
      inputs: 1,
      nx: :sigmoid,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "1 / (1 + exp(-a))"
    },
    %{
      name: :sign,
      family: :map1,
      inputs: 1,
      nx: :sign,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "-1, 0 or 1; zeros and NaN stay"
    },
    %{
      name: :sin,
      family: :map1,
      inputs: 1,
      nx: :sin,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "sine"
    },
    %{
      name: :sinh,
      family: :map1,
      inputs: 1,
      nx: :sinh,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
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
      name: :sort,
      family: :sort,
      inputs: 1,
      nx: :sort,
      types: [],
      doc: "elements in order"
    },
    %{
      name: :sqrt,
      family: :map1,
      inputs: 1,
      nx: :sqrt,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
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
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "difference"
    },
    %{
      name: :sum,
      family: :reduce,
      inputs: 1,
      nx: :sum,
      types: ["bf16", "bf16-f32", "c128", "c64", "f16", "f16-f32", "f32", "f64", "f8", "f8-f32", "f8_e4m3fn", "f8_e4m3fn-f32", "s16-s32", "s32", "s64", "s8-s32", "u16-u32", "u32", "u64-s64", "u8-u32"],
      doc: "the sum"
    },
    %{
      name: :take,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: [],
      doc: "slices along an axis by a tensor of indices"
    },
    %{
      name: :take_along_axis,
      family: :indexed,
      inputs: 1,
      nx: nil,
      types: [],
      doc: "elements along an axis, an index each"
    },
    %{
      name: :tan,
      family: :map1,
      inputs: 1,
      nx: :tan,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "tangent"
    },
    %{
      name: :tanh,
      family: :map1,
      inputs: 1,
      nx: :tanh,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn"],
      doc: "hyperbolic tangent"
    },
    %{
      name: :top_k,
      family: :sort,
      inputs: 1,
      nx: nil,
      types: [],
      doc: "the k largest along the last axis, and where they are"
    },
    %{
      name: :transpose,
      family: :copy,
      inputs: 1,
      nx: :transpose,
      types: [],
      doc: "permutes the axes"
    },
    %{
      name: :unpack,
      family: :packed,
      inputs: 1,
      nx: nil,
      types: ["b8"],
      doc: "packed elements, a byte each"
    },
    %{
      name: :window_collect,
      family: :window_scatter,
      inputs: 1,
      nx: nil,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "adds up, for each element, the values of the windows that picked it"
    },
    %{
      name: :window_max,
      family: :window,
      inputs: 1,
      nx: :window_max,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the largest; NaN where there is one"
    },
    %{
      name: :window_min,
      family: :window,
      inputs: 1,
      nx: :window_min,
      types: ["bf16", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the smallest; NaN where there is one"
    },
    %{
      name: :window_product,
      family: :window,
      inputs: 1,
      nx: :window_product,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the product"
    },
    %{
      name: :window_scatter_max,
      family: :window_scatter,
      inputs: 1,
      nx: :window_scatter_max,
      types: ["bf16-u32", "f16-u32", "f32-u32", "f64-u32", "f8-u32", "f8_e4m3fn-u32", "s16-u32", "s32-u32", "s64-u32", "s8-u32", "u16-u32", "u32", "u64-u32", "u8-u32"],
      doc: "the initial value, and to the last largest element of each window its value of the source added"
    },
    %{
      name: :window_scatter_min,
      family: :window_scatter,
      inputs: 1,
      nx: :window_scatter_min,
      types: ["bf16-u32", "f16-u32", "f32-u32", "f64-u32", "f8-u32", "f8_e4m3fn-u32", "s16-u32", "s32-u32", "s64-u32", "s8-u32", "u16-u32", "u32", "u64-u32", "u8-u32"],
      doc: "the initial value, and to the last smallest element of each window its value of the source added"
    },
    %{
      name: :window_sum,
      family: :window,
      inputs: 1,
      nx: :window_sum,
      types: ["bf16", "c128", "c64", "f16", "f32", "f64", "f8", "f8_e4m3fn", "s16", "s32", "s64", "s8", "u16", "u32", "u64", "u8"],
      doc: "the sum"
    }
  ]
}
