// Reads and writes where indices say. Indices are integers of any type, as wide as they come, clamped to their axis as XLA does.
//
// gather: z[i] = a[Σ r·a_stride + Σ clamp(index)·stride], with r the coordinates of i in the dimensions that the planner made of the
// output, and the indices at Σ r·index_stride.
//
// The text of each op is in kernels/lib/indexed_OP.glsl, named by the catalog.
