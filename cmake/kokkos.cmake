# Loops over bodies and links: plain C, and Kokkos where it is to be had.
#   POLYHEDRA_KOKKOS  auto  Kokkos if it is found (default)
#                     on    it must be found
#                     off   plain C alone
#                     host  the Kokkos in the LAMMPS that loads the plugin, built with its KOKKOS package
#   Kokkos_ROOT       where Kokkos is installed
#   LAMMPS_BUILD_DIR  with host: where LAMMPS was built, if with the Kokkos in its own lib/kokkos
set(POLYHEDRA_KOKKOS auto CACHE STRING "loops by Kokkos: auto, on, off or host")
if(NOT POLYHEDRA_KOKKOS MATCHES "^(auto|on|off|host)$")
  message(FATAL_ERROR "POLYHEDRA_KOKKOS=${POLYHEDRA_KOKKOS}: auto, on, off or host")
endif()

file(GLOB PARALLEL_SOURCES CONFIGURE_DEPENDS ${SRC}/parallel/*.c)
add_library(polyhedra_parallel STATIC ${PARALLEL_SOURCES})
target_include_directories(polyhedra_parallel PUBLIC ${SRC})

set(KOKKOS_STATE "plain C")
if(POLYHEDRA_KOKKOS STREQUAL host AND LAMMPS_BUILD_DIR)
  find_path(HOST_KOKKOS_HEADERS Kokkos_Core.hpp REQUIRED NO_DEFAULT_PATH
            HINTS ${LAMMPS_HEADERS}/../lib/kokkos/core/src)
  find_path(HOST_KOKKOS_CONFIG KokkosCore_config.h REQUIRED NO_DEFAULT_PATH HINTS ${LAMMPS_BUILD_DIR}/lib/kokkos)
  set(KOKKOS_HEADERS ${HOST_KOKKOS_HEADERS} ${HOST_KOKKOS_CONFIG})
  file(STRINGS ${HOST_KOKKOS_CONFIG}/KokkosCore_config.h Kokkos_ENABLE_OPENMP REGEX "define KOKKOS_ENABLE_OPENMP$")
  set(KOKKOS_STATE "Kokkos of the host built in ${LAMMPS_BUILD_DIR}")
elseif(NOT POLYHEDRA_KOKKOS STREQUAL off)
  find_package(Kokkos CONFIG QUIET)
  if(Kokkos_FOUND)
    foreach(target trilinos_kokkoscore Kokkos::kokkoscore Kokkos::kokkos) # the first is Debian's
      if(TARGET ${target} AND NOT KOKKOS_TARGET)
        set(KOKKOS_TARGET ${target})
      endif()
    endforeach()
    get_target_property(KOKKOS_HEADERS ${KOKKOS_TARGET} INTERFACE_INCLUDE_DIRECTORIES)
    if(NOT KOKKOS_HEADERS)
      set(KOKKOS_HEADERS ${Kokkos_INCLUDE_DIRS}) # that target lacks its folder
    endif()
    set(KOKKOS_STATE "Kokkos in ${Kokkos_DIR}")
  elseif(NOT POLYHEDRA_KOKKOS STREQUAL auto)
    message(FATAL_ERROR "Kokkos is not found: set Kokkos_ROOT to where it is installed, or POLYHEDRA_KOKKOS=off")
  endif()
endif()

if(KOKKOS_HEADERS)
  set(source ${SRC}/parallel/parallel_kokkos.cpp)
  target_sources(polyhedra_parallel PRIVATE ${source})
  target_compile_definitions(polyhedra_parallel PRIVATE PD_HAVE_KOKKOS)
  target_compile_features(polyhedra_parallel PRIVATE cxx_std_14)
  target_include_directories(polyhedra_parallel SYSTEM PRIVATE ${KOKKOS_HEADERS})
  if(POLYHEDRA_KOKKOS STREQUAL host)
    # what Kokkos keeps in inline functions must be the host's
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fvisibility=default)
    if(Kokkos_ENABLE_OPENMP)
      find_package(OpenMP REQUIRED COMPONENTS CXX)
      target_link_libraries(polyhedra_parallel PRIVATE OpenMP::OpenMP_CXX)
    endif()
    string(APPEND KOKKOS_STATE ", used from there")
  else()
    # a Kokkos of our own is nobody else's: PETSc may bring another one along
    set_target_properties(polyhedra_parallel PROPERTIES CXX_VISIBILITY_PRESET hidden)
    target_link_libraries(polyhedra_parallel PRIVATE ${KOKKOS_TARGET})
    target_link_options(polyhedra_parallel INTERFACE -Wl,--exclude-libs,libkokkoscore.a)
  endif()
endif()
message(STATUS "loops: ${KOKKOS_STATE}")
