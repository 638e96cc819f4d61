# C tests by CTest and cmocka; the tests that need a LAMMPS binary are pytest files run by tests/run.
find_library(CMOCKA cmocka REQUIRED)
set(TESTS ${ROOT}/tests)
file(GLOB SCENE_SOURCES CONFIGURE_DEPENDS ${TESTS}/scenes/*.c)
add_library(polyhedra_scenes STATIC ${SCENE_SOURCES})
target_include_directories(polyhedra_scenes PUBLIC ${TESTS}/scenes)
target_link_libraries(polyhedra_scenes PUBLIC polyhedra_core LAPACK::LAPACK)

# more threads than processors wait for each other: one, where the environment does not say otherwise
set(BLAS_THREADS 1)
if(DEFINED ENV{OPENBLAS_NUM_THREADS})
  set(BLAS_THREADS $ENV{OPENBLAS_NUM_THREADS})
endif()

set(CORE_TESTS "")
foreach(room base geometry contact dynamics solve contact_dynamics)
  file(GLOB ROOM_TESTS CONFIGURE_DEPENDS ${TESTS}/${room}/test_*.c)
  list(APPEND CORE_TESTS ${ROOM_TESTS})
endforeach()
foreach(source ${CORE_TESTS})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE polyhedra_scenes ${CMOCKA})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "OPENBLAS_NUM_THREADS=${BLAS_THREADS}")
endforeach()

add_executable(test_linsolver ${TESTS}/linear/test_linsolver.c)
# it asks PETSc itself what the backend has done
target_link_libraries(test_linsolver PRIVATE polyhedra_linear PkgConfig::PETSC ${CMOCKA})
foreach(ranks 1 2 3)
  add_test(NAME test_linsolver_${ranks}
           COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} --oversubscribe --allow-run-as-root
                   $<TARGET_FILE:test_linsolver>)
  # processes of one test neither wait at the cost of others nor stay on one core; beside another test they take twice as long
  set(environment "OPENBLAS_NUM_THREADS=${BLAS_THREADS};OMPI_MCA_mpi_yield_when_idle=1")
  list(APPEND environment OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none)
  if(POLYHEDRA_SANITIZE)
    # leaks of MPI are known by their whole stack only
    list(APPEND environment ASAN_OPTIONS=fast_unwind_on_malloc=0
         "LSAN_OPTIONS=suppressions=${TESTS}/sanitize/leaks:print_suppressions=0")
  endif()
  set_tests_properties(test_linsolver_${ranks} PROPERTIES ENVIRONMENT "${environment}" PROCESSORS ${ranks})
endforeach()

add_executable(test_parallel ${TESTS}/parallel/test_parallel.c)
target_include_directories(test_parallel PRIVATE ${TESTS}/scenes)
target_link_libraries(test_parallel PRIVATE polyhedra_core polyhedra_parallel ${CMOCKA})
set(PARALLEL_TESTS test_parallel)
if(KOKKOS_TARGET)
  add_executable(test_shared_kokkos ${TESTS}/parallel/test_shared_kokkos.cpp)
    target_include_directories(test_shared_kokkos SYSTEM PRIVATE ${KOKKOS_HEADERS})
  target_link_libraries(test_shared_kokkos PRIVATE polyhedra_parallel ${KOKKOS_TARGET})
  add_executable(test_contact_kernel ${TESTS}/parallel/test_contact_kernel.cpp)
  target_include_directories(test_contact_kernel PRIVATE ${TESTS}/scenes)
  target_include_directories(test_contact_kernel SYSTEM PRIVATE ${KOKKOS_HEADERS})
  target_link_libraries(test_contact_kernel PRIVATE polyhedra_core ${KOKKOS_TARGET})
  list(APPEND PARALLEL_TESTS test_shared_kokkos test_contact_kernel)
endif()
foreach(name ${PARALLEL_TESTS})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "OMP_NUM_THREADS=2;OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive" PROCESSORS 2)
endforeach()

# the kernels compile for devices; nothing is run there
find_program(NVCC nvcc HINTS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
if(NVCC)
  add_test(NAME cuda_kernels COMMAND ${NVCC} -x cu -std=c++17 -Werror all-warnings -I ${SRC} -c
           ${TESTS}/parallel/kernels.cu -o ${CMAKE_CURRENT_BINARY_DIR}/kernels.o)
else()
  add_test(NAME cuda_kernels COMMAND ${CMAKE_COMMAND} -E echo "skipped: there is no nvcc")
  set_tests_properties(cuda_kernels PROPERTIES SKIP_REGULAR_EXPRESSION "skipped")
endif()

# what they ask are means over many starts, by code that other tests run as well: tests/sanitize/run leaves them out
set_tests_properties(test_settle test_heuristics test_inexact PROPERTIES LABELS statistics)

# the longest begin first, also where no run has told how long they are
set(cost 1)
foreach(name test_linsolver_2 test_continuity test_flat test_heuristics test_system test_passage test_pair_search
             test_barrier test_memory test_inexact test_linsolver_3 test_pair test_settle)
  math(EXPR cost "${cost} + 1")
  set_tests_properties(${name} PROPERTIES COST ${cost})
endforeach()

find_package(CGAL REQUIRED)
add_executable(intersect ${TESTS}/tools/intersect.cpp)
set_target_properties(intersect PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
target_link_libraries(intersect PRIVATE CGAL::CGAL)

# the tables of options of the styles, for the test of the pages; no LAMMPS in it
file(GLOB OPTION_TABLES CONFIGURE_DEPENDS ${SRC}/lammps/options/tables_*.cpp)
add_executable(options_dump ${TESTS}/lammps/options_dump.cpp ${SRC}/lammps/options/options.cpp ${OPTION_TABLES})
target_include_directories(options_dump PRIVATE ${SRC})
set_target_properties(options_dump PROPERTIES CXX_STANDARD 11 CXX_STANDARD_REQUIRED ON)

# benches of the core alone; tests/bench/run builds and runs them
foreach(bench cannonball bricks)
  add_executable(bench_${bench} ${TESTS}/bench/bench_${bench}.c)
  target_link_libraries(bench_${bench} PRIVATE polyhedra_scenes ${CMOCKA})
endforeach()

# nothing of these is run under the sanitizers
set_target_properties(intersect options_dump bench_cannonball bench_bricks PROPERTIES
                      EXCLUDE_FROM_ALL ${POLYHEDRA_SANITIZE})
