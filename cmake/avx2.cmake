# The mechanics with AVX2 instructions: impacts take an eighth less time (doc/notes/2026-11-newton-falling.md). The results are the same
# bits: they come without fused products, which round once where two operations round twice.
#   POLYHEDRA_AVX2  on; off, for processors of any age; auto, the default: if this machine has them
set(POLYHEDRA_AVX2 auto CACHE STRING "AVX2 instructions: on, off, or auto: if this machine has them")
string(TOLOWER "${POLYHEDRA_AVX2}" AVX2_WISH)
if(NOT AVX2_WISH MATCHES "^(auto|on|off)$")
  message(FATAL_ERROR "POLYHEDRA_AVX2=${POLYHEDRA_AVX2}: auto, on or off")
endif()
set(USE_AVX2 OFF)
if(AVX2_WISH STREQUAL on)
  set(USE_AVX2 ON)
elseif(AVX2_WISH STREQUAL auto AND NOT CMAKE_CROSSCOMPILING)
  include(CheckCSourceRuns)
  check_c_source_runs("int main(void) { __builtin_cpu_init(); return !__builtin_cpu_supports(\"avx2\"); }"
                      POLYHEDRA_MACHINE_HAS_AVX2)
  if(POLYHEDRA_MACHINE_HAS_AVX2)
    set(USE_AVX2 ON)
  endif()
endif()

function(polyhedra_use_avx2 target)
  if(USE_AVX2)
    target_compile_options(${target} PRIVATE -mavx2)
  endif()
endfunction()
