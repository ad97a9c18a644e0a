# SPDX-License-Identifier: Apache-2.0
# Enable CUDA when nvcc is found, unless -DCUDA=OFF. Sets PORTAFLOW_HAS_CUDA and defines portaflow_cuda_flags(target) for
# a library of .cu files. The machine code is for Hopper; other cards (compute capability >= 8.0) compile the PTX at
# their first start.
set(PORTAFLOW_HAS_CUDA OFF)
if(NOT CUDA)
  return()
endif()
include(CheckLanguage)
find_program(PORTAFLOW_NVCC nvcc HINTS ENV CUDA_HOME PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
if(PORTAFLOW_NVCC AND NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER ${PORTAFLOW_NVCC})
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90-real)
endif()
if(NOT CMAKE_CUDA_COMPILER)
  check_language(CUDA)
endif()
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "nvcc was not found: the GPU backend is not built")
  return()
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
set(PORTAFLOW_HAS_CUDA ON)

function(portaflow_cuda_flags target)
  set_target_properties(${target} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-O3 --generate-line-info -Xcompiler=-Wall,-Wextra,-fopenmp $<$<BOOL:${WERROR}>:-Werror=all-warnings>>)
  target_link_libraries(${target} PUBLIC CUDA::cudart_static stdc++) # C programs link it, too
endfunction()
