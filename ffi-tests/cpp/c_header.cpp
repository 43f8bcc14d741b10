// superovoid.h alone, for C++11 and later.
#include <superovoid.h>

int main() {
  const double axes[3] = {0.02, 0.02, 0.03}, exponents[2] = {1, 1};
  sovo_shape shape;
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  sovo_vertex_options vertex_options = SOVO_VERTEX_OPTIONS_INIT;
  sovo_pair_batch pairs = SOVO_PAIR_BATCH_INIT;
  sovo_vertex_batch vertices = SOVO_VERTEX_BATCH_INIT;
  options.method = SOVO_METHOD_EXACT;
  vertex_options.method = SOVO_VERTEX_EXACT;
  pairs.threads = vertices.threads = 1;
  const sovo_status status = sovo_shape_make(axes, exponents, nullptr, &shape);
  return status == SOVO_OK ? 0 : 1;
}
