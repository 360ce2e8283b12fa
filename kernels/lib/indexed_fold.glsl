// Adds the updates of one slot to `sum`, from its first entry on. Included for vectors and for elements.
void FOLD(inout Z_COMPUTE sum[SUM_SIZE], uint entry, uint inside) {
  const uint slot = slots.v[entry];
  if (kOrder == 0u) {
    for (uint e = entry; e < end; e++) {
      if (slots.v[e] != slot) continue;
      const TERM term = LOAD_TERM(update_address(e, BYTES), inside);
      ADD_TERM
    }
    return;
  }
  // Several loads are on their way at once.
  while (entry + kUnrolled <= end && slots.v[entry + kUnrolled - 1] == slot) {
    TERM terms[kUnrolled];
    [[unroll]] for (uint k = 0; k < kUnrolled; k++) terms[k] = LOAD_TERM(update_address(entry + k, BYTES), inside);
    [[unroll]] for (uint k = 0; k < kUnrolled; k++) {
      const TERM term = terms[k];
      ADD_TERM
    }
    entry += kUnrolled;
  }
  for (; entry < end && slots.v[entry] == slot; entry++) {
    const TERM term = LOAD_TERM(update_address(entry, BYTES), inside);
    ADD_TERM
  }
}
