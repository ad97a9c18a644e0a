# SPDX-License-Identifier: Apache-2.0
# Inputs of public bug reports, where they lie next to the repository; skipped elsewhere.
add_test(NAME reports COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${CMAKE_BINARY_DIR}/bin ${CMAKE_SOURCE_DIR}/../shared/data/reports
  ${CMAKE_CURRENT_LIST_DIR}/list.txt)
set_tests_properties(reports PROPERTIES SKIP_RETURN_CODE 77)
