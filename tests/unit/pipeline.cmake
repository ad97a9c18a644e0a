if(TARGET pipeline_core)
  portaflow_test(test_process SOURCES unit/test_process.c LINK pipeline_core)
  portaflow_test(test_results SOURCES unit/test_results.c LINK pipeline_core)
endif()
