# Which requests of a version the installed superovoid meets. Its version is that of its header.
#
# While the major version is 0, a change of the minor one may change the interface.

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../../include/superovoid.h" _superovoid_line
  REGEX "^#define SOVO_VERSION \"")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" PACKAGE_VERSION "${_superovoid_line}")
string(REGEX MATCH "^(0\\.[0-9]+|[0-9]+)" _superovoid_interface "${PACKAGE_VERSION}")

set(PACKAGE_VERSION_COMPATIBLE FALSE)
set(PACKAGE_VERSION_EXACT FALSE)
if(DEFINED PACKAGE_FIND_VERSION_RANGE)
  if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN
      AND (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX
        OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE"
          AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
elseif(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  set(PACKAGE_VERSION_EXACT TRUE)
elseif(PACKAGE_VERSION VERSION_GREATER PACKAGE_FIND_VERSION)
  string(REGEX MATCH "^(0\\.[0-9]+|[0-9]+)" _superovoid_wanted "${PACKAGE_FIND_VERSION}")
  if(_superovoid_wanted STREQUAL _superovoid_interface)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
endif()
