# millrace_layer(NAME layers... [LIBRARIES libraries...]): all of src/NAME as one OBJECT library, so that the
# line by which a component registers itself is never dropped by the linker, over the layers it may include.
# Libraries that it alone needs go with it into the programs. Every *_test.cc of the folder goes into one
# program NAME_test, which links just these; a suite whose name ends in Slow gets the label slow.
function(millrace_layer NAME)
  cmake_parse_arguments(ARG "" "" LIBRARIES ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${NAME}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|_bench|/main)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  add_library(${NAME} OBJECT ${sources})
  target_link_libraries(${NAME} PUBLIC millrace_options millrace_dependencies ${ARG_LIBRARIES})
  set_target_properties(${NAME} PROPERTIES MILLRACE_LIBRARIES "${ARG_LIBRARIES}")
  millrace_precompiled(${NAME} precompiled)
  set_property(GLOBAL APPEND PROPERTY MILLRACE_LAYERS ${NAME})
  if(tests AND MILLRACE_TESTS)
    add_executable(${NAME}_test ${tests})
    millrace_link_layers(${NAME}_test ${ARG_UNPARSED_ARGUMENTS} ${NAME})
    target_link_libraries(${NAME}_test PRIVATE GTest::gmock GTest::gtest_main)
    millrace_precompiled(${NAME}_test precompiled_with_gtest
      LIBRARIES GTest::gmock GTest::gtest_main HEADERS <gtest/gtest.h>)
    target_compile_definitions(${NAME}_test PRIVATE MILLRACE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    gtest_discover_tests(${NAME}_test DISCOVERY_MODE PRE_TEST TEST_FILTER "-*Slow.*"
      PROPERTIES LABELS unit TIMEOUT 120)
    gtest_discover_tests(${NAME}_test DISCOVERY_MODE PRE_TEST TEST_FILTER "*Slow.*"
      PROPERTIES LABELS slow TIMEOUT 600)
  endif()
endfunction()

# millrace_link_layers(TARGET layers...): their objects, and the libraries these need.
function(millrace_link_layers TARGET)
  foreach(layer IN LISTS ARGN)
    target_sources(${TARGET} PRIVATE $<TARGET_OBJECTS:${layer}>)
    get_target_property(libraries ${layer} MILLRACE_LIBRARIES)
    target_link_libraries(${TARGET} PRIVATE ${libraries})
  endforeach()
  target_link_libraries(${TARGET} PRIVATE millrace_options millrace_dependencies)
endfunction()
