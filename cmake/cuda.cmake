# The folders cuda/ of src/: with nvcc their kernels and what launches them, else the files that say what is missing
# (*none.c). SCREE_SOURCES is what the library is made of, SCREE_CUDA_LIBRARIES what it needs then: the runtime, static,
# so that one program runs on machines with and without a GPU.
#
# Kernels are compiled as written: no fused operations but those that are named. By default there is code for compute
# capability 9.0, and PTX of 7.5, from which the driver makes code for others when the program starts on them. Installed
# and packed programs have code for all from 7.0 to 9.0 that nvcc knows (SCREE_CUDA_ARCHITECTURES=all; CUDA 13 begins
# with 7.5), and PTX of the newest of them for later ones.

set(SCREE_CUDA auto CACHE STRING "build for NVIDIA GPUs: auto (where nvcc is), on, off")
set(SCREE_CUDA_ARCHITECTURES "90" CACHE STRING
  "compute capabilities to make code for, as 80;86;90, or all from 7.0 to 9.0")
option(SCREE_CUDA_FUSED "let kernels fuse operations as they like: only to measure what exact bits cost" off)
set(CUDA_FILES ${SCREE_SOURCES})
list(FILTER CUDA_FILES INCLUDE REGEX "/cuda/[^/]*$")
set(CUDA_NONE ${CUDA_FILES})
list(FILTER CUDA_NONE INCLUDE REGEX "none\\.c$")
set(CUDA_C ${CUDA_FILES})
list(FILTER CUDA_C EXCLUDE REGEX "none\\.c$")
set(SCREE_CUDA_LIBRARIES)

find_program(NVCC nvcc PATHS /usr/local/cuda/bin)
if(NVCC AND NOT SCREE_CUDA STREQUAL "off" AND NOT SCREE_SANITIZE AND NOT SCREE_FUZZ)
  get_filename_component(CUDA_HOME ${NVCC} DIRECTORY)
  get_filename_component(CUDA_HOME ${CUDA_HOME} DIRECTORY)
  find_library(CUDART cudart_static PATHS ${CUDA_HOME}/lib64 ${CUDA_HOME}/targets/x86_64-linux/lib NO_DEFAULT_PATH)
else()
  unset(CUDART CACHE) # of an earlier choice
endif()
if(SCREE_CUDA STREQUAL "on" AND NOT CUDART)
  message(FATAL_ERROR "SCREE_CUDA=on, but there is no nvcc with its static runtime")
endif()

if(NOT CUDART OR SCREE_CUDA STREQUAL "off")
  message(STATUS "GPUs: no (nvcc was not found, or is not wanted)")
  list(REMOVE_ITEM SCREE_SOURCES ${CUDA_C})
else()
  set(CUDA_CODE ${SCREE_CUDA_ARCHITECTURES})
  set(CUDA_PTX 75)
  set(CUDA_LINES -lineinfo) # for profilers
  if(CUDA_CODE STREQUAL "all")
    execute_process(COMMAND ${NVCC} --list-gpu-arch OUTPUT_VARIABLE CUDA_CODE
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "[^0-9]+" ";" CUDA_CODE "${CUDA_CODE}")
    list(FILTER CUDA_CODE INCLUDE REGEX "^([78][0-9]|90)$")
    list(GET CUDA_CODE -1 CUDA_PTX)
    set(CUDA_LINES)
  endif()
  message(STATUS "GPUs: ${NVCC}, for compute capability ${CUDA_CODE} and PTX of ${CUDA_PTX}")
  list(REMOVE_ITEM SCREE_SOURCES ${CUDA_NONE})
  set(NVCC_FLAGS -std=c++20 -O3 ${CUDA_LINES} -fmad=$<IF:$<BOOL:${SCREE_CUDA_FUSED}>,true,false>
    -diag-suppress 177,20013,20015 -Xcompiler -w,-fPIC,-fvisibility=hidden -I ${CMAKE_CURRENT_SOURCE_DIR}/src
    -I ${CMAKE_CURRENT_SOURCE_DIR}/include -gencode arch=compute_${CUDA_PTX},code=compute_${CUDA_PTX})
  foreach(arch ${CUDA_CODE})
    list(APPEND NVCC_FLAGS -gencode arch=compute_${arch},code=sm_${arch})
  endforeach()
  # other flags, other objects
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/cuda/flags.txt CONTENT "${NVCC} ${NVCC_FLAGS}\n")
  file(GLOB_RECURSE KERNELS CONFIGURE_DEPENDS src/*.cu)
  foreach(kernel ${KERNELS})
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR}/src ${kernel})
    string(REPLACE "/" "_" name ${name})
    set(object ${CMAKE_BINARY_DIR}/cuda/${name}.o)
    add_custom_command(OUTPUT ${object} COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/cuda
      COMMAND ${NVCC} ${NVCC_FLAGS} -MD -MF ${object}.d -c ${kernel} -o ${object}
      DEPENDS ${kernel} ${CMAKE_BINARY_DIR}/cuda/flags.txt DEPFILE ${object}.d
      COMMENT "Compiling ${name} for GPUs" VERBATIM)
    list(APPEND SCREE_CUDA_OBJECTS ${object})
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  endforeach()
  list(APPEND SCREE_SOURCES ${SCREE_CUDA_OBJECTS})
  set(SCREE_CUDA_LIBRARIES ${CUDART} dl rt pthread)
endif()
