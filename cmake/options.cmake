# Compiler options that hold for every target of the project.
add_library(millrace_options INTERFACE)
target_include_directories(millrace_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
# GCC 12 sees copies out of bounds inside std::string that are not there (GCC bug 105329).
target_compile_options(millrace_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wno-missing-field-initializers -Wno-array-bounds -Werror
  -fno-omit-frame-pointer)
if(MILLRACE_SANITIZE)
  target_compile_options(millrace_options INTERFACE
    -fsanitize=${MILLRACE_SANITIZE} -fno-sanitize-recover=all
    -Wno-error)  # GCC 12 takes instrumented string code for overflows; release refuses every warning.
  target_link_options(millrace_options INTERFACE -fsanitize=${MILLRACE_SANITIZE})
endif()
if(MILLRACE_SANITIZE MATCHES undefined)
  # The vptr check opens a pipe to look at memory; a test of running out of descriptors leaves it none.
  target_compile_options(millrace_options INTERFACE -fno-sanitize=vptr)
endif()

# The fuzzers are built by clang, whose warnings differ: clang-tidy is where its word counts.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(millrace_options INTERFACE -Wno-error)
endif()

find_program(MOLD mold)
if(MOLD)
  target_link_options(millrace_options INTERFACE -fuse-ld=mold)
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
