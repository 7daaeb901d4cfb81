# The headers of the standard library and of fmt are parsed once a build, not once a file: that halves
# the time of a clean build. Files still name what they use; clang-tidy and the fuzzers compile without.
set(MILLRACE_PRECOMPILED
  <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <cstdint> <cstring> <deque>
  <filesystem> <functional> <map> <memory> <mutex> <optional> <random> <set> <span> <stop_token> <string>
  <string_view> <thread> <tuple> <utility> <variant> <vector> <fmt/core.h>)

# millrace_precompiled(TARGET OWNER [LIBRARIES libraries...] [HEADERS headers...]): TARGET uses the headers
# that OWNER, made at the first call, has precompiled with the same options.
function(millrace_precompiled TARGET OWNER)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    return()
  endif()
  if(NOT TARGET ${OWNER})
    file(WRITE ${CMAKE_BINARY_DIR}/${OWNER}.cc "// Owns the precompiled headers.\n")
    add_library(${OWNER} OBJECT ${CMAKE_BINARY_DIR}/${OWNER}.cc)
    target_link_libraries(${OWNER} PUBLIC millrace_options millrace_dependencies ${ARG_LIBRARIES})
    target_precompile_headers(${OWNER} PRIVATE ${MILLRACE_PRECOMPILED} ${ARG_HEADERS})
    # Without it ccache passes every file of such a target on to the compiler.
    target_compile_options(${OWNER} PUBLIC -fpch-preprocess)
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${OWNER})
  target_compile_options(${TARGET} PRIVATE -fpch-preprocess)
endfunction()
