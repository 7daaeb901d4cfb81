# One library a job; docs/decisions/ says why each was chosen.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(Protobuf REQUIRED)
find_package(prometheus-cpp REQUIRED CONFIG)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(SNAPPY REQUIRED IMPORTED_TARGET snappy)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(FMT REQUIRED IMPORTED_TARGET fmt)
pkg_check_modules(PUGIXML REQUIRED IMPORTED_TARGET pugixml)
pkg_check_modules(SPDLOG REQUIRED IMPORTED_TARGET spdlog)

add_library(millrace_dependencies INTERFACE)
target_compile_definitions(millrace_dependencies INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(millrace_dependencies INTERFACE
  Threads::Threads OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA
  prometheus-cpp::core PkgConfig::ISAL PkgConfig::SNAPPY PkgConfig::ZSTD PkgConfig::LZ4 PkgConfig::FMT
  PkgConfig::SPDLOG PkgConfig::PCRE2)
if(MILLRACE_SANITIZE MATCHES "thread")
  # TSan does not know fences; Asio's locks order the same accesses.
  target_compile_definitions(millrace_dependencies INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()
