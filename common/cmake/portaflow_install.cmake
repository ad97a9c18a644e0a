# SPDX-License-Identifier: Apache-2.0
# cmake --install and cpack. The programs find each other in their own folder and their data in ../share/portaflow; the
# build folder has the same layout, so that both are relocatable.
# cpack -G DEB: a package for the Debian of this machine. -DBUNDLE=ON, cpack -G TGZ: a folder with all libraries.
get_property(targets GLOBAL PROPERTY PORTAFLOW_TARGETS)
list(FILTER targets INCLUDE REGEX "^program:")
list(TRANSFORM targets REPLACE "^program:" "")
add_custom_target(programs) # what is installed, without the tests; also libportaflow
foreach(target ${targets} solve_mpi portaflow)
  foreach(each ${target} man-${target})
    if(TARGET ${each})
      add_dependencies(programs ${each})
    endif()
  endforeach()
endforeach()
set(data_folder ${CMAKE_INSTALL_DATADIR}/portaflow)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/portaflow)
foreach(folder portal-demo reproduce)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/data/${folder} ${CMAKE_BINARY_DIR}/share/portaflow/${folder} SYMBOLIC)
  install(DIRECTORY data/${folder} DESTINATION ${data_folder} USE_SOURCE_PERMISSIONS)
endforeach()
install(DIRECTORY packaging/slicer DESTINATION ${data_folder} PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man ${CMAKE_BINARY_DIR}/share/bash-completion DESTINATION ${CMAKE_INSTALL_DATADIR}
  PATTERN "*.part" EXCLUDE)
install(FILES README.md GUIDE.md CITATION.cff common/CASE.md common/CASE_FLOW.md common/FILES.md
  common/GLOSSARY.md packaging/copyright
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME changelog)
install(CODE "file(GLOB texts \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/*.1\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/changelog\")
  execute_process(COMMAND gzip -9nf \${texts} COMMAND_ERROR_IS_FATAL ANY)")
if(BUNDLE)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(CODE "execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/packaging/bundle.sh\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\"
    COMMAND_ERROR_IS_FATAL ANY)")
endif()

set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};${PROJECT_NAME};ALL;/") # with component `library`
set(CPACK_PACKAGE_NAME portaflow)
set(CPACK_PACKAGE_VENDOR "The Portaflow contributors")
set(CPACK_PACKAGE_CONTACT "The Portaflow contributors <maintainers@portaflow.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Blood flow from medical images by the lattice Boltzmann method")
set(CPACK_PACKAGE_DESCRIPTION "Segments a vessel in an MRI or CT volume, builds a lattice, solves the
flow and reports pressure drops and wall shear stress with 95 % intervals.
Research software: not a medical device, not for decisions about patients.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl-mesa0, libgl1-mesa-dri") # the OpenGL of the pictures, which libEGL loads
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin, python3-numpy")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(BUNDLE)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
  set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_PACKAGE_FILE_NAME portaflow-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
endif()
include(CPack)
