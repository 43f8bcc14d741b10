/* With little memory, large requests are answered with SOVO_STATUS_ERROR_MEMORY, and nothing ends the program. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <sys/resource.h>

enum { TRIANGLES = 100000, SEGMENTS = 512, STEPS = 20 };

static int refused, answered;

static void count(const char *what, sovo_status status) {
  CHECK(status == SOVO_STATUS_OK || status == SOVO_STATUS_ERROR_MEMORY, "%s: %s", what, sovo_last_error());
  refused += status == SOVO_STATUS_ERROR_MEMORY;
  answered += status == SOVO_STATUS_OK;
}

int main(void) {
  const sovo_superovoid shape = shape_of(1, 2, 3, 0.5, 0.7, 0, 0);
  const sovo_body body = sovo_body_superovoid(&shape);
  const sovo_pose pose = sovo_pose_identity(), far_away = pose_at(100, 0, 0);
  sovo_query_options beyond = SOVO_QUERY_OPTIONS_INIT;
  const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t *triangles = malloc(3 * TRIANGLES * sizeof *triangles);
  sovo_aabb *boxes = malloc(TRIANGLES * sizeof *boxes);
  double *vertices;
  uint32_t *surface;
  sovo_contact *contacts = malloc(TRIANGLES * sizeof *contacts);
  size_t vertex_count, triangle_count, i, step;
  OK(sovo_body_tessellate(&body, SEGMENTS, NULL, 0, NULL, 0, &vertex_count, &triangle_count));
  vertices = malloc(3 * vertex_count * sizeof *vertices);
  surface = malloc(3 * triangle_count * sizeof *surface);
  for (i = 0; i < 3 * TRIANGLES; i++) triangles[i] = (uint32_t)(i % 3);
  for (i = 0; i < TRIANGLES; i++) {
    const double x = (double)i;
    const sovo_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
    boxes[i] = box;
  }
  beyond.max_distance = 1;
  /* Ever a little more than nothing. The limit counts addresses, those in use already too. */
  for (step = 0; step < STEPS; step++) {
    const rlim_t megabytes = 1 << 20;
    struct rlimit limit, unlimited;
    long pages = 0;
    FILE *memory = fopen("/proc/self/statm", "r");
    sovo_tri_mesh *copy = NULL;
    sovo_box_set *set = NULL;
    sovo_height_field *field = NULL;
    const double ends[2] = {0, 1};
    sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
    if (memory == NULL || fscanf(memory, "%ld", &pages) != 1) return 2;
    fclose(memory);
    getrlimit(RLIMIT_AS, &unlimited);
    limit = unlimited;
    limit.rlim_cur = (rlim_t)pages * 4096 + 4 * step * megabytes;
    setrlimit(RLIMIT_AS, &limit);
    count("mesh", sovo_tri_mesh_new(corners, 3, 24, triangles, TRIANGLES, 0, &copy));
    sovo_tri_mesh_free(copy);
    count("boxes", sovo_box_set_new(boxes, TRIANGLES, &set));
    sovo_box_set_free(set);
    count("field", sovo_height_field_new(boxes[0].min, 2, TRIANGLES, ends, ends, -9, &field));
    sovo_height_field_free(field);
    count("surface", sovo_body_tessellate(&body, SEGMENTS, vertices, vertex_count, surface, triangle_count, &vertex_count,
                                          &triangle_count));
    batch.count = 100000; /* far apart: nothing but a comparison each */
    batch.shapes_a = batch.shapes_b = &shape;
    batch.poses_a = &pose;
    batch.poses_b = &far_away;
    batch.shape_a_stride = batch.shape_b_stride = batch.pose_a_stride = batch.pose_b_stride = 0;
    batch.contacts = contacts;
    batch.threads = 4;
    count("pairs", sovo_pair_contact_batch(&batch, &beyond));
    setrlimit(RLIMIT_AS, &unlimited);
  }
  CHECK(refused > 0 && answered > 0, "%d refused, %d answered", refused, answered);
  printf("%d refused, %d answered\n", refused, answered);
  free(triangles);
  free(boxes);
  free(contacts);
  free(vertices);
  free(surface);
  return verdict("low_memory");
}
