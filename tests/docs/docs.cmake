# SPDX-License-Identifier: Apache-2.0
# The pages against the repository: cited works have an entry in REFERENCES.bib, and the check finds a work without an entry.
add_test(NAME references COMMAND ${CMAKE_CURRENT_LIST_DIR}/references.sh ${CMAKE_SOURCE_DIR})
add_test(NAME references_unknown
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/references.sh ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_LIST_DIR}/unknown.md)
set_tests_properties(references_unknown PROPERTIES PASS_REGULAR_EXPRESSION "\"nobody1999\" is cited and has no entry")

# The picture of the libraries in ARCHITECTURE.md against this build.
add_test(NAME libraries_picture COMMAND ${CMAKE_CURRENT_LIST_DIR}/libraries.sh check ${CMAKE_BINARY_DIR}/libraries.txt
  ${CMAKE_SOURCE_DIR}/data/pictures/libraries.svg)

# Every file that a page points at is there.
add_test(NAME links COMMAND ${CMAKE_CURRENT_LIST_DIR}/links.sh ${CMAKE_SOURCE_DIR})

# The table of studies in pipeline/reproduce/README.md against the one in studies.c.
add_test(NAME studies COMMAND ${CMAKE_CURRENT_LIST_DIR}/studies.sh ${CMAKE_SOURCE_DIR})

# The citation, the changelog, the recipes and the programs name the version of CMakeLists.txt.
add_test(NAME citation COMMAND ${CMAKE_CURRENT_LIST_DIR}/citation.sh ${CMAKE_SOURCE_DIR} ${PROJECT_VERSION})

# The manual pages that the programs print of themselves.
add_test(NAME man_pages COMMAND ${CMAKE_CURRENT_LIST_DIR}/man.sh ${CMAKE_BINARY_DIR})

# The numbers on the README against the kept pages they come from.
add_test(NAME readme_numbers COMMAND ${CMAKE_CURRENT_LIST_DIR}/numbers.sh ${CMAKE_SOURCE_DIR})
add_test(NAME version COMMAND grep -qx "#define PORTAFLOW_VERSION \"${PROJECT_VERSION}\"" ${CMAKE_SOURCE_DIR}/common/cli/version.h)

# Phrases that readers stumbled over stay out of messages, comments and pages.
add_test(NAME words COMMAND ${CMAKE_CURRENT_LIST_DIR}/words.sh ${CMAKE_SOURCE_DIR})

# Every source names its license.
add_test(NAME spdx COMMAND ${CMAKE_CURRENT_LIST_DIR}/spdx.sh ${CMAKE_SOURCE_DIR})

# The names in the code column of the glossary exist.
add_test(NAME glossary COMMAND ${CMAKE_CURRENT_LIST_DIR}/glossary.sh ${CMAKE_SOURCE_DIR})

# No folder has more than 25 sources; no more than two sources use each other in a circle.
add_test(NAME rooms COMMAND ${CMAKE_CURRENT_LIST_DIR}/rooms.sh)
add_test(NAME circles COMMAND ${CMAKE_CURRENT_LIST_DIR}/circles.sh ${CMAKE_BINARY_DIR})
