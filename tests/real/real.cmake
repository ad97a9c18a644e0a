# SPDX-License-Identifier: Apache-2.0
# The pipeline on research images that are not part of the repository: skipped, with a line that says so, where they are
# not beside it. Limits come from the reference that lies with each image.
if(TARGET golden)
  foreach(name aorta avf)
    add_test(NAME real_${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/golden/golden.sh ${CMAKE_BINARY_DIR}/bin
             $<TARGET_FILE:golden> ${CMAKE_CURRENT_LIST_DIR}/${name}/list.txt ${CMAKE_SOURCE_DIR}/../shared/data)
    set_tests_properties(real_${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
