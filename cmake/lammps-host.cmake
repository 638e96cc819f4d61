# The host's headers, version and integer sizes.
#   LAMMPS_SOURCE_DIR  the source tree, or its src folder
#   LAMMPS_SIZES       SMALLBIG (default), BIGBIG or SMALLSMALL: as the host was built
foreach(dir ${LAMMPS_SOURCE_DIR} ${LAMMPS_SOURCE_DIR}/src)
  if(EXISTS ${dir}/lammps.h AND EXISTS ${dir}/version.h)
    set(LAMMPS_HEADERS ${dir})
  endif()
endforeach()
if(NOT LAMMPS_HEADERS)
  message(FATAL_ERROR "LAMMPS_SOURCE_DIR=${LAMMPS_SOURCE_DIR}: no lammps.h and version.h there or in its src folder")
endif()
set(LAMMPS_SIZES SMALLBIG CACHE STRING "integer sizes of the host")

# version.h holds a date such as 29 Sep 2021; as a number it can be compared
file(STRINGS ${LAMMPS_HEADERS}/version.h line REGEX "LAMMPS_VERSION")
if(NOT line MATCHES "\"([0-9]+) ([A-Z][a-z][a-z])[a-z]* ([0-9]+)\"")
  message(FATAL_ERROR "cannot read the date in ${LAMMPS_HEADERS}/version.h")
endif()
set(months Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)
list(FIND months ${CMAKE_MATCH_2} month)
math(EXPR LMP_DATE "${CMAKE_MATCH_3} * 10000 + (${month} + 1) * 100 + ${CMAKE_MATCH_1}")
if(LMP_DATE LESS 20210929)
  message(FATAL_ERROR "LAMMPS ${LMP_DATE} is too old: 29 Sep 2021 or later is needed")
endif()
# headers that know of C++17 want it, or nearly so
file(STRINGS ${LAMMPS_HEADERS}/lmptype.h line REGEX "201703L")
if(line)
  set(LAMMPS_CXX_STANDARD 17)
else()
  set(LAMMPS_CXX_STANDARD 11)
endif()
message(STATUS "LAMMPS host: ${LMP_DATE}, ${LAMMPS_SIZES}, C++${LAMMPS_CXX_STANDARD}")
