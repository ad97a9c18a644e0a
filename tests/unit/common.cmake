# Tests of common/ but for its shapes, images and surfaces.
foreach(name status nearest file message options units volume surface waveform)
  portaflow_test(test_${name} SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_${name}.c LINK common_core)
endforeach()
add_library(test_lattice_sample STATIC ${CMAKE_CURRENT_LIST_DIR}/lattice_sample.c)
portaflow_flags(test_lattice_sample)
target_link_libraries(test_lattice_sample PUBLIC common_core)
portaflow_test(test_lattice SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_lattice.c LINK test_lattice_sample)
