# SPDX-License-Identifier: Apache-2.0
# libportaflow as an outside project uses it; not under the sanitizers, whose runtime the outside program would lack.
if(TARGET portaflow AND TARGET mesh AND NOT SANITIZE)
  add_executable(dump_fields ${CMAKE_CURRENT_LIST_DIR}/dump_fields.c)
  portaflow_flags(dump_fields)
  target_link_libraries(dump_fields PRIVATE common_lattice_file common_cli)
  set_target_properties(dump_fields PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME library COMMAND ${CMAKE_CURRENT_LIST_DIR}/library.sh ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR} ${CMAKE_C_COMPILER})
endif()
