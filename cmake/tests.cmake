# C tests by CTest and cmocka; the tests that need a LAMMPS binary are pytest files run by tests/run.
find_library(CMOCKA cmocka REQUIRED)
set(TESTS ${ROOT}/tests)
file(GLOB SCENE_SOURCES CONFIGURE_DEPENDS ${TESTS}/scenes/*.c)
add_library(polyhedra_scenes STATIC ${SCENE_SOURCES})
target_include_directories(polyhedra_scenes PUBLIC ${TESTS}/scenes ${SRC}/core)
target_link_libraries(polyhedra_scenes PUBLIC polyhedra_core LAPACK::LAPACK)

file(GLOB CORE_TESTS CONFIGURE_DEPENDS ${TESTS}/core/test_*.c)
foreach(source ${CORE_TESTS})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE polyhedra_scenes ${CMOCKA})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "OPENBLAS_NUM_THREADS=1")
endforeach()

add_executable(test_linsolver ${TESTS}/solver/test_linsolver.c)
target_link_libraries(test_linsolver PRIVATE polyhedra_solver ${CMOCKA})
foreach(ranks 1 2 3)
  add_test(NAME test_linsolver_${ranks}
           COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} --oversubscribe --allow-run-as-root
                   $<TARGET_FILE:test_linsolver>)
endforeach()

add_executable(intersect ${TESTS}/tools/intersect.c)
set_target_properties(intersect PROPERTIES C_EXTENSIONS ON)
target_link_libraries(intersect PRIVATE m)
