# SPDX-License-Identifier: Apache-2.0
# The phantoms: their truth, their scans, their files.
if(TARGET phantom_core)
  portaflow_test(test_phantom SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_phantom.c LINK phantom_core)
  portaflow_test(test_random SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_random.c LINK phantom_core)
  portaflow_test(test_scan SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_scan.c LINK phantom_core)
  portaflow_test(test_abdomen SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_abdomen.c LINK phantom_core)
  if(TARGET common_case)
    portaflow_test(test_patient SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_patient.c LINK phantom_core common_case)
  endif()
endif()
