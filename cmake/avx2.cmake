# The mechanics with AVX2 instructions, an eighth faster (doc/notes/2026-11-newton-falling.md). The results are the same
# bits: they come without fused products, which round once where two operations round twice.
#   POLYHEDRA_AVX2  ON; OFF, for processors of any age; AUTO, the default: if this machine has them
set(POLYHEDRA_AVX2 AUTO CACHE STRING "AVX2 instructions: ON, OFF, or AUTO: if this machine has them")
set_property(CACHE POLYHEDRA_AVX2 PROPERTY STRINGS AUTO ON OFF)
if(POLYHEDRA_AVX2 STREQUAL AUTO)
  include(CheckCSourceRuns)
  check_c_source_runs("int main(void) { __builtin_cpu_init(); return !__builtin_cpu_supports(\"avx2\"); }"
                      POLYHEDRA_MACHINE_HAS_AVX2)
  set(USE_AVX2 ${POLYHEDRA_MACHINE_HAS_AVX2})
else()
  set(USE_AVX2 ${POLYHEDRA_AVX2})
endif()

function(polyhedra_use_avx2 target)
  if(USE_AVX2)
    target_compile_options(${target} PRIVATE -mavx2)
  endif()
endfunction()
