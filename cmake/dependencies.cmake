# Libraries, from Debian's packages. jansson and inih are needed; each TLS library is optional: the
# program says at run time which are missing. TLSMETER_WITH_<LIBRARY>=OFF leaves one out on purpose
# (a binary without wolfSSL is not bound by the GPL).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(INIH REQUIRED IMPORTED_TARGET inih)

option(TLSMETER_WITH_OPENSSL "Use OpenSSL (libssl-dev)" ON)
option(TLSMETER_WITH_MBEDTLS "Use Mbed TLS (libmbedtls-dev)" ON)
option(TLSMETER_WITH_WOLFSSL "Use wolfSSL (libwolfssl-dev, GPL)" ON)

set(TLSMETER_HAVE_OPENSSL OFF)
if(TLSMETER_WITH_OPENSSL)
  pkg_check_modules(OPENSSL IMPORTED_TARGET openssl>=3.0)
  set(TLSMETER_HAVE_OPENSSL ${OPENSSL_FOUND})
endif()

# Debian's libmbedtls-dev has no pkg-config file before version 3.6.
set(TLSMETER_HAVE_MBEDTLS OFF)
if(TLSMETER_WITH_MBEDTLS)
  find_path(MBEDTLS_INCLUDE_DIR mbedtls/ssl.h)
  find_library(MBEDTLS_LIBRARY mbedtls)
  find_library(MBEDX509_LIBRARY mbedx509)
  find_library(MBEDCRYPTO_LIBRARY mbedcrypto)
  if(MBEDTLS_INCLUDE_DIR AND MBEDTLS_LIBRARY AND MBEDX509_LIBRARY AND MBEDCRYPTO_LIBRARY)
    set(TLSMETER_HAVE_MBEDTLS ON)
  endif()
endif()

set(TLSMETER_HAVE_WOLFSSL OFF)
if(TLSMETER_WITH_WOLFSSL)
  pkg_check_modules(WOLFSSL IMPORTED_TARGET wolfssl)
  set(TLSMETER_HAVE_WOLFSSL ${WOLFSSL_FOUND})
endif()

# Debian 13 has llhttp as a library; Debian 12 has its C sources, in package node-llhttp.
option(TLSMETER_WITH_LLHTTP "Use llhttp (libllhttp-dev, or the sources in node-llhttp)" ON)
set(TLSMETER_HAVE_LLHTTP OFF)
if(TLSMETER_WITH_LLHTTP)
  pkg_check_modules(LLHTTP IMPORTED_TARGET libllhttp)
  find_path(LLHTTP_SOURCE_DIR llhttp.c PATHS /usr/share/llhttp NO_DEFAULT_PATH)
  find_path(LLHTTP_SOURCE_INCLUDE_DIR llhttp.h PATHS /usr/share/include/llhttp NO_DEFAULT_PATH)
  if(LLHTTP_FOUND)
    set(TLSMETER_HAVE_LLHTTP ON)
    add_library(llhttp ALIAS PkgConfig::LLHTTP)
  elseif(LLHTTP_SOURCE_DIR AND LLHTTP_SOURCE_INCLUDE_DIR)
    set(TLSMETER_HAVE_LLHTTP ON)
    add_library(llhttp STATIC ${LLHTTP_SOURCE_DIR}/api.c ${LLHTTP_SOURCE_DIR}/http.c ${LLHTTP_SOURCE_DIR}/llhttp.c)
    target_include_directories(llhttp SYSTEM PUBLIC ${LLHTTP_SOURCE_INCLUDE_DIR})
    target_compile_options(llhttp PRIVATE -w)
  endif()
endif()

# Archives instead of shared objects, or a static program: TLSMETER_STATIC_<LIBRARY>.
foreach(library MBEDTLS WOLFSSL)
  set(TLSMETER_STATIC_${library} OFF)
  if(CMAKE_EXE_LINKER_FLAGS MATCHES "(^| )-static(-pie)?( |$)" OR
     "${${library}_LIBRARY};${${library}_LINK_LIBRARIES}" MATCHES "\\.a(;|$)")
    set(TLSMETER_STATIC_${library} ON)
  endif()
endforeach()

foreach(library OPENSSL MBEDTLS WOLFSSL LLHTTP)
  message(STATUS "${library}: ${TLSMETER_HAVE_${library}}")
endforeach()

# glibc keeps its allocator reachable for programs that define malloc themselves (measure/heap.c); a
# statically linked program would define it twice.
include(CheckCSourceCompiles)
check_c_source_compiles("
  #include <stddef.h>
  extern void *__libc_malloc(size_t size);
  void *malloc(size_t size) { return __libc_malloc(size); }
  int main(void) { return malloc(1) == 0; }" TLSMETER_HAVE_LIBC_MALLOC)
