// fcl_pairs.cpp in single precision.
#define SINGLE_PRECISION
#include "fcl_pairs.cpp"
