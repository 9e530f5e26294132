# What `make install` puts where, and the Debian package (`make deb`). Programs link with `pkg-config --cflags --libs scree`.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # the tests need not be built

set(SCREE_PRIVATE_LIBS "-lpng -lfyaml -lmicrohttpd -lhdf5_serial -ldeflate -lvoro++ -lcholmod -lgomp -lstdc++ -lm")
configure_file(cmake/scree.pc.in ${CMAKE_BINARY_DIR}/scree.pc @ONLY)

install(TARGETS scree RUNTIME DESTINATION bin)
if(TARGET scree-mpi)
  install(TARGETS scree-mpi RUNTIME DESTINATION bin OPTIONAL)
endif()
install(TARGETS libscree ARCHIVE DESTINATION lib)
install(DIRECTORY include/scree DESTINATION include)
install(FILES ${CMAKE_BINARY_DIR}/scree.pc DESTINATION lib/pkgconfig)
install(DIRECTORY cases DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
install(FILES ${CMAKE_BINARY_DIR}/scree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/scree.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME scree)
install(FILES ${CMAKE_BINARY_DIR}/scree.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _scree)
install(FILES ${CMAKE_BINARY_DIR}/scree.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_CONTACT "The Scree developers <scree@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "discrete element engine: sand, grains, rock and elastic solids")
set(CPACK_PACKAGE_DESCRIPTION "Scree simulates granular matter and elastic solids as many bodies in contact.
 One scene file, four time steppers, results in HDF5, pictures.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
