# SPDX-License-Identifier: Apache-2.0
# The pages in a real browser; skipped with a line where node, chromium or playwright-core (make browser) is absent.
find_program(NODE_PROGRAM NAMES node nodejs)
find_program(CHROMIUM_PROGRAM NAMES chromium chromium-browser google-chrome)
if(TARGET pipeline AND TARGET common_image_file AND NODE_PROGRAM AND CHROMIUM_PROGRAM)
  add_test(NAME browser_setup COMMAND ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/setup_page.js $<TARGET_FILE:pipeline> ${CHROMIUM_PROGRAM})
  set_tests_properties(browser_setup PROPERTIES SKIP_RETURN_CODE 77)
  if(TARGET post)
    add_test(NAME browser_view COMMAND ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/view_page.js ${CMAKE_BINARY_DIR}/bin ${CHROMIUM_PROGRAM})
    set_tests_properties(browser_view PROPERTIES SKIP_RETURN_CODE 77)
  endif()
else()
  message(STATUS "node or chromium was not found: the pages are not tested in a browser")
endif()
