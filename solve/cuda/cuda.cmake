# SPDX-License-Identifier: Apache-2.0
# The GPU backend, where nvcc is found: solve_cuda, and PORTAFLOW_CUDA for everything that links solve_core.
portaflow_library(solve_pack SOURCES cuda/cuda_pack.c cuda/cuda_order.c LINK common_lattice) # plain C, tested everywhere
if(NOT PORTAFLOW_HAS_CUDA)
  return()
endif()

add_library(solve_cuda STATIC cuda/backend_cuda.cu cuda/cuda_backend.cu cuda/cuda_create.cu cuda/cuda_transfer.cu cuda/cuda_halo.cu cuda/cuda_nccl.cu cuda/cuda_float.cu
  cuda/cuda_half.cu cuda/cuda_double.cu cuda/cuda_heat.cu cuda/cuda_heat_float.cu cuda/cuda_heat_double.cu)
portaflow_flags(solve_cuda)
set_property(GLOBAL APPEND PROPERTY PORTAFLOW_TARGETS library:solve_cuda)
portaflow_cuda_flags(solve_cuda)
foreach(precision float double) # a second instance of each file: D3Q27
  add_library(solve_cuda_${precision}_27 OBJECT cuda/cuda_${precision}.cu)
  portaflow_flags(solve_cuda_${precision}_27)
  portaflow_cuda_flags(solve_cuda_${precision}_27)
  set_target_properties(solve_cuda_${precision}_27 PROPERTIES POSITION_INDEPENDENT_CODE ON) # for libportaflow
  target_compile_definitions(solve_cuda_${precision}_27 PRIVATE LATTICE_Q=27)
  target_sources(solve_cuda PRIVATE $<TARGET_OBJECTS:solve_cuda_${precision}_27>)
endforeach()
# more instances: shear-thinning blood and porous regions, on D3Q19 and D3Q27
foreach(variant shear:SHEAR_THINNING:19 shear:SHEAR_THINNING:27 porous:POROUS_REGION:19 porous:POROUS_REGION:27)
  string(REPLACE ":" ";" variant ${variant})
  list(GET variant 0 name)
  list(GET variant 1 macro)
  list(GET variant 2 directions)
  foreach(precision float double)
    set(instance solve_cuda_${name}_${precision}_${directions})
    add_library(${instance} OBJECT cuda/cuda_${precision}.cu)
    portaflow_flags(${instance})
    portaflow_cuda_flags(${instance})
    set_target_properties(${instance} PROPERTIES POSITION_INDEPENDENT_CODE ON) # for libportaflow
    target_compile_definitions(${instance} PRIVATE LATTICE_Q=${directions} ${macro}=1)
    target_sources(solve_cuda PRIVATE $<TARGET_OBJECTS:${instance}>)
  endforeach()
endforeach()
target_compile_definitions(solve_cuda PUBLIC PORTAFLOW_CUDA)
target_link_libraries(solve_cuda PUBLIC solve_pack ${CMAKE_DL_LIBS})
