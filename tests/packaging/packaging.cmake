# SPDX-License-Identifier: Apache-2.0
# Installations, packages and the data that go with them.
add_test(NAME install COMMAND ${CMAKE_CURRENT_LIST_DIR}/install.sh ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
set_tests_properties(install PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME export COMMAND ${CMAKE_CURRENT_LIST_DIR}/export.sh ${CMAKE_BINARY_DIR})
set_tests_properties(export PROPERTIES SKIP_RETURN_CODE 77)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME slicer_module
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/slicer_module.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/bin)
  set_tests_properties(slicer_module PROPERTIES SKIP_RETURN_CODE 77)
endif()
