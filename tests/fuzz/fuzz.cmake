# Fuzz targets of the readers. Always built as a replay of their corpus; with -DFUZZ=ON (clang) as libFuzzer programs too:
#   CC=clang CXX=clang++ cmake -B build-fuzz -DFUZZ=ON -DSANITIZE=ON && ninja -C build-fuzz fuzz_case
#   build-fuzz/tests/fuzz_case -max_total_time=600 tests/fuzz/corpus_case
option(FUZZ "Build the libFuzzer programs (clang)" OFF)

# fuzz_target(case LINK common_case): fuzz_case.c over corpus_case
function(fuzz_target name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/tests/fuzz)
  set(programs fuzz_${name}_replay)
  add_executable(fuzz_${name}_replay ${folder}/fuzz_${name}.c ${folder}/replay.c)
  add_test(NAME fuzz_${name}_replay COMMAND fuzz_${name}_replay ${folder}/corpus_${name})
  set_tests_properties(fuzz_${name}_replay PROPERTIES TIMEOUT 120)
  if(FUZZ)
    list(APPEND programs fuzz_${name})
    add_executable(fuzz_${name} ${folder}/fuzz_${name}.c)
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
  foreach(program ${programs})
    portaflow_flags(${program})
    target_link_libraries(${program} PRIVATE ${arg_LINK})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  endforeach()
endfunction()

if(FUZZ) # the libraries must count their branches too
  foreach(library common_base common_waveform common_case)
    if(TARGET ${library})
      target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  endforeach()
endif()
fuzz_target(units LINK common_base)
fuzz_target(waveform LINK common_waveform)
if(TARGET common_case)
  fuzz_target(case LINK common_case)
endif()
