# SPDX-License-Identifier: Apache-2.0
# The whole pipeline on small phantoms: named numbers with limits that follow from the phantom, never from an earlier run.
if(TARGET common_record AND TARGET common_image_file)
  add_executable(golden ${CMAKE_CURRENT_LIST_DIR}/golden.c)
  portaflow_flags(golden)
  target_link_libraries(golden PRIVATE common_cli common_record common_image_file m)
  set_target_properties(golden PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  foreach(list tube_exact grid_sequence tube_image bend eye portal carotid)
    add_test(NAME golden_${list} COMMAND ${CMAKE_CURRENT_LIST_DIR}/golden.sh ${CMAKE_BINARY_DIR}/bin
             $<TARGET_FILE:golden> ${CMAKE_CURRENT_LIST_DIR}/${list}.txt)
    set_tests_properties(golden_${list} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
