# SPDX-License-Identifier: Apache-2.0
# The outputs opened by the readers that others use; skipped with a line where Debian's python3-vtk9 and python3-nibabel are absent.
find_program(DEBIAN_PYTHON_PROGRAM python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(DEBIAN_PYTHON_PROGRAM AND TARGET pipeline AND TARGET post AND TARGET segment AND TARGET common_image_file)
  add_executable(itk_values ${CMAKE_CURRENT_LIST_DIR}/itk_values.cpp) # ITK's own readers, those of 3D Slicer
  portaflow_flags(itk_values)
  target_include_directories(itk_values SYSTEM PRIVATE ${ITK_INCLUDE_DIRS})
  target_link_libraries(itk_values PRIVATE ${ITK_LIBRARIES})
  set_target_properties(itk_values PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME readers COMMAND ${DEBIAN_PYTHON_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/readers.py ${CMAKE_BINARY_DIR}/bin
    $<TARGET_FILE:itk_values>)
  set_tests_properties(readers PROPERTIES SKIP_RETURN_CODE 77)
endif()
# And by ParaView where it is installed: its Python is a program of its own.
find_program(PVPYTHON_PROGRAM pvpython)
if(PVPYTHON_PROGRAM AND DEBIAN_PYTHON_PROGRAM AND TARGET pipeline AND TARGET post)
  add_test(NAME readers_paraview COMMAND ${DEBIAN_PYTHON_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/in_paraview.py ${CMAKE_BINARY_DIR}/bin ${PVPYTHON_PROGRAM})
  set_tests_properties(readers_paraview PROPERTIES SKIP_RETURN_CODE 77)
endif()
