// Reads and writes where indices say. Indices are integers of any type, as wide as they come, clamped to their axis as XLA does.
//
// gather: z[i] = a[Σ r·a_stride + Σ clamp(index)·stride], with r the coordinates of i in the dimensions that the planner made of the
// output, and the indices at Σ r·index_stride.
//
// Writing goes by slots: updates of one slice of the target have one slot. index_slots finds the slot of each update, and where its slice
// begins. indexed_put writes an update that is the last one of its slot: index_claims has put its number into a table, or few updates
// look at each other. indexed_add lets the first update of a slot, after sorting by slots, add up all of them in order; the sort is
// stable, by digits of 8 bits: index_tally, index_scan and index_rank for each digit. Few updates look at each other here too. index_sum adds
// integers of 32 and 64 bits by atomics.
//
// The text of each op is in kernels/lib/indexed_OP.glsl, named by the catalog.
