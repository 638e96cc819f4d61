# cmake --install BUILD --prefix PREFIX, and packages by cpack (doc/install.md).
#   PREFIX/lib/lammps/plugins     the plugin and its module, nothing else: a folder for LAMMPS_PLUGIN_PATH
#   PREFIX/share/lammps-polyhedra in.plugin (for "include" on hosts without that variable), module file, shapes, examples
#   PREFIX/share/doc/lammps-polyhedra            pages
include(GNUInstallDirs)
set(POLYHEDRA_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/lammps/plugins CACHE STRING "folder of the plugin below the prefix")
set(POLYHEDRA_DATA_DIR ${CMAKE_INSTALL_DATADIR}/lammps-polyhedra)
set(POLYHEDRA_DOC_DIR ${CMAKE_INSTALL_DATADIR}/doc/lammps-polyhedra)
install(TARGETS polyhedraplugin polyhedrapetsc LIBRARY DESTINATION ${POLYHEDRA_PLUGIN_DIR})
# Kokkos and PETSc where they were found; the rest is where the system looks
set_target_properties(polyhedraplugin polyhedrapetsc PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(DIRECTORY ${ROOT}/examples/ DESTINATION ${POLYHEDRA_DATA_DIR}/examples
        FILES_MATCHING PATTERN "in.*" PATTERN "*.in" PATTERN "*.stl" PATTERN "*.obj" PATTERN post EXCLUDE)
install(DIRECTORY ${ROOT}/doc/ DESTINATION ${POLYHEDRA_DOC_DIR}/doc PATTERN build EXCLUDE)
install(FILES ${ROOT}/README.md ${ROOT}/LICENSE ${ROOT}/CITATION DESTINATION ${POLYHEDRA_DOC_DIR})

# the prefix is known when it is installed: --prefix may name another one than at configuration, a package none
install(CODE "
  set(version ${PROJECT_VERSION})
  set(plugins \"\${CMAKE_INSTALL_PREFIX}/${POLYHEDRA_PLUGIN_DIR}\")
  set(data \"\${CMAKE_INSTALL_PREFIX}/${POLYHEDRA_DATA_DIR}\")
  file(WRITE \"\$ENV{DESTDIR}\${data}/in.plugin\" \"plugin load \${plugins}/polyhedraplugin.so\\n\")
  configure_file(\"${CMAKE_CURRENT_LIST_DIR}/modulefile.in\" \"\$ENV{DESTDIR}\${data}/modulefile\" @ONLY)")

set(CPACK_PACKAGE_NAME lammps-polyhedra)
set(CPACK_PACKAGE_VENDOR "the polyhedra developers")
set(CPACK_PACKAGE_CONTACT "the polyhedra developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "rigid polyhedra in contact for LAMMPS ${LMP_DATE}, sizes ${LAMMPS_SIZES}")
set(CPACK_RESOURCE_FILE_LICENSE ${ROOT}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
