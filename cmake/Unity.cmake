# Several sources in one compilation. Most of the time of compiling a source goes into the headers it includes; LibTorch's
# cost 6 s for an empty file, precompiled or not. -DNOWHERE_UNITY=OFF compiles every file by itself, as the debug preset
# does: there an edit costs one file, and a missing #include shows.
#
# All names of a batch meet in one translation unit. So no two files of a folder give one name to different things in
# their unnamed namespaces; those that must are named here and compiled alone. When a build fails with "redefinition" or
# "conflicting declaration" in a file called unity_N_cxx.cxx, rename one of the two, or add its file here.
set(NOWHERE_COMPILED_ALONE
  data/pack_writer.cpp data/synth/light.cpp data/synth/objects.cpp data/synth/synth.cpp data/synth/tables.cpp
  data/synth/town.cpp
  eval/nearest.cpp
  plot/plot_test.cpp
  net/server.cpp
  observe/stats_log_test.cpp
  report/scores_text_test.cpp)

# nowhere_unity(TARGET BATCH): compiles up to BATCH sources of the target at once.
function(nowhere_unity target batch)
  if(NOT NOWHERE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It takes the sources of a batch for headers, where a class with a member of an unnamed namespace would be a fault.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}/src" "${source}")
    # Highway's files include themselves, once for each kind of processor.
    file(STRINGS "${source}" includes_itself REGEX "hwy/foreach_target\\.h" LIMIT_COUNT 1)
    if(includes_itself OR name IN_LIST NOWHERE_COMPILED_ALONE)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()
