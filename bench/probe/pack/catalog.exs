# Written by python3 -m codegen from kernels/catalog. Do not edit.
%{
  types: [
    {:f32, :float, 32}
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
