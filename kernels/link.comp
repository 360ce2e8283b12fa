// Fused elementwise kernels are made of a frame, the loads and stores of the operands' types, and the functions of the ops
// (`access: function`), by runtime/core/linker.h.
#ifdef OP_frame
#include "link_frame.glsl"
#else
#include "link_operand.glsl"
#endif
