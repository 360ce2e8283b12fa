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
      name: :probe_add,
      family: :probe_add,
      inputs: 2,
      nx: nil,
      types: ["f32"],
      doc: "z = a + b"
    },
    %{
      name: :probe_sum,
      family: :probe_sum,
      inputs: 1,
      nx: nil,
      types: ["f32"],
      doc: "z = the sums of parts of a"
    }
  ]
}
