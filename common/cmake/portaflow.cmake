# SPDX-License-Identifier: Apache-2.0
# Used by every folder: finds libraries and defines one function per kind of target.
# Targets of a missing library are not built, with one message; the core of solve always builds.
find_package(PkgConfig)
find_package(OpenMP COMPONENTS C)
foreach(lib yaml-0.1:YAML libcjson:CJSON libxxhash:XXHASH libpng:PNG cmocka:CMOCKA)
  string(REPLACE ":" ";" pair ${lib})
  list(GET pair 0 module)
  list(GET pair 1 name)
  if(PkgConfig_FOUND)
    pkg_check_modules(${name} IMPORTED_TARGET GLOBAL ${module})
  endif()
endforeach()
find_package(HDF5 COMPONENTS C)
find_package(ITK 5 QUIET COMPONENTS ITKCommon ITKIOImageBase ITKIONIFTI ITKIONRRD ITKIOMeta ITKIOGDCM ITKLevelSets
             ITKFastMarching ITKDistanceMap ITKAnisotropicSmoothing ITKImageFeature ITKSmoothing ITKImageIntensity
             ITKThresholding ITKConnectedComponents ITKImageGrid ITKMathematicalMorphology ITKDenoising
             ITKCurvatureFlow ITKBinaryMathematicalMorphology ITKLabelMap)
find_package(VTK 9.1 QUIET COMPONENTS CommonCore CommonDataModel CommonExecutionModel IOGeometry IOXML IOPLY IOLegacy
             IOImage FiltersCore FiltersGeneral FiltersModeling FiltersSources FiltersGeometry FiltersFlowPaths RenderingCore
             RenderingOpenGL2 RenderingAnnotation RenderingFreeType ChartsCore ViewsContext2D RenderingContext2D
             RenderingContextOpenGL2 ImagingCore ImagingHybrid ImagingStencil)

if(BUNDLE) # an rpath, not a runpath: it also holds for libraries of libraries
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
  add_link_options(-Wl,--disable-new-dtags)
endif()

function(portaflow_found name variable what)
  if(NOT ${variable})
    message(STATUS "${name} was not found: ${what} not built")
  endif()
endfunction()
portaflow_found(ITK ITK_FOUND "segment, mesh, the phantoms and the pipeline's image tests are")
portaflow_found(VTK VTK_FOUND "segment, mesh and post are")
portaflow_found(HDF5 HDF5_FOUND "the solve program is (its core, its bench and its tests are built)")

set(PORTAFLOW_WARNINGS -Wall -Wextra -Wno-missing-field-initializers $<$<BOOL:${WERROR}>:-Werror>)
set(PORTAFLOW_C_WARNINGS -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
set(PORTAFLOW_SANITIZE)
if(SANITIZE STREQUAL "thread") # -O1 -g: readable stack traces, half the compile time
  set(PORTAFLOW_SANITIZE -O1 -g -fsanitize=thread)
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    list(APPEND PORTAFLOW_SANITIZE -Wno-pass-failed) # loops that only -O3 vectorizes
  endif()
elseif(SANITIZE)
  set(PORTAFLOW_SANITIZE -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # false warnings with sanitizers; the ordinary build checks text lengths
    list(APPEND PORTAFLOW_SANITIZE -Wno-format-truncation -Wno-format-overflow)
  else()
    list(APPEND PORTAFLOW_SANITIZE -Wno-pass-failed)
  endif()
endif()

function(portaflow_flags target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-include \"${CMAKE_SOURCE_DIR}/common/cmake/itk_clang.h\">"
    $<$<COMPILE_LANGUAGE:C>:${PORTAFLOW_WARNINGS} ${PORTAFLOW_C_WARNINGS} ${PORTAFLOW_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:${PORTAFLOW_WARNINGS} ${PORTAFLOW_SANITIZE}>)
  target_link_options(${target} PRIVATE ${PORTAFLOW_SANITIZE})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
endfunction()

# portaflow_library(name SOURCES a.c b.c LINK x y)
function(portaflow_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  portaflow_flags(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINK} m)
  set_property(GLOBAL APPEND PROPERTY PORTAFLOW_TARGETS library:${name})
endfunction()

# portaflow_program(name SOURCES main.c LINK x y COMMANDS run): builds build/bin/name, and the manual pages name.1 and
# name-run.1 in build/share/man/man1 and the completion in build/share/bash-completion, which the program prints from its
# option tables. NO_MAN: none of them.
function(portaflow_program name)
  cmake_parse_arguments(arg "NO_MAN" "" "SOURCES;LINK;COMMANDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  portaflow_flags(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} m)
  set_property(GLOBAL APPEND PROPERTY PORTAFLOW_TARGETS program:${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(arg_NO_MAN OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(pages "")
  set(calls "")
  set(words ${CMAKE_BINARY_DIR}/share/bash-completion/completions/${name})
  foreach(command "" ${arg_COMMANDS})
    string(REGEX REPLACE "-$" "" page ${name}-${command})
    set(page ${CMAKE_BINARY_DIR}/share/man/man1/${page}.1)
    add_custom_command(OUTPUT ${page} COMMAND ${name} ${command} --man > ${page} DEPENDS ${name} VERBATIM)
    list(APPEND pages ${page})
    list(APPEND calls COMMAND ${name} ${command} --completion >> ${words}.part)
  endforeach()
  add_custom_command(OUTPUT ${words}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/packaging/completion.bash ${words}.part ${calls}
    COMMAND ${CMAKE_COMMAND} -E rename ${words}.part ${words}
    DEPENDS ${name} ${CMAKE_SOURCE_DIR}/packaging/completion.bash VERBATIM)
  add_custom_target(man-${name} ALL DEPENDS ${pages} ${words})
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/man/man1 ${CMAKE_BINARY_DIR}/share/bash-completion/completions)

# Write libraries.txt in the build folder: a line "kind name folder: linked targets" per library or program. The picture
# in ARCHITECTURE.md is drawn from it; tests/docs/libraries.sh checks the picture.
function(portaflow_list_targets)
  get_property(targets GLOBAL PROPERTY PORTAFLOW_TARGETS)
  set(lines "")
  foreach(target ${targets})
    string(REPLACE ":" ";" pair ${target})
    list(GET pair 0 kind)
    list(GET pair 1 name)
    get_target_property(folder ${name} SOURCE_DIR)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${folder})
    string(APPEND lines "${kind} ${name} ${folder}: $<JOIN:$<TARGET_GENEX_EVAL:${name},$<TARGET_PROPERTY:${name},LINK_LIBRARIES>>, >\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/libraries.txt CONTENT "${lines}")
endfunction()

# portaflow_test(test_x SOURCES test_x.c LINK y): a cmocka program run by ctest. Defines PORTAFLOW_SOURCE_DIR,
# PORTAFLOW_DATA_DIR (research images, may be missing) and PORTAFLOW_BIN_DIR.
function(portaflow_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(NOT CMOCKA_FOUND)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  portaflow_flags(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} PkgConfig::CMOCKA m)
  target_compile_definitions(${name} PRIVATE PORTAFLOW_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    PORTAFLOW_DATA_DIR="${CMAKE_SOURCE_DIR}/../shared/data" PORTAFLOW_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
