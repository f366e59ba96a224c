# Private: LibTorch brings headers of an fmt of its own, which must not be found in front of Debian's elsewhere; where it
# is, its fmt serves without a library. Its own header takes 20 s to read, so it is read once for all.
function(nowhere_use_torch target)
  target_link_libraries(${target} PRIVATE nowhere::libtorch)
  # A precompiled header fits one setting only, so programs are compiled as libraries are, and all with the definitions
  # of core's libraries, whether they use core or not.
  target_compile_definitions(${target} PRIVATE FMT_HEADER_ONLY
    $<TARGET_PROPERTY:nowhere_core,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(${target} PRIVATE -fPIC -pthread)
  if(target STREQUAL "nowhere_device")
    target_precompile_headers(${target} PRIVATE <torch/torch.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM nowhere_device)
  endif()
endfunction()

# nowhere_folder(NAME [TORCH] [USES folders...] [LINKS targets...]): one static library of the folder's sources, and one
# test program of its *_test.cpp.
function(nowhere_folder name)
  cmake_parse_arguments(ARG "TORCH" "" "USES;LINKS" ${ARGN})
  set(root "${CMAKE_SOURCE_DIR}/src")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${root}/${name}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  # A batch is what an edit of one of its files compiles again.
  set(batch 8)
  if(ARG_TORCH)
    set(batch 5)
  endif()

  add_library(nowhere_${name} STATIC ${sources})
  target_include_directories(nowhere_${name} PUBLIC "${root}")
  list(TRANSFORM ARG_USES PREPEND nowhere_)
  target_link_libraries(nowhere_${name} PUBLIC ${ARG_USES} ${ARG_LINKS})
  nowhere_unity(nowhere_${name} ${batch})
  if(ARG_TORCH)
    nowhere_use_torch(nowhere_${name})
  endif()

  if(tests)
    add_executable(${name}_tests ${tests})
    target_link_libraries(${name}_tests PRIVATE nowhere_${name} GTest::gtest_main)
    target_compile_definitions(${name}_tests PRIVATE
      NOWHERE_FIXTURES="${CMAKE_SOURCE_DIR}/tests/fixtures" NOWHERE_SHARED="${CMAKE_SOURCE_DIR}/../shared")
    nowhere_unity(${name}_tests ${batch})
    if(ARG_TORCH)
      nowhere_use_torch(${name}_tests)
    endif()
    gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 600)
  endif()
endfunction()

# nowhere_fuzz(FOLDER FILE): a libFuzzer target, run in the tests for a bounded number of inputs. scripts/fuzz makes
# the seeds.
function(nowhere_fuzz folder file)
  if(NOT NOWHERE_FUZZ)
    return()
  endif()
  add_executable(${file} "${CMAKE_SOURCE_DIR}/src/${folder}/${file}.cpp")
  target_link_libraries(${file} PRIVATE nowhere_${folder})
  target_compile_options(${file} PRIVATE -fsanitize=fuzzer)
  target_link_options(${file} PRIVATE -fsanitize=fuzzer)
endfunction()
