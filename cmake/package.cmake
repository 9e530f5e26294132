# What `make install` puts where, and the Debian packages (`make deb`): scree, and python3-scree where the Python package is
# built. Programs link with `pkg-config --cflags --libs scree`, with the static library with --static.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # the tests need not be built

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "discrete element engine: sand, grains, rock and elastic solids")
set(SCREE_PRIVATE_LIBS "-lpng -lfyaml -lmicrohttpd -lhdf5_serial -ldeflate -lvoro++ -lcholmod -lgomp -lstdc++ -lm")
if(SCREE_CUDA_LIBRARIES)
  string(APPEND SCREE_PRIVATE_LIBS " ${CUDART} -ldl -lrt -lpthread")
endif()
configure_file(cmake/scree.pc.in ${CMAKE_BINARY_DIR}/scree.pc @ONLY)

install(TARGETS scree RUNTIME DESTINATION bin)
if(TARGET scree-mpi)
  install(TARGETS scree-mpi RUNTIME DESTINATION bin OPTIONAL)
endif()
install(TARGETS libscree ARCHIVE DESTINATION lib)
install(TARGETS libscree_shared LIBRARY DESTINATION lib)
install(DIRECTORY include/scree DESTINATION include)
install(FILES ${CMAKE_BINARY_DIR}/scree.pc DESTINATION lib/pkgconfig)
install(DIRECTORY cases DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
install(FILES ${CMAKE_BINARY_DIR}/scree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/scree.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME scree)
install(FILES ${CMAKE_BINARY_DIR}/scree.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _scree)
install(FILES ${CMAKE_BINARY_DIR}/scree.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

# the Python package finds the library where the system has it
if(TARGET python_package)
  install(DIRECTORY ${PYTHON_PACKAGE} DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN "*.py")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_CONTACT "The Scree developers <scree@localhost>")
set(CPACK_PACKAGE_DESCRIPTION "Scree simulates granular matter and elastic solids as many bodies in contact.
 One scene file, four time integrators, results in HDF5, images, a viewer for the browser, a library for C and C++.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# one package for all that is no Python; scripts of ldconfig come with the shared library
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME scree)
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(TARGET python_package)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Scree from Python: results as numpy arrays, simulations, scenes, calibration")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-scree)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy, python3-cffi-backend, scree (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-scipy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-tqdm")
  # bytecode comes when it is installed and goes when it is removed
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/deb/postinst;${PROJECT_SOURCE_DIR}/cmake/deb/prerm")
endif()
include(CPack)
