# Files as bytes in the program. CMake itself writes them out: no other tool is needed, and any compiler takes the result.
#
# nowhere_embed(TARGET FOLDER): all files of FOLDER, as serve/embedded.h declares them.
function(nowhere_embed target folder)
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*.*")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${source}" "-DFILES=${files}" -P "${CMAKE_SOURCE_DIR}/cmake/Embed.cmake"
    DEPENDS ${files} "${CMAKE_SOURCE_DIR}/cmake/Embed.cmake"
    COMMENT "Embedding ${folder}" VERBATIM)
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # changes with every page
  target_sources(${target} PRIVATE "${source}")
endfunction()

# nowhere_embed_text(TARGET FILE NAME TEMPLATE): a small text file, which stands at @NAME@ in the source TEMPLATE.
function(nowhere_embed_text target file name template)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  file(READ "${file}" ${name})
  get_filename_component(source "${template}" NAME_WLE)
  configure_file("${template}" "${source}" @ONLY)
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${source}")
endfunction()

# What the command of nowhere_embed runs.
if(CMAKE_SCRIPT_MODE_FILE)
  set(arrays "")
  set(rows "")
  set(number 0)
  foreach(path IN LISTS FILES)
    get_filename_component(name "${path}" NAME)
    file(SHA256 "${path}" hash)
    string(SUBSTRING "${hash}" 0 16 hash)
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(....................................................................................................)" "\\1\n    " bytes "${bytes}")
    # A zero behind the end, so that an empty file is an array too.
    string(APPEND arrays "constexpr uint8_t kFile${number}[] = {\n    ${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", std::span(kFile${number}, sizeof(kFile${number}) - 1), \"${hash}\"},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE "${SOURCE}" "// Written by cmake/Embed.cmake.\n#include \"serve/embedded.h\"\n\nnamespace nowhere {\nnamespace {\n\n${arrays}\nconstexpr EmbeddedFile kFiles[] = {\n${rows}};\n\n}  // namespace\n\nstd::span<const EmbeddedFile> embedded_files() {\n  return kFiles;\n}\n\n}  // namespace nowhere\n")
endif()
