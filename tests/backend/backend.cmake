# SPDX-License-Identifier: Apache-2.0
# Every device on the same cases: a plain program, also built where cmocka is not installed.
add_executable(test_backend backend/test_backend.c backend/backend_check.c backend/backend_case.c unit/solve/solve_flow.c)
portaflow_flags(test_backend)
target_link_libraries(test_backend PRIVATE solve_core mesh_core)
set_target_properties(test_backend PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME test_backend COMMAND test_backend)

add_executable(test_parts backend/test_parts.c backend/backend_case.c unit/solve/solve_flow.c)
portaflow_flags(test_parts)
target_link_libraries(test_parts PRIVATE solve_ranks solve_pack mesh_core)
set_target_properties(test_parts PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME test_parts COMMAND test_parts)

if(TARGET segment_cuda)
  add_executable(test_segment_backend backend/test_segment_backend.c)
  portaflow_flags(test_segment_backend)
  target_link_libraries(test_segment_backend PRIVATE segment_lbm)
  set_target_properties(test_segment_backend PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME test_segment_backend COMMAND test_segment_backend)
  set_tests_properties(test_segment_backend PROPERTIES SKIP_RETURN_CODE 77)
endif()

# More than 2^31 values: by hand on a GPU (solve/gpu_check.sh).
if(TARGET solve_cuda)
  add_executable(test_large backend/test_large.c backend/backend_case.c unit/solve/solve_flow.c)
  portaflow_flags(test_large)
  target_link_libraries(test_large PRIVATE solve_core mesh_core)
  set_target_properties(test_large PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endif()

# For tests/backend/devices.sh, which needs a GPU.
if(TARGET solve)
  add_executable(compare_runs backend/compare_runs.c)
  portaflow_flags(compare_runs)
  target_link_libraries(compare_runs PRIVATE solve_stage)
  set_target_properties(compare_runs PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endif()
