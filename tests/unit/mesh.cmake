if(TARGET common_surface)
  portaflow_test(test_vtk_surface SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_vtk_surface.c LINK common_surface)
endif()
