// superovoid.h alone, for C++11 and later.
#include <superovoid.h>

int main() {
  const double axes[3] = {0.02, 0.02, 0.03}, exponents[2] = {1, 1};
  sovo_superovoid shape;
  const sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  const sovo_vertex_options vertex_options = SOVO_VERTEX_OPTIONS_INIT;
  const sovo_pair_batch pairs = SOVO_PAIR_BATCH_INIT;
  const sovo_indexed_pair_batch indexed = SOVO_INDEXED_PAIR_BATCH_INIT;
  const sovo_body_batch bodies = SOVO_BODY_BATCH_INIT;
  const sovo_vertex_batch vertices = SOVO_VERTEX_BATCH_INIT;
  const size_t sizes = options.size + vertex_options.size + pairs.size + indexed.size + bodies.size + vertices.size;
  const sovo_status status = sovo_superovoid_make(axes, exponents, nullptr, &shape);
  const sovo_body body = sovo_body_superovoid(&shape), ball = sovo_body_ball(1);
  return status == SOVO_STATUS_OK && sizes > 0 && body.kind != ball.kind ? 0 : 1;
}
