# The Python package as it runs from the build: build/python/scree, with the library beside it (PYTHONPATH=build/python).
# It needs Debian's Python with cffi; where that is missing there is no such target, and its tests are skipped.
find_program(SCREE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(SCREE_PYTHON)
  execute_process(COMMAND ${SCREE_PYTHON} -c "import cffi" RESULT_VARIABLE SCREE_NO_CFFI OUTPUT_QUIET ERROR_QUIET)
endif()
set(PYTHON_PACKAGE ${CMAKE_BINARY_DIR}/python/scree)
if(SCREE_PYTHON AND NOT SCREE_NO_CFFI)
  file(GLOB PYTHON_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/scree/*.py)
  file(GLOB PUBLIC_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/scree/*.h)
  add_custom_command(OUTPUT ${PYTHON_PACKAGE}/_api.py
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PYTHON_PACKAGE}
    COMMAND ${CMAKE_COMMAND} -E copy ${PYTHON_SOURCES} ${PYTHON_PACKAGE}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../../libscree.so ${PYTHON_PACKAGE}/libscree.so
    COMMAND ${SCREE_PYTHON} ${PROJECT_SOURCE_DIR}/python/build_api.py ${PROJECT_SOURCE_DIR}/include ${PYTHON_PACKAGE}/_api.py
    DEPENDS ${PYTHON_SOURCES} ${PUBLIC_HEADERS} ${PROJECT_SOURCE_DIR}/python/build_api.py
    COMMENT "Making the Python package" VERBATIM)
  add_custom_target(python_package ALL DEPENDS ${PYTHON_PACKAGE}/_api.py)
  add_dependencies(python_package libscree_shared)
endif()
