# CMake's package file of superovoid:
#
#   find_package(superovoid 0.1 REQUIRED)
#   target_link_libraries(program PRIVATE superovoid::superovoid)         # the shared library, or
#   target_link_libraries(program PRIVATE superovoid::superovoid_static)  # the static one
#
# Both bring the headers for C and C++ along. A target is there if its library is installed. For Linux,
# the BSDs and macOS. Relocatable: all paths are found from where this file lies, which is
# <prefix>/share/cmake/superovoid.

function(_superovoid_find)
  get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
  set(include "${prefix}/include")

  # The first that holds the library: Debian's directory of the architecture, or the usual ones.
  foreach(directory "lib/${CMAKE_LIBRARY_ARCHITECTURE}" lib64 lib)
    set(libraries "${prefix}/${directory}")
    if(APPLE)
      set(shared "${libraries}/libsuperovoid.dylib")
    else()
      set(shared "${libraries}/libsuperovoid.so")
    endif()
    set(static "${libraries}/libsuperovoid.a")

    if(EXISTS "${shared}" AND NOT TARGET superovoid::superovoid)
      add_library(superovoid::superovoid SHARED IMPORTED)
      set_target_properties(superovoid::superovoid PROPERTIES
        IMPORTED_LOCATION "${shared}"
        INTERFACE_INCLUDE_DIRECTORIES "${include}")
    endif()

    if(EXISTS "${static}" AND NOT TARGET superovoid::superovoid_static)
      add_library(superovoid::superovoid_static STATIC IMPORTED)
      # What Rust's standard library needs of the system.
      if(APPLE)
        set(system iconv m)
      else()
        set(system m pthread ${CMAKE_DL_LIBS})
      endif()
      set_target_properties(superovoid::superovoid_static PROPERTIES
        IMPORTED_LOCATION "${static}"
        INTERFACE_INCLUDE_DIRECTORIES "${include}"
        INTERFACE_LINK_LIBRARIES "${system}")
    endif()
  endforeach()

  if(TARGET superovoid::superovoid OR TARGET superovoid::superovoid_static)
    set(superovoid_FOUND TRUE PARENT_SCOPE)
  else()
    set(superovoid_FOUND FALSE PARENT_SCOPE)
    set(superovoid_NOT_FOUND_MESSAGE "no library of superovoid in ${prefix}/lib" PARENT_SCOPE)
  endif()
endfunction()

_superovoid_find()
