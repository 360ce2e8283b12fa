# Puts generated/manifest.tsv and generated/pack/* into nxv_core as data: an assembler file of .incbin and the table that names them.

set(NXV_GENERATED ${PROJECT_SOURCE_DIR}/generated)
if(NOT EXISTS ${NXV_GENERATED}/manifest.tsv)
  message(FATAL_ERROR "no generated/manifest.tsv: python3 -m codegen build writes it")
endif()
file(GLOB NXV_PACK_FILES CONFIGURE_DEPENDS RELATIVE ${NXV_GENERATED} ${NXV_GENERATED}/manifest.tsv
     ${NXV_GENERATED}/pack/*.spv.zst)
list(SORT NXV_PACK_FILES)

set(NXV_PACK_ASM "    .section .rodata\n")
set(NXV_PACK_SYMBOLS "")
set(NXV_PACK_ROWS "")
set(NXV_PACK_DEPENDS "")
set(index 0)
foreach(file ${NXV_PACK_FILES})
  set(symbol nxv_pack_${index})
  string(APPEND NXV_PACK_ASM
         "    .globl ${symbol}\n    .globl ${symbol}_end\n    .hidden ${symbol}\n    .hidden ${symbol}_end\n"
         "    .balign 16\n${symbol}:\n    .incbin \"${NXV_GENERATED}/${file}\"\n${symbol}_end:\n    .byte 0\n")
  string(APPEND NXV_PACK_SYMBOLS "extern const std::byte ${symbol}[], ${symbol}_end[];\n")
  string(APPEND NXV_PACK_ROWS "      {\"${file}\", {${symbol}, ${symbol}_end}},\n")
  list(APPEND NXV_PACK_DEPENDS ${NXV_GENERATED}/${file})
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND NXV_PACK_ASM "    .section .note.GNU-stack,\"\",%progbits\n")

file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pack_data.S CONTENT "${NXV_PACK_ASM}" @ONLY)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pack_table.cc @ONLY CONTENT
"#include \"runtime/core/pack_files.h\"

#include <initializer_list>

extern \"C\" {
${NXV_PACK_SYMBOLS}}

namespace nxv {

std::span<const PackFile> embedded_pack() {
  static const std::initializer_list<PackFile> files = {
${NXV_PACK_ROWS}  };
  return {files.begin(), files.size()};
}

}  // namespace nxv
")
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/pack_data.S PROPERTIES OBJECT_DEPENDS "${NXV_PACK_DEPENDS}")
target_sources(nxv_core PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/pack_data.S ${CMAKE_CURRENT_BINARY_DIR}/pack_table.cc)
