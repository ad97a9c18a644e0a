# Analytic lumens (common/shape.c) and the phantoms made of them.
if(TARGET common_core)
  portaflow_test(test_shape SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_shape.c LINK common_core)
endif()
if(TARGET phantom_core)
  portaflow_test(test_phantom SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_phantom.c LINK phantom_core)
endif()
