# The GPU backend, where nvcc is found: solve_cuda, and PORTAFLOW_CUDA for everything that links solve_core.
# The machine code is Hopper's; other cards (compute capability 8.0 and later) compile the PTX at their first start.
portaflow_library(solve_pack SOURCES cuda/cuda_pack.c cuda/cuda_order.c LINK common_lattice) # plain C, tested everywhere
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
  message(STATUS "nvcc was not found: the GPU backend is left out")
  return()
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

add_library(solve_cuda STATIC cuda/backend_cuda.cu cuda/cuda_create.cu cuda/cuda_transfer.cu cuda/cuda_float.cu
  cuda/cuda_half.cu cuda/cuda_double.cu)
portaflow_flags(solve_cuda)
set_property(GLOBAL APPEND PROPERTY PORTAFLOW_TARGETS library:solve_cuda)
set_target_properties(solve_cuda PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
target_compile_definitions(solve_cuda PUBLIC PORTAFLOW_CUDA)
target_compile_options(solve_cuda PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-O3 --generate-line-info -Xcompiler=-Wall,-Wextra $<$<BOOL:${WERROR}>:-Werror=all-warnings>>)
target_link_libraries(solve_cuda PUBLIC solve_pack CUDA::cudart_static stdc++) # C programs link it too
