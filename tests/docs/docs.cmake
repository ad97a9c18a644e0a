# The pages against the repository: works that are cited have their row in REFERENCES.md, and the check finds one that has not.
add_test(NAME references COMMAND ${CMAKE_CURRENT_LIST_DIR}/references.sh ${CMAKE_SOURCE_DIR})
add_test(NAME references_unknown
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/references.sh ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_LIST_DIR}/unknown.md)
set_tests_properties(references_unknown PROPERTIES PASS_REGULAR_EXPRESSION "\"nobody1999\" is cited and has no row")
